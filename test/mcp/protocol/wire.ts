import { onTestFinished } from 'vitest';
import { initialize, jsonHeaders, messagesOf, modern, send, until, type TestServer } from '../fixture.ts';

type Endpoint = Pick<TestServer, 'server' | 'port'>;

/** A JSON-RPC message as received. */
export interface WireMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The messages of an event stream. */
export interface WireStream {
  readonly messages: WireMessage[];
  /** Returns the messages of a method received so far. */
  of(method: string): readonly WireMessage[];
  close(): void;
  readonly ended: Promise<void>;
}

/** Opens an event stream by GET, or by POST when there is a body; closed after the test. */
export async function openStream(
  { server }: Endpoint,
  headers: Record<string, string>,
  body?: string,
): Promise<WireStream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await fetch(server.endpoint, { method, headers, signal: abort.signal, body: body ?? null });
  if (answer.status !== 200 || answer.body === null) throw new Error(`No stream: ${answer.status}`);
  const messages: WireMessage[] = [];
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    let text = '';
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: {')) messages.push(JSON.parse(line.slice(6)));
    }
  };
  return {
    messages,
    of: (name) => messages.filter((message) => message.method === name),
    close: () => abort.abort(),
    ended: read(answer.body).catch(() => undefined),
  };
}

/** A 2025-era session without an SDK. */
export class WireSession {
  readonly #test: Endpoint;
  readonly headers: Record<string, string>;
  /** The answer to `initialize`. */
  readonly introduction: WireMessage;
  #lastId = 100;

  private constructor(test: Endpoint, headers: Record<string, string>, introduction: WireMessage) {
    this.#test = test;
    this.headers = headers;
    this.introduction = introduction;
  }

  static async open(
    test: Endpoint,
    { revision = '2025-11-25', name = 'test', capabilities = {} }: SessionOptions = {},
  ): Promise<WireSession> {
    const body = initialize(revision, name).replace(
      '"capabilities":{}',
      `"capabilities":${JSON.stringify(capabilities)}`,
    );
    const headers = jsonHeaders(test.server.token);
    const answer = await send(test.port, 'POST', headers, body);
    const id = answer.headers['mcp-session-id'];
    if (typeof id !== 'string') throw new Error(`No session: ${answer.text}`);
    const session = new WireSession(test, { ...headers, 'Mcp-Session-Id': id }, only(messagesOf(answer)));
    await session.tell('notifications/initialized');
    return session;
  }

  /** Sends one request and returns its answer. */
  async ask(method: string, params: object = {}): Promise<WireMessage> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: (this.#lastId += 1), method, params });
    return only(messagesOf(await send(this.#test.port, 'POST', this.headers, body)));
  }

  /** Sends one request and returns the stream of its answer. */
  asking(method: string, params: object = {}, id = (this.#lastId += 1)): Promise<WireStream> {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return openStream(this.#test, this.headers, body);
  }

  /** Answers a request of the server. */
  async reply(to: WireMessage | undefined, answer: object): Promise<void> {
    await send(this.#test.port, 'POST', this.headers, JSON.stringify({ jsonrpc: '2.0', id: to?.id, ...answer }));
  }

  async tell(method: string, params: object = {}): Promise<void> {
    await send(this.#test.port, 'POST', this.headers, JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Opens the session's GET stream. */
  listen(): Promise<WireStream> {
    return openStream(this.#test, this.headers);
  }

  async end(): Promise<void> {
    await send(this.#test.port, 'DELETE', this.headers);
  }
}

interface SessionOptions {
  readonly revision?: string;
  readonly name?: string;
  readonly capabilities?: object;
}

interface ModernOptions {
  readonly connection?: string;
  readonly capabilities?: object;
  /** Further members of the envelope. */
  readonly meta?: object;
}

function modernRequest(
  { server }: Endpoint,
  method: string,
  params: Record<string, unknown>,
  { connection, capabilities = {}, meta = {} }: ModernOptions,
): { readonly headers: Record<string, string>; readonly body: string } {
  const { headers, body } = modern(server.token, 1, method, params);
  const message = JSON.parse(body);
  message.params['_meta'] = {
    ...message.params['_meta'],
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta,
  };
  const own = connection === undefined ? {} : { 'Drawbridge-Connection': connection };
  return { headers: { ...headers, ...own }, body: JSON.stringify(message) };
}

/** Sends one 2026-era request and returns its answer. */
export async function askModern(
  test: Endpoint,
  method: string,
  params: Record<string, unknown> = {},
  options: ModernOptions = {},
): Promise<WireMessage> {
  const { headers, body } = modernRequest(test, method, params, options);
  const answer = await send(test.port, 'POST', headers, body);
  const last = messagesOf(answer).at(-1);
  return only([last]);
}

/** Sends one 2026-era request and returns the stream of its answer. */
export function openModern(
  test: Endpoint,
  method: string,
  params: Record<string, unknown> = {},
  options: ModernOptions = {},
): Promise<WireStream> {
  const { headers, body } = modernRequest(test, method, params, options);
  return openStream(test, headers, body);
}

/** Opens a `subscriptions/listen` stream. Resolves once it is acknowledged. */
export async function listenModern(test: Endpoint, notifications: object): Promise<WireStream> {
  const stream = await openModern(test, 'subscriptions/listen', { notifications });
  await until(() => stream.messages.length > 0);
  return stream;
}

function only(messages: readonly unknown[]): WireMessage {
  const [message] = messages;
  if (typeof message !== 'object' || message === null) throw new Error('No answer');
  return message;
}
