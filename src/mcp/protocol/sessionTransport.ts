import type { ServerResponse } from 'node:http';
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Inbound } from '../inbound.ts';
import type { Exchange } from '../listener.ts';
import { mostWatches } from '../resourceWatches.ts';
import {
  endAnswer,
  eventHeaders,
  eventOf,
  isUnread,
  keepAliveMilliseconds,
  quietMilliseconds,
  responseWith,
  sendResult,
} from '../respond.ts';

// The SDK's WebStandardStreamableHTTPServerTransport could do the work of this file. It would save 235 lines, and it passes the
// conformance suite. But it makes a Request, a Response and a ReadableStream for each message. Measured in turns with this file
// (SDK 2.4.0, Node.js 24, `get_workspace` of the shipped server over an editor in memory): a call of one client takes 1.3 times
// as long, calls of 8 or 32 clients take 1.5 times as long, each call needs 0.1 ms more CPU time, and a session with its stream
// needs 1.2 times the memory. Compared with the bare SDK, a call takes 1.3 times as long with this file, which is the limit of
// `npm run bench`, and 1.9 times as long with the SDK's transport. The bundle would be 3 KB of 1,159 KB smaller.

/** Notifications that ask the client to look again. Sent late, or once for several times, they still do. */
const hints: ReadonlySet<string> = new Set([
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/tools/list_changed',
]);
/** Maximum number of hints that wait for a stream: one for each resource that a session may watch, and the lists. */
const mostUnheard = mostWatches + 3;

/** One POST whose requests are not all answered. */
interface Post {
  readonly inbound: Inbound;
  readonly stream: EventStream;
  readonly unanswered: Set<RequestId>;
  readonly keep: KeepResult | undefined;
}

/** Keeps a result that later requests get too. @param result as JSON */
type KeepResult = (result: string) => void;

/**
 * Carries one session's messages over Streamable HTTP (2025-11-25, "Transports"), between its SDK Server and the streams of
 * its answers. SessionEra checks the requests before they come here.
 */
export class SessionTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly sessionId: string;
  readonly #posts = new Map<RequestId, Post>();
  /** The stream of the session's GET request, for messages that answer no request. */
  #listening: EventStream | undefined;
  /** Hints that came while the session had no GET stream: before its first one, or between two. */
  readonly #unheard = new Map<string, JSONRPCMessage>();
  #versions: readonly string[] = [];
  #isClosed = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  setSupportedProtocolVersions(versions: readonly string[]): void {
    this.#versions = versions;
  }

  async start(): Promise<void> {}

  /** True while the session's GET stream is open; a session may have one (threat row H8). */
  get isListening(): boolean {
    return this.#listening?.isOver === false;
  }

  /** Returns the refusal of a request whose header names an unsupported revision, else undefined. */
  wrongVersion({ headers }: Exchange) {
    const version = headers['mcp-protocol-version'];
    if (typeof version !== 'string' || this.#versions.includes(version)) return undefined;
    const supported = this.#versions.join(', ');
    const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`;
    return { status: 400, code: -32000, message };
  }

  /** Returns the parsed messages that a running request came with. */
  inboundOf(id: RequestId): Inbound | undefined {
    return this.#posts.get(id)?.inbound;
  }

  /** Takes the messages of a POST without requests. */
  receive(messages: readonly JSONRPCMessage[]): void {
    for (const message of messages) this.onmessage?.(message);
  }

  /**
   * Takes the messages of a POST, and answers its requests. Resolves when the answer has ended, or its connection broke.
   * @param keep is called with each result
   */
  answer(
    messages: readonly JSONRPCMessage[],
    inbound: Inbound,
    response: ServerResponse,
    keep?: KeepResult,
  ): Promise<void> {
    const stream = this.#openStream(response);
    if (this.#isClosed) return stream.over;
    const unanswered = new Set(
      messages.flatMap((message) => ('method' in message && 'id' in message ? message.id : [])),
    );
    for (const id of unanswered) this.#posts.set(id, { inbound, stream, unanswered, keep });
    this.receive(messages);
    return stream.over;
  }

  /** Answers a request with a result that an earlier one got. @param result as JSON */
  answerAgain(result: string, id: RequestId, response: ServerResponse): void {
    response.setHeader('mcp-session-id', this.sessionId);
    sendResult(response, result, id);
  }

  /** Sends the messages that answer no request in this response. Resolves when it has ended, or its connection broke. */
  listen(response: ServerResponse): Promise<void> {
    const stream = this.#openStream(response);
    this.#listening = stream;
    for (const hint of this.#unheard.values()) stream.send(hint);
    this.#unheard.clear();
    return stream.over;
  }

  /** A cancelled request gets no answer (basic/utilities/cancellation). In a batch the others still need the stream. */
  cancel(id: RequestId): void {
    const post = this.#posts.get(id);
    if (post === undefined) return;
    const cancelled = { jsonrpc: '2.0', id, error: { code: -32603, message: 'Cancelled' } };
    this.#settle(id, post, post.inbound.messages.length === 1 ? undefined : cancelled);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      const id = options?.relatedRequestId;
      if (id !== undefined) this.#postOf(id).stream.send(message);
      else if (this.#listening?.isOver === false) this.#listening.send(message);
      else if (hints.has(message.method) && this.#unheard.size < mostUnheard) {
        this.#unheard.set(JSON.stringify(message), message);
      }
    } else if (message.id !== undefined) this.#settle(message.id, this.#postOf(message.id), message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { stream } of this.#posts.values()) stream.end();
    this.#posts.clear();
    this.#listening?.end();
    this.onclose?.();
  }

  #openStream(response: ServerResponse): EventStream {
    const stream = new EventStream(response, this.sessionId);
    if (this.#isClosed) stream.end();
    return stream;
  }

  #postOf(id: RequestId): Post {
    const post = this.#posts.get(id);
    if (post === undefined) throw new Error(`Nobody waits for the answer to request ${id}`);
    return post;
  }

  #settle(id: RequestId, { stream, unanswered, keep }: Post, message: object | undefined): void {
    this.#posts.delete(id);
    unanswered.delete(id);
    const json = message && (keep === undefined ? JSON.stringify(message) : keptResponse(message, id, keep));
    if (unanswered.size === 0) stream.end(json);
    else if (json !== undefined) stream.write(json);
  }
}

/**
 * Writes JSON-RPC messages as server-sent events into an HTTP response. Cuts a stream whose reader stalls, so that nothing
 * piles up in memory. Ignores messages sent after the stream ended.
 */
class EventStream {
  readonly #response: ServerResponse;
  readonly #over = Promise.withResolvers<void>();
  readonly #quiet: NodeJS.Timeout;
  readonly #keepAlive: NodeJS.Timeout;
  #isOver = false;

  constructor(response: ServerResponse, sessionId: string) {
    this.#response = response;
    for (const [name, value] of Object.entries(eventHeaders)) response.setHeader(name, value);
    response.setHeader('mcp-session-id', sessionId);
    this.#quiet = setTimeout(() => response.flushHeaders(), quietMilliseconds);
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), keepAliveMilliseconds);
    response.once('close', () => this.#finish());
    if (response.destroyed) this.#finish();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the stream has ended, or its connection broke. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  send(message: object): void {
    this.write(JSON.stringify(message));
  }

  /** @param message as JSON */
  write(message: string): void {
    this.#write(eventOf(message));
  }

  /**
   * Ends the stream. An answer that is ready at once is sent in one piece.
   * @param message the last message of the stream, as JSON
   */
  end(message?: string): void {
    if (this.#isOver) return;
    this.#finish();
    const response = this.#response;
    if (isUnread(response)) response.destroy();
    else if (!response.destroyed) endAnswer(response, message === undefined ? undefined : eventOf(message));
  }

  #write(chunk: string | Uint8Array): void {
    if (this.#isOver) return;
    if (isUnread(this.#response)) this.#response.destroy();
    else this.#response.write(chunk);
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#quiet);
    clearInterval(this.#keepAlive);
    this.#over.resolve();
  }
}

/** Returns a response as JSON, and keeps its result. */
function keptResponse(message: object, id: RequestId, keep: KeepResult): string {
  if (!('result' in message)) return JSON.stringify(message);
  const result = JSON.stringify(message.result);
  keep(result);
  return responseWith(result, id);
}

/** Returns whether the caller accepts both forms of an answer to a POST (2025-11-25, "Sending Messages to the Server"). */
export function acceptsAnswers(exchange: Exchange): boolean {
  return acceptsEvents(exchange) && exchange.headers.accept?.includes('application/json') === true;
}

/** Returns whether the caller accepts server-sent events. */
export function acceptsEvents({ headers }: Exchange): boolean {
  return headers.accept?.includes('text/event-stream') === true;
}

/** Returns the same message with the SDK's type, or undefined when it is no valid message. */
export function protocolMessage(message: unknown): JSONRPCMessage | undefined {
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return message;
  return isJSONRPCResponse(message) ? message : undefined;
}

/** Returns whether a message is a valid `initialize` request or notification. */
export function isInitialize(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'initialize' && isInitializeRequest(message);
}
