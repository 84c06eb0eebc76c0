import type { Request, RequestId } from './jsonRpc.ts';

/** The two protocol eras of MCP: sessions up to 2025-11-25, and self-contained requests since 2026-07-28. */
export type Era = '2025' | '2026';

/** The answer to a call that waited for the user when its window closed, and how the call can wait on in the next run of the window. */
export interface Ticket {
  readonly approvalId: string;
  readonly waitMilliseconds: number;
  /** The answer, for when nothing better comes in time. */
  readonly text: string;
}

/** A request of the client without an answer so far. It gets one answer, or none when the client cancels it. */
export class PendingRequest {
  readonly request: Request;
  readonly era: Era;
  /** Resolves when the window has begun to answer: a message on another connection cannot overtake the request then. */
  readonly accepted: Promise<void>;
  #accept: () => void = () => undefined;
  #settle: (() => void) | undefined;
  readonly #send: (text: string) => void;
  #abort: (() => void) | undefined;
  /** Set when the window answered only because it closes. The request is still open then. */
  ticket: Ticket | undefined;

  constructor(request: Request, era: Era, send: (text: string) => void, onSettled: () => void) {
    this.request = request;
    this.era = era;
    this.#send = send;
    this.#settle = onSettled;
    this.accepted = new Promise((resolve) => (this.#accept = resolve));
  }

  get isOpen(): boolean {
    return this.#settle !== undefined;
  }

  /**
   * Records that the request is on its way to a window.
   * @param abort ends the exchange
   */
  sent(abort: () => void): void {
    this.#abort = abort;
  }

  accept(): void {
    this.#accept();
  }

  /** Sends the answer, unless the request was answered or cancelled. */
  answer(text: string): void {
    if (this.settle()) this.#send(text);
  }

  /** Closes the request without an answer. Returns false when it was answered or cancelled before. */
  settle(): boolean {
    if (this.#settle === undefined) return false;
    this.#settle();
    this.#settle = undefined;
    return true;
  }

  /**
   * Aborts the exchange with the window: this cancels a request of the 2026 era, or any request of a client that is
   * gone.
   */
  abort(): void {
    this.#abort?.();
  }
}

const maximumPending = 1000;

/** Keeps all requests of the client that wait for an answer. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #send: (text: string) => void;
  #onAllSettled: (() => void) | undefined;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Adds a request; returns the reason when it cannot be accepted. */
  add(request: Request, era: Era): PendingRequest | { readonly refusal: string } {
    if (this.#pending.has(request.id)) return { refusal: 'This id belongs to a request still running.' };
    if (this.#pending.size >= maximumPending) {
      return { refusal: `${maximumPending} requests are running. Wait for some of them, then send this one again.` };
    }
    const pending = new PendingRequest(request, era, this.#send, () => this.#settled(request.id));
    this.#pending.set(request.id, pending);
    return pending;
  }

  get(id: RequestId): PendingRequest | undefined {
    return this.#pending.get(id);
  }

  /** Resolves when every request was answered or cancelled. */
  async allSettled(): Promise<void> {
    if (this.#pending.size > 0) await new Promise<void>((resolve) => (this.#onAllSettled = resolve));
  }

  /** Closes every request without an answer and aborts its exchange. */
  dropAll(): void {
    for (const pending of this.#pending.values()) {
      pending.settle();
      pending.abort();
    }
  }

  #settled(id: RequestId): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#onAllSettled?.();
  }
}
