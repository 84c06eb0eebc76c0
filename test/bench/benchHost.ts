import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Host, type HostOptions, startHost } from '../host/host.ts';
import type { Window } from '../host/window.ts';
import { type WindowRecord, windowRecordOf } from '../host/windowFile.ts';
import type { McpServerAddress } from './mcpClient.ts';
import { connectFloor, type Floor, floorExtension, startFloor } from './floor.ts';

/** Names under which the bench connects; each has a result profile of its own in the user's settings. */
export const clientNames = {
  /** All blocks, as for a client that was not measured. */
  unknown: 'bench-unknown',
  /** All blocks, with lists and searches in one page. */
  unpaged: 'bench-unpaged',
  /** Only structured content, which Claude Code and Codex pass to their models. */
  structured: 'bench-structured',
  /** Only text, which Gemini CLI passes to its model. */
  text: 'bench-text',
} as const;

const settings = {
  'drawbridge.start': 'always',
  'drawbridge.read.maxBytes': 2 * 1024 * 1024,
  'drawbridge.clients': {
    [clientNames.unpaged]: { pageBytes: null },
    [clientNames.structured]: { text: false, embedded: false },
    [clientNames.text]: { structured: false, embedded: false },
  },
};

/**
 * A VS Code with the packaged Drawbridge and the bare handlers that it is compared with.
 * @param more further extensions, and settings that win over those of every bench
 */
export function startBenchHost(drawbridge: string, more: Partial<HostOptions> = {}): Promise<Host> {
  return startHost({
    extensions: [drawbridge, floorExtension, ...(more.extensions ?? [])],
    settings: { ...settings, ...more.settings },
  });
}

/** A window in which both Drawbridge and the floor run. */
export interface BenchWindow {
  readonly window: Window;
  readonly server: WindowRecord;
  /** The MCP SDK by itself, in the same extension host. */
  readonly bareSdk: McpServerAddress;
  /** A further connection to the floor. */
  connectFloor(): Floor;
  close(): Promise<void>;
}

export async function openBenchWindow(host: Host, folder: string): Promise<BenchWindow> {
  return benchWindowOf(host, await host.openWindow({ folder }));
}

/** The bench window of a window in which Drawbridge has started, or starts by itself. */
export async function benchWindowOf(host: Host, window: Window): Promise<BenchWindow> {
  const [server, floor] = [await windowRecordOf(host.home, window), await startFloor(window)];
  const { port, sdkPort, secret } = floor;
  return {
    window,
    server,
    bareSdk: { endpoint: `http://127.0.0.1:${sdkPort}/mcp`, token: secret },
    connectFloor: () => connectFloor({ port, secret }),
    close: () => window.close(),
  };
}

/**
 * Writes a workspace that goes away with the host.
 * @param files contents by relative path
 * @returns its absolute path
 */
export function writeWorkspace(host: Host, name: string, files: Iterable<readonly [string, string]>): string {
  const folder = join(host.directory, name);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
