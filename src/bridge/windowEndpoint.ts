import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { WindowRecord } from '#home/windows.ts';

/** How one HTTP request ended. */
export type ExchangeEnd =
  /** Nothing listens there any more: the window has not seen it. */
  | { readonly kind: 'unreachable' }
  /** The connection broke before the end of the answer. */
  | { readonly kind: 'broken' }
  /** `body` is there for refusals (400 and above) only. */
  | { readonly kind: 'complete'; readonly status: number; readonly body: string };

export interface Exchange {
  readonly end: Promise<ExchangeEnd>;
  /** Cuts the connection; ends as `broken`. */
  readonly abort: () => void;
}

interface ExchangeOptions {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Takes the connections of its own that short messages have, so that they never queue behind long calls. */
  readonly isShort?: boolean;
  readonly onHeaders?: (headers: IncomingMessage['headers'], status: number) => void;
  /** Each JSON-RPC message of a successful answer, streamed or not, as it came. */
  readonly onMessage?: (text: string) => void;
}

/** The server of a window accepts 512 sockets, for all its clients. */
const maximumSockets = 256;

/** HTTP to one window, over connections that stay open. No proxy, whatever the environment says: it is this machine. */
export class WindowEndpoint {
  readonly record: WindowRecord;
  readonly #headers: OutgoingHttpHeaders;
  readonly #calls = new Agent({ keepAlive: true, maxSockets: maximumSockets });
  readonly #short = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #host: string;
  readonly #port: string;
  readonly #path: string;

  constructor(record: WindowRecord, connectionSecret: string) {
    const { hostname, port, pathname } = new URL(record.endpoint);
    this.record = record;
    this.#host = hostname;
    this.#port = port;
    this.#path = pathname;
    this.#headers = {
      Authorization: `Bearer ${record.token}`,
      'Drawbridge-Connection': connectionSecret,
    };
  }

  exchange(options: ExchangeOptions): Exchange {
    const { method, headers, body, isShort = false } = options;
    const outgoing = request({
      host: this.#host,
      port: this.#port,
      path: this.#path,
      method,
      agent: isShort ? this.#short : this.#calls,
      headers: {
        ...this.#headers,
        Accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    const end = readAnswer(outgoing, options);
    outgoing.end(body);
    return { end, abort: () => void outgoing.destroy() };
  }

  /** Cuts all connections. */
  close(): void {
    this.#calls.destroy();
    this.#short.destroy();
  }
}

function readAnswer(outgoing: ClientRequest, { onHeaders, onMessage }: ExchangeOptions): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    outgoing.on('error', (error) => resolve({ kind: isRefusedConnection(error) ? 'unreachable' : 'broken' }));
    outgoing.on('close', () => resolve({ kind: 'broken' }));
    outgoing.on('response', (response) => {
      const status = response.statusCode ?? 0;
      onHeaders?.(response.headers, status);
      response.setEncoding('utf8');
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
      const isAnswer = status < 400 && onMessage !== undefined;
      let body = '';
      const parser = createParser({ onEvent: ({ data }) => void (data !== '' && onMessage?.(data)) });
      response.on('data', (chunk: string) => {
        if (isStream) parser.feed(chunk);
        else body += chunk;
      });
      response.on('end', () => {
        if (isAnswer && body.trim() !== '') onMessage(body);
        resolve({ kind: 'complete', status, body });
      });
      response.on('error', () => resolve({ kind: 'broken' }));
    });
  });
}

function isRefusedConnection(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}

/** How long after a window's stream broke it is opened again. */
export const firstRetryMilliseconds = 100;
const lastRetryMilliseconds = 2000;

/** The wait after one that was in vain. */
export function nextRetry(milliseconds: number): number {
  return Math.min(milliseconds * 2, lastRetryMilliseconds);
}
