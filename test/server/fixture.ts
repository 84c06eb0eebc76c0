import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import type { Call, CallOutcome } from '../../src/core/callTool.ts';
import type { ResourceOutcome } from '../../src/core/readResource.ts';
import { defineTool, inputFromZod, outputFromZod, type Tool } from '../../src/core/tool.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Product } from '../../src/server/mcp.ts';
import { makeSecret } from '../../src/server/auth.ts';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/server.ts';

// Hundreds of requests over real sockets take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Answers with its argument.',
  toolset: 'workspace',
  risk: 'read',
  needs: [],
  input: inputFromZod(z.strictObject({ text: z.string() })),
  output: outputFromZod(z.object({ text: z.string() })),
  targets: () => [],
  run: async ({ text }) => ({ text }),
  render: ({ text }) => ({ text }),
});

const wait = defineTool({
  ...echo,
  name: 'wait',
  title: 'Wait',
  description: 'Ends when it is cancelled or released.',
});

/** A product that answers by itself; what it was asked, and when a waiting call was aborted, can be awaited. */
class FakeProduct implements Product {
  readonly serverInfo = { name: 'drawbridge', title: 'Drawbridge', version: '0.0.0-test' };
  readonly instructions = 'Use echo.';
  readonly catalog = { tools: [echo, wait] as readonly Tool[], version: 1 };
  readonly calls: Call[] = [];
  running = 0;
  readonly #waiting: ((call: Call) => void)[] = [];
  readonly #released: (() => void)[] = [];

  async callTool(call: Call): Promise<CallOutcome> {
    this.calls.push(call);
    this.running++;
    try {
      return await this.#answer(call);
    } finally {
      this.running--;
    }
  }

  async readResource(uri: string): Promise<ResourceOutcome> {
    if (uri === 'file:///here.txt')
      return { kind: 'contents', contents: [{ uri, mimeType: 'text/plain', text: 'here' }] };
    return { kind: 'error', code: 'not_found', message: `There is no ${uri}.`, hint: 'List the folder first.' };
  }

  /** Resolves with the next call of `wait` once it runs. */
  nextWait(): Promise<Call> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    for (const done of this.#released.splice(0)) done();
  }

  async #answer(call: Call): Promise<CallOutcome> {
    if (call.tool === 'crash') throw new Error('secret detail of a bug');
    if (call.tool === 'wait') return this.#wait(call);
    if (call.tool !== 'echo') return { kind: 'unknown_tool', message: `There is no tool ${call.tool}.` };
    const parsed = z.strictObject({ text: z.string() }).safeParse(call.arguments);
    if (!parsed.success) return { kind: 'invalid_arguments', message: `text: ${parsed.error.issues[0]?.message}` };
    const { text } = parsed.data;
    return { kind: 'result', result: { content: [{ type: 'text', text }], structuredContent: { text } } };
  }

  async #wait(call: Call): Promise<CallOutcome> {
    const ended = new Promise<void>((resolve) => {
      this.#released.push(resolve);
      call.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (const resolve of this.#waiting.splice(0)) resolve(call);
    await ended;
    return {
      kind: 'result',
      result: { content: [{ type: 'text', text: 'done' }], structuredContent: { text: 'done' } },
    };
  }
}

/** A folder of its own, gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestServer {
  readonly server: RunningServer;
  readonly product: FakeProduct;
  readonly port: number;
  readonly errors: unknown[];
}

const manyFailures = { failures: 10_000, windowMilliseconds: 60_000, lockMilliseconds: 60_000 };

/** A server on a real socket, stopped after the test. Wrong credentials are not slowed down unless asked. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const product = new FakeProduct();
  const errors: unknown[] = [];
  const server = await startServer({
    token: makeSecret(),
    product,
    clock: systemClock,
    drawbridgeHome: await temporaryFolder(),
    window: () => ({
      windowId: 'window-1',
      folders: [{ name: 'one', path: '/one', uri: 'file:///one' }],
      workspaceName: 'one',
      trusted: true,
      extensionVersion: '0.0.0',
      editor: { name: 'Editor', version: '1.0.0' },
      focusedAt: 0,
    }),
    namedTokens: () => [],
    onNamedTokenUsed: () => undefined,
    onSession: () => undefined,
    isAwaited: () => false,
    httpPort: async () => undefined,
    onAuthenticationFailure: () => undefined,
    onForwarded: () => undefined,
    onError: (error) => void errors.push(error),
    limits: { failures: manyFailures },
    ...options,
  });
  onTestFinished(() => server.stop());
  return { server, product, port: Number(new URL(server.endpoint).port), errors };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One HTTP request with exactly these headers besides a correct Host. */
export function send(
  port: number,
  method: string,
  headers: Record<string, string | string[]>,
  body?: string | Buffer,
  path = '/mcp',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent: false, setHost: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    for (const [name, value] of Object.entries({ Host: `127.0.0.1:${port}`, ...headers }))
      outgoing.setHeader(name, value);
    outgoing.end(body);
  });
}

/**
 * Bytes as they are; resolves with everything that came back before the other side closed.
 * @param onReceived called with all of it so far; may write more
 */
export function sendRaw(
  port: number,
  bytes: string,
  onReceived: (received: string, socket: Socket) => void = () => undefined,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
      onReceived(received, socket);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}

export function jsonHeaders(token: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...more,
  };
}

export function initialize(protocolVersion: string, name = 'test'): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name, version: '1.0.0' } },
  });
}

/** Opens a 2025-era session by hand; its headers for the requests that follow. */
export async function openSession(
  { server, port }: TestServer,
  protocolVersion = '2025-11-25',
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const headers = jsonHeaders(server.token, more);
  const answer = await send(port, 'POST', headers, initialize(protocolVersion));
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`No session: ${answer.status} ${answer.text}`);
  const session = { ...headers, 'Mcp-Session-Id': id };
  await send(port, 'POST', session, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return session;
}

export function callEcho(id: number, text: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  });
}

/** The JSON-RPC messages of an answer, streamed or not. */
export function messagesOf({ text }: RawAnswer): unknown[] {
  if (text.trimStart().startsWith('{')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

/** A 2026-07-28 request with its envelope, and the headers that must mirror it. */
export function modern(
  token: string,
  id: number,
  method: string,
  params: Record<string, unknown>,
): { headers: Record<string, string>; body: string } {
  const name = params['name'] ?? params['uri'];
  return {
    headers: jsonHeaders(token, {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    }),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'modern-test', version: '2.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  };
}

/** Waits until a condition holds; for state that no event tells a client about. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It never happened.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
