import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { repository } from '../host/hostFolder.ts';
import { type Answer, answer, answerTimeout, textOfAnswer } from './assistant.ts';
import { until } from './harness.ts';

/** The MCP SDK v1, the SDK v2 kept to sessions, and the SDK v2 that finds the 2026 era. */
export const bridgeSdks = ['v1', 'v2 legacy', 'v2'] as const;
export type BridgeSdk = (typeof bridgeSdks)[number];

export interface BridgeOptions {
  /** DRAWBRIDGE_HOME. */
  readonly home: string;
  /** The working directory of the assistant. */
  readonly directory: string;
  readonly sdk?: BridgeSdk;
  /** Name in `clientInfo`; chooses the result profile. */
  readonly name?: string;
  /** Arguments of the bridge, such as `--folder` and a path. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Folders that the client says it works in (SDK v1 only); none: it knows no roots. */
  readonly roots?: readonly string[];
  /** The program; the launcher below `home` by default. */
  readonly command?: readonly [string, ...string[]];
}

/** An assistant that started the bridge, as its configuration says. */
export interface Bridge {
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Calls and returns the text of the answer. */
  say(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The window that answers `get_workspace`; rejects when none does. */
  windowId(): Promise<string>;
  toolNames(): Promise<string[]>;
  /** How often the bridge said that the list of tools has changed. */
  toolListChanges(): number;
  /** All that the bridge wrote there so far. */
  stderr(): string;
  /** Process id of the bridge, which the launcher became. */
  readonly pid: number;
  /** Ends the bridge as the SDK does, by the end of its input; resolves when it has exited. */
  close(): Promise<void>;
}

const workspaceAnswer = z.looseObject({ structuredContent: z.looseObject({ windowId: z.string() }) });
const listedTools = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
const patience = { timeout: answerTimeout };

/** Returns the path of the launcher of a DRAWBRIDGE_HOME, which the configurations of assistants name. */
export const launcherOf = (home: string): string => join(home, 'bin', 'drawbridge');

/** The bridge, run by this Node: for tests in which it must outlive the editor that installed it. */
export const bundledBridge: readonly [string, ...string[]] = [process.execPath, join(repository, 'dist/bridge.cjs')];

/** Starts the bridge as an assistant would, without a shell, and connects to it. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const [program, ...first] = options.command ?? [launcherOf(options.home)];
  const parameters = {
    command: program,
    args: [...first, ...(options.args ?? [])],
    cwd: options.directory,
    env: { DRAWBRIDGE_HOME: options.home, ...options.environment },
    stderr: 'pipe' as const,
  };
  const connected = options.sdk === undefined || options.sdk === 'v1' ? connectV1 : connectV2;
  const { pid, ...connection } = await connected(parameters, options);
  const call: Bridge['call'] = async (tool, args = {}) => answer.parse(await connection.callTool(tool, args));
  return {
    ...connection,
    call,
    say: async (tool, args) => textOfAnswer(await call(tool, args)),
    async windowId() {
      const said = await call('get_workspace');
      if (said.isError === true) throw new Error(textOfAnswer(said));
      return workspaceAnswer.parse(said).structuredContent.windowId;
    },
    toolNames: async () => listedTools.parse(await connection.listTools()).tools.map(({ name }) => name),
    pid,
    async close() {
      await connection.close();
      await until(() => !isRunning(pid), 'the bridge to exit');
    },
  };
}

interface Connection extends Pick<Bridge, 'toolListChanges' | 'stderr' | 'pid' | 'close'> {
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  listTools(): Promise<unknown>;
}

type Parameters = ConstructorParameters<typeof TransportV1>[0] & ConstructorParameters<typeof TransportV2>[0];

async function connectV1(parameters: Parameters, { name, roots }: BridgeOptions): Promise<Connection> {
  const capabilities = roots === undefined ? {} : { roots: {} };
  const client = new ClientV1({ name: name ?? 'bridge-test-v1', version: '1.0.0' }, { capabilities });
  if (roots !== undefined) {
    const answered = { roots: roots.map((path) => ({ uri: pathToFileURL(path).href })) };
    client.setRequestHandler(ListRootsRequestSchema, () => answered);
  }
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  const transport = new TransportV1(parameters);
  const stderr = collect(transport.stderr);
  await client.connect(transport);
  return {
    callTool: (tool, args) => client.callTool({ name: tool, arguments: { ...args } }, undefined, patience),
    listTools: () => client.listTools(),
    toolListChanges: () => changes,
    stderr,
    pid: transport.pid ?? 0,
    close: () => client.close(),
  };
}

async function connectV2(parameters: Parameters, { name, sdk }: BridgeOptions): Promise<Connection> {
  let changes = 0;
  const onChanged = (): void => {
    changes += 1;
  };
  const client = new ClientV2(
    { name: name ?? 'bridge-test-v2', version: '1.0.0' },
    {
      versionNegotiation: { mode: sdk === 'v2 legacy' ? 'legacy' : 'auto' },
      listChanged: { tools: { onChanged, autoRefresh: false, debounceMs: 0 } },
    },
  );
  const transport = new TransportV2(parameters);
  const stderr = collect(transport.stderr);
  await client.connect(transport);
  return {
    callTool: (tool, args) => client.callTool({ name: tool, arguments: { ...args } }, patience),
    listTools: () => client.listTools(),
    toolListChanges: () => changes,
    stderr,
    pid: transport.pid ?? 0,
    close: () => client.close(),
  };
}

function collect(stream: NodeJS.EventEmitter | null): () => string {
  let text = '';
  stream?.on('data', (data: Buffer) => (text += data.toString()));
  return () => text;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
