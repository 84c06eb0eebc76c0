import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import * as z from 'zod';
import type { FuzzCall } from './calls.ts';
import type { FuzzMethod, FuzzRaw } from './requests.ts';

export type FuzzRequest = FuzzCall | FuzzMethod | FuzzRaw;

export interface FuzzAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** The id of the request; absent when the body was not built here. */
  readonly id?: number;
}

export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** Its settings let it wait for a user no longer than a second. */
export const clientName = 'fuzz';

/** The size limit of one body. */
const mostBytes = 4 * 1024 * 1024;

/** The server that is called. */
export interface FuzzedWindow {
  readonly endpoint: string;
  readonly token: string;
}

type Headers = Readonly<Record<string, string>>;

/** A client of one revision that speaks the protocol by hand, so that it can speak it badly. */
export class FuzzClient {
  readonly revision: Revision;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 40 });
  readonly #token: string;
  #headers: Headers;
  #nextId = 1;

  constructor({ endpoint, token }: FuzzedWindow, revision: Revision) {
    this.revision = revision;
    this.#port = Number(new URL(endpoint).port);
    this.#token = token;
    this.#headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'Drawbridge-Connection': randomBytes(16).toString('hex'),
    };
  }

  get isModern(): boolean {
    return this.revision === '2026-07-28';
  }

  /** Opens the session that revisions before 2026 have. */
  async open(): Promise<this> {
    if (this.isModern) return this;
    const params = { protocolVersion: this.revision, capabilities: {}, clientInfo: { name: clientName, version: '1' } };
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    let session = '';
    await this.#send('POST', '/mcp', this.#headers, Buffer.from(JSON.stringify(message)), undefined, (headers) => {
      session = z.string().parse(headers['mcp-session-id']);
    });
    this.#headers = { ...this.#headers, 'Mcp-Session-Id': session, 'MCP-Protocol-Version': this.revision };
    await this.#notify('notifications/initialized', {});
    return this;
  }

  /** Undefined: it was cancelled before its answer came. */
  async ask(asked: FuzzRequest): Promise<FuzzAnswer | undefined> {
    if (asked.kind === 'raw') return this.#raw(asked);
    if (asked.kind === 'method') return this.#request(asked.method, asked.params, undefined);
    return this.#request('tools/call', { name: asked.tool, arguments: asked.arguments }, asked.cancelAfter);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    cancelAfter: number | undefined,
  ): Promise<FuzzAnswer | undefined> {
    const id = this.#nextId++;
    const abort = new AbortController();
    const timer = cancelAfter === undefined ? undefined : setTimeout(() => this.#cancel(id, abort), cancelAfter);
    try {
      const { headers, message } = this.#message(method, params, id);
      const answer = await this.#send('POST', '/mcp', headers, Buffer.from(JSON.stringify(message)), abort.signal);
      return answer && { ...answer, id };
    } finally {
      clearTimeout(timer);
    }
  }

  #message(method: string, params: Readonly<Record<string, unknown>>, id: number) {
    if (!this.isModern) return { headers: this.#headers, message: { jsonrpc: '2.0', id, method, params } };
    const target = params['name'] ?? params['uri'];
    const headers = {
      ...this.#headers,
      'MCP-Protocol-Version': this.revision,
      'Mcp-Method': method,
      ...(typeof target === 'string' && /^[!-~]{1,500}$/.test(target) && { 'Mcp-Name': target }),
    };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': this.revision,
      'io.modelcontextprotocol/clientInfo': { name: clientName, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return { headers, message: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } } };
  }

  /** In the 2026 era a client that leaves has cancelled; before, it says so, and waits for the stream to end. */
  #cancel(requestId: number, abort: AbortController): void {
    if (this.isModern) abort.abort();
    else this.#notify('notifications/cancelled', { requestId }).catch(() => undefined);
  }

  async #notify(method: string, params: object): Promise<void> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }));
    await this.#send('POST', '/mcp', this.#headers, body, undefined);
  }

  #raw({ http, path, headers, body, inSession }: FuzzRaw): Promise<FuzzAnswer | undefined> {
    const base = inSession
      ? this.#headers
      : { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' };
    const sent = this.#send(http, path, { ...base, ...headers }, body, undefined);
    // The rest of a body that is too large is never read: its connection may break before the answer is seen.
    return body.length > mostBytes ? sent.catch(() => undefined) : sent;
  }

  #send(
    method: string,
    path: string,
    headers: Headers,
    body: Buffer,
    signal: AbortSignal | undefined,
    onHeaders: (headers: NodeJS.Dict<string | string[]>) => void = () => undefined,
  ): Promise<FuzzAnswer | undefined> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        if (signal?.aborted === true) resolve(undefined);
        else reject(new Error(`${method} ${path} was not answered: ${error.message}`));
      };
      const options = { host: '127.0.0.1', port: this.#port, method, path, agent: this.#agent, timeout: 60_000 };
      const outgoing = request({ ...options, ...(signal && { signal }), headers }, (incoming) => {
        const chunks: Buffer[] = [];
        onHeaders(incoming.headers);
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', fail);
        incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
      outgoing.once('timeout', () => outgoing.destroy(new Error('it is silent for a minute')));
      outgoing.once('error', fail);
      outgoing.setHeader('Content-Length', body.length);
      outgoing.end(body);
    });
  }
}
