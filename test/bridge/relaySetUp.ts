import { onTestFinished } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { Emitter } from '#base/event.ts';
import { Relay, type RelayOptions } from '#bridge/relay.ts';
import type { ChosenWindow, WindowSource } from '#bridge/windowSource.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { startTestServer, until, type TestServer } from '../mcp/fixture.ts';

/** The windows as a test says they are. */
export class FakeWindows implements WindowSource {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly wanted = 'the folder /wanted';
  readonly roots: (readonly string[])[] = [];
  chosen: ChosenWindow | undefined;
  open: readonly WindowRecord[] = [];
  silent: WindowRecord | undefined;
  refreshes = 0;
  onRoots: (roots: readonly string[]) => Promise<void> = () => Promise.resolve();

  choose(record: WindowRecord | undefined, worksIn?: string): void {
    this.chosen = record && { record, reason: 'the test says so', worksIn };
    this.open = record === undefined ? [] : [record];
    this.#changed.fire();
  }

  async setRoots(roots: readonly string[]): Promise<void> {
    this.roots.push(roots);
    await this.onRoots(roots);
  }

  refresh(): Promise<void> {
    this.refreshes++;
    return Promise.resolve();
  }

  dispose(): void {
    this.chosen = undefined;
  }
}

export function recordOf({ server }: Pick<TestServer, 'server'>, windowId = 'window-1'): WindowRecord {
  return makeRecord(server.endpoint, server.token, windowId);
}

export function makeRecord(endpoint: string, token: string, windowId = 'window-1'): WindowRecord {
  return {
    version: 1,
    windowId,
    endpoint,
    token,
    folders: [{ name: windowId, path: `/${windowId}`, uri: `file:///${windowId}` }],
    trusted: true,
    extensionVersion: '1.2.3',
    editor: { name: 'Editor', version: '1.0.0' },
    hostName: 'here',
    bootId: 'boot',
    pidNamespace: 'none',
    pid: 1,
    startedAt: 0,
    focusedAt: 0,
  };
}

export interface Wire {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface TestRelay {
  readonly relay: Relay;
  readonly windows: FakeWindows;
  /** Everything the client got, in order. */
  readonly texts: string[];
  readonly messages: Wire[];
  readonly logged: string[];
  /** Called with each message that the client gets. */
  onText: (text: string) => void;
  readonly send: (message: object) => void;
  /** Sends a request and resolves with its answer. */
  readonly ask: (id: string | number, method: string, params?: object) => Promise<Wire>;
  readonly answers: (id: string | number) => Wire[];
}

export const staticTools = { tools: [{ name: 'from_the_catalog', inputSchema: { type: 'object' } }] };

/** A relay on its own; closed after the test. */
export function startRelay(options: Partial<RelayOptions> = {}): TestRelay {
  const windows = new FakeWindows();
  const messages: Wire[] = [];
  const texts: string[] = [];
  const logged: string[] = [];
  const relay = new Relay({
    windows,
    clock: systemClock,
    version: '9.9.9',
    connectionSecret: '0123456789abcdef0123456789abcdef',
    toolList: () => Promise.resolve(staticTools),
    send(text) {
      texts.push(text);
      messages.push(JSON.parse(text));
      test.onText(text);
    },
    log: (line) => void logged.push(line),
    ...options,
  });
  onTestFinished(() => relay.close());
  const answers = (id: string | number): Wire[] =>
    messages.filter((message) => message.id === id && message.method === undefined);
  const test: TestRelay = {
    relay,
    windows,
    texts,
    messages,
    logged,
    onText: () => undefined,
    send: (message) => relay.receive(JSON.stringify(message)),
    ask: async (id, method, params) => {
      relay.receive(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }));
      await until(() => answers(id).length > 0);
      const [answer] = answers(id);
      return answer ?? {};
    },
    answers,
  };
  return test;
}

export const initializeParams = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
};

/** A relay whose client has introduced itself in the 2025 era, and its window. */
export async function startConnected(): Promise<TestRelay & { readonly window: TestServer }> {
  const window = await startTestServer();
  const test = startRelay();
  test.windows.choose(recordOf(window));
  await test.ask('init', 'initialize', initializeParams);
  test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { ...test, window };
}

/** Parameters of a request of the 2026 era. */
export function modernParams(params: object = {}): object {
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '2.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
}

/** The window goes and comes back: another port, another secret. */
export async function reload(windows: FakeWindows, window: TestServer, isSeenFirst: boolean): Promise<TestServer> {
  if (isSeenFirst) windows.choose(undefined);
  await window.server.stop();
  const next = await startTestServer();
  windows.choose(recordOf(next));
  return next;
}
