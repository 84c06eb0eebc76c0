import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { WindowRecord } from '#home/windowFiles.ts';

/** How one HTTP request ended. */
export type ExchangeEnd =
  /** The connection was refused: the window has not seen the request. */
  | { readonly kind: 'unreachable' }
  /** The connection broke before the answer was complete. */
  | { readonly kind: 'broken' }
  /** The answer is complete; `body` is read for refusals (status 400 and above) only. */
  | { readonly kind: 'complete'; readonly status: number; readonly body: string };

export interface Exchange {
  readonly end: Promise<ExchangeEnd>;
  /** Closes the connection; the exchange ends as `broken`. */
  readonly abort: () => void;
}

interface ExchangeOptions {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Uses the connections for short messages, so that the message never queues behind long calls. */
  readonly isShort?: boolean;
  readonly onHeaders?: (headers: IncomingMessage['headers'], status: number) => void;
  /** Called with the text of each JSON-RPC message of a successful answer, streamed or not. */
  readonly onMessage?: (text: string) => void;
}

/** The server of a window accepts 512 sockets for all its clients together. */
const maximumSockets = 256;

/**
 * Sends HTTP requests to one window over connections that stay open. Never uses a proxy: the window is on this machine.
 */
export class WindowEndpoint {
  readonly record: WindowRecord;
  readonly #headers: OutgoingHttpHeaders;
  readonly #calls = new Agent({ keepAlive: true, maxSockets: maximumSockets });
  readonly #short = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #host: string;
  readonly #port: string;
  readonly #path: string;

  /** @param worksIn the folder in which the assistant works, when the window must ask about it */
  constructor(record: WindowRecord, connectionSecret: string, worksIn?: string) {
    const { hostname, port, pathname } = new URL(record.endpoint);
    this.record = record;
    this.#host = hostname;
    this.#port = port;
    this.#path = pathname;
    this.#headers = {
      Authorization: `Bearer ${record.token}`,
      'Drawbridge-Connection': connectionSecret,
      ...(worksIn !== undefined && { 'Drawbridge-Folder': encodeURIComponent(worksIn.toWellFormed()) }),
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

  /** Closes all connections. */
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

/** The first delay before a broken stream of a window is opened again. */
export const firstRetryMilliseconds = 100;
const lastRetryMilliseconds = 2000;

/** Returns the delay after a failed attempt: twice as long, up to two seconds. */
export function nextRetry(milliseconds: number): number {
  return Math.min(milliseconds * 2, lastRetryMilliseconds);
}
