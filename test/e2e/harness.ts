import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import type { ClientOptions as OptionsV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1, type ClientOptions as OptionsV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Host, type OpenOptions, startHost } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import { packagedExtension } from '../host/packageExtension.ts';
import { startRun } from '../host/processes.ts';
import type { Window } from '../host/window.ts';
import { type WindowRecord, windowRecordOf } from '../host/windowFile.ts';

export { packagedExtension };
export { until } from '../host/until.ts';
export type { Window, WindowRecord };

/** Folder of the extension that serves `.toy` files, in every shape of answer; see its `parse.cjs`. */
export const toyLanguage = join(repository, 'test/toyLanguage');

/** Folder of the extension that gives Drawbridge a tool. */
export const exampleExtension = join(repository, 'test/exampleExtension');

/** Contents by workspace-relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface DrawbridgeOptions extends OpenOptions {
  /** Files of a temporary workspace to open (instead of `folder` and `workspace`). */
  readonly files?: Files;
  /** Further extensions: .vsix files, or folders of unpacked ones such as `toyLanguage`. */
  readonly extensions?: readonly string[];
  /** User settings; `drawbridge.start` is `always` unless given. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False: the folder opens in Restricted Mode. */
  readonly trusted?: boolean;
  /** DRAWBRIDGE_HOME; a fresh one by default. */
  readonly home?: string;
  /** Further environment of the editor. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A VS Code with the packaged extension, and its first window. */
export interface Drawbridge {
  readonly host: Host;
  readonly window: Window;
  /** The folder that was opened, if it was one. */
  readonly folder: string | undefined;
  /** Returns the file of the window; waits for the present extension host to write it, also after a reload. */
  record(window?: Window): Promise<WindowRecord>;
  stop(): Promise<void>;
}

/** Starts VS Code with the packaged extension and opens a window; its server runs unless `settings` say otherwise. */
export async function startDrawbridge(options: DrawbridgeOptions = {}): Promise<Drawbridge> {
  const { files, folder: given, workspace, settings, extensions = [], ...rest } = options;
  const folder = files === undefined ? given : tempWorkspace(files);
  const host = await startHost({
    ...rest,
    extensions: [packagedExtension(), ...extensions],
    // Served by a browser the editor saves by itself, which the desktop's does not.
    settings: { 'drawbridge.start': 'always', 'files.autoSave': 'off', ...settings },
  });
  try {
    const window = await host.openWindow({
      ...(folder === undefined ? {} : { folder }),
      ...(workspace === undefined ? {} : { workspace }),
    });
    return {
      host,
      window,
      folder,
      record: (which = window) => windowRecordOf(host.home, which),
      stop: () => host.stop(),
    };
  } catch (error) {
    await host.stop();
    throw error;
  }
}

/**
 * Writes files into a folder of their own, which is removed when the test process ends.
 * @param name name of the folder, as the editor shows it
 * @returns its absolute, canonical path
 */
export function tempWorkspace(files: Files, name = 'workspace'): string {
  const folder = join(startRun().directory, name);
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export interface ConnectOptions {
  /** Name in `clientInfo`; chooses the result profile. */
  readonly name?: string;
  /** Value of the header `Drawbridge-Connection`; random by default, null sends none. */
  readonly connection?: string | null;
}

type Server = Pick<WindowRecord, 'endpoint' | 'token'>;

/** Connects the MCP SDK v1 (the 2025 era, with a session). */
export async function connectV1(server: Server, options: ConnectOptions & { readonly client?: OptionsV1 } = {}) {
  const client = new ClientV1({ name: options.name ?? 'drawbridge-test-v1', version: '1.0.0' }, options.client);
  const transport = new TransportV1(new URL(server.endpoint), { requestInit: { headers: headers(server, options) } });
  await client.connect(transport);
  return {
    client,
    transport,
    /** Ends the session on the server too, as a well-behaved client does. */
    async close(): Promise<void> {
      await transport.terminateSession();
      await client.close();
    },
  };
}

/** Connects the MCP SDK v2; `auto` negotiates the 2026 era. */
export async function connectV2(
  server: Server,
  options: ConnectOptions & { readonly mode?: 'auto' | 'legacy'; readonly client?: OptionsV2 } = {},
) {
  const client = new ClientV2(
    { name: options.name ?? 'drawbridge-test-v2', version: '1.0.0' },
    { ...options.client, versionNegotiation: { mode: options.mode ?? 'auto' } },
  );
  const transport = new TransportV2(new URL(server.endpoint), { requestInit: { headers: headers(server, options) } });
  await client.connect(transport);
  return { client, transport, close: () => client.close() };
}

function headers({ token }: Server, { connection }: ConnectOptions): Record<string, string> {
  const authorization = { Authorization: `Bearer ${token}` };
  if (connection === null) return authorization;
  return { ...authorization, 'Drawbridge-Connection': connection ?? randomBytes(16).toString('hex') };
}

/** Posts `ping` and returns the HTTP status. */
export async function statusOf(endpoint: string, token: string): Promise<number> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.body?.cancel();
  return response.status;
}
