import type { JSONRPCMessage, RequestId, Transport, TransportSendOptions } from '@modelcontextprotocol/server';
import type { EventStream } from '../eventStream.ts';
import type { Inbound } from '../inbound.ts';

/** One POST whose requests are not all answered. */
interface Post {
  readonly inbound: Inbound;
  readonly stream: EventStream;
  readonly unanswered: Set<RequestId>;
}

/**
 * Carries one session's messages over streamable HTTP (2025-11-25, "Transports"), between its SDK Server and the streams of
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
  #versions: readonly string[] = [];
  #isClosed = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** The supported protocol revisions. */
  get supportedVersions(): readonly string[] {
    return this.#versions;
  }

  setSupportedProtocolVersions(versions: readonly string[]): void {
    this.#versions = versions;
  }

  async start(): Promise<void> {}

  /** Returns the parsed messages that a running request came with. */
  inboundOf(id: RequestId): Inbound | undefined {
    return this.#posts.get(id)?.inbound;
  }

  /** Takes the messages of a POST without requests. */
  receive(messages: readonly JSONRPCMessage[]): void {
    for (const message of messages) this.onmessage?.(message);
  }

  /** Takes the messages of a POST, and answers its requests on the stream. */
  answer(messages: readonly JSONRPCMessage[], inbound: Inbound, stream: EventStream): void {
    if (this.#isClosed) return stream.end();
    const unanswered = new Set(
      messages.flatMap((message) => ('method' in message && 'id' in message ? message.id : [])),
    );
    for (const id of unanswered) this.#posts.set(id, { inbound, stream, unanswered });
    this.receive(messages);
  }

  /** Uses this stream for messages that answer no request. */
  listen(stream: EventStream): void {
    if (this.#isClosed) return stream.end();
    this.#listening = stream;
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
      const stream = id === undefined ? this.#listening : this.#postOf(id).stream;
      stream?.send(message);
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

  #postOf(id: RequestId): Post {
    const post = this.#posts.get(id);
    if (post === undefined) throw new Error(`Nobody waits for the answer to request ${id}`);
    return post;
  }

  #settle(id: RequestId, { stream, unanswered }: Post, message: object | undefined): void {
    this.#posts.delete(id);
    unanswered.delete(id);
    if (unanswered.size === 0) stream.end(message);
    else if (message !== undefined) stream.send(message);
  }
}
