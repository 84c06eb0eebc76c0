import type { ServerResponse } from 'node:http';
import { endAnswer, isUnread, keepAliveMilliseconds, quietMilliseconds } from './respond.ts';

/**
 * Writes JSON-RPC messages as server-sent events into an HTTP response. Cuts a stream whose reader stalls, so that nothing
 * piles up in memory. Ignores messages sent after the stream ended.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #over = Promise.withResolvers<void>();
  readonly #quiet: NodeJS.Timeout;
  readonly #keepAlive: NodeJS.Timeout;
  #isOver = false;

  constructor(response: ServerResponse, sessionId: string) {
    this.#response = response;
    response.setHeader('content-type', 'text/event-stream');
    response.setHeader('cache-control', 'no-cache, no-transform');
    response.setHeader('mcp-session-id', sessionId);
    this.#quiet = setTimeout(() => response.flushHeaders(), quietMilliseconds);
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), keepAliveMilliseconds);
    response.once('close', () => this.#finish());
    if (response.destroyed) this.#finish();
  }

  /** Resolves when the stream has ended, or its connection broke. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  send(message: object): void {
    this.#write(frameOf(message));
  }

  /**
   * Ends the stream. An answer that is ready at once is sent in one piece.
   * @param message the last message of the stream
   */
  end(message?: object): void {
    if (message !== undefined) this.send(message);
    if (this.#isOver) return;
    this.#finish();
    if (!this.#response.destroyed) endAnswer(this.#response);
  }

  #write(text: string): void {
    if (this.#isOver) return;
    if (isUnread(this.#response)) this.#response.destroy();
    else this.#response.write(text);
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#quiet);
    clearInterval(this.#keepAlive);
    this.#over.resolve();
  }
}

function frameOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
