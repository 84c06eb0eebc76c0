import type { IncomingMessage } from 'node:http';
import type { Clock } from '#base/clock.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { parseMessage, type Message, type Notification } from './jsonRpc.ts';
import { claimedRevision, modernHeaders } from './modernHeaders.ts';
import type { PendingRequest } from './pendingRequests.ts';
import { WindowEndpoint, type Exchange, type ExchangeEnd } from './windowEndpoint.ts';
import { keyOf } from './windowSource.ts';
import { WindowSession, type Handshake } from './windowSession.ts';

/** The result of sending a message to a window. */
export type Delivery =
  /** Every request of the message has its answer. */
  | { readonly kind: 'answered' }
  /** The link was retired before anything was sent; another link has taken its place. */
  | { readonly kind: 'closed' }
  /** The window is gone or refuses the secret; it has carried out nothing. */
  | { readonly kind: 'unreachable' }
  /** The window may have carried out the request, but its answer will not come. */
  | { readonly kind: 'broken' }
  /** The window answered with an HTTP error. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string };

export interface LinkOptions {
  readonly record: WindowRecord;
  readonly connectionSecret: string;
  /** The folder in which the assistant works, when the window must ask about it. */
  readonly worksIn: string | undefined;
  readonly clock: Clock;
  /** Returns the handshake of the client, for a session of the 2025 era. */
  readonly handshake: () => Handshake;
  /** @param asked the requests that the message may answer */
  readonly onMessage: (message: Message, link: WindowLink, asked: readonly PendingRequest[]) => void;
  readonly onAnswers: () => void;
  /** Called when the window seems to be gone. */
  readonly onLost: () => void;
  /** Called when nothing runs on the link any more and nothing will. */
  readonly onClosed: () => void;
  readonly log: (line: string) => void;
}

/** Everything that is sent between this client and one run of one window. */
export class WindowLink {
  readonly record: WindowRecord;
  /** The result of `keyOf`, which differs for each run of a window. */
  readonly key: string;
  readonly worksIn: string | undefined;
  readonly #options: LinkOptions;
  readonly #endpoint: WindowEndpoint;
  #session: WindowSession | undefined;
  readonly #exchanges = new Set<Exchange>();
  /** The last notification that is on its way; later messages must not overtake it. */
  #notifying: Promise<void> | undefined;
  readonly #retired: Promise<void>;
  #onRetired: () => void = () => undefined;
  #isRetired = false;
  #closing: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.record = options.record;
    this.key = keyOf(options.record);
    this.worksIn = options.worksIn;
    this.#options = options;
    this.#endpoint = new WindowEndpoint(options.record, options.connectionSecret, options.worksIn);
    this.#retired = new Promise((resolve) => (this.#onRetired = resolve));
  }

  /** Opens the session of the 2025 era, or returns why that is not possible. */
  async openSession(): Promise<Delivery> {
    const opened = await this.#sessionOf().open();
    return opened.kind === 'open' ? { kind: 'answered' } : opened;
  }

  /** Sends a request or batch within the session. */
  async deliverInSession(text: string, asked: readonly PendingRequest[]): Promise<Delivery> {
    return (await this.#isOvertaken()) ? { kind: 'closed' } : this.#sendInSession(text, asked);
  }

  async #sendInSession(text: string, asked: readonly PendingRequest[]): Promise<Delivery> {
    const session = this.#sessionOf();
    for (let isFirst = true; ; isFirst = false) {
      const opened = await session.open();
      if (opened.kind !== 'open') return opened;
      if (asked.length > 0 && !asked.some(({ isOpen }) => isOpen)) return { kind: 'answered' };
      const end = await this.#post(text, opened.headers, asked);
      const isExpired = end.kind === 'complete' && end.status === 404;
      if (!isExpired || !isFirst) return deliveryOf(end, asked);
      // The window does not know the session, so it has not carried out the request either.
      session.expired(opened);
    }
  }

  /** Sends a request of the 2026 era, which needs no session. `request` has the id of the pending one. */
  async deliver(pending: PendingRequest, request = pending.request): Promise<Delivery> {
    if (await this.#isOvertaken()) return { kind: 'closed' };
    if (!pending.isOpen) return { kind: 'answered' };
    const end = await this.#post(request.text, modernHeaders(request), [pending]);
    return deliveryOf(end, [pending]);
  }

  /** Sends the client's answer to a request of the window at once: other messages may wait for this answer. */
  answer(text: string): void {
    void this.#session?.answer(text);
  }

  /** Sends notifications in order; drops them while the window has no session with this client. */
  notify(message: Notification): void {
    const before = this.#notifying;
    const done = (async () => {
      await before;
      await this.#notify(message);
    })()
      .catch((error: unknown) => this.#options.log(`A notification failed: ${String(error)}`))
      .finally(() => {
        if (this.#notifying === done) this.#notifying = undefined;
      });
    this.#notifying = done;
  }

  async #notify(message: Notification): Promise<void> {
    if (claimedRevision(message.params) !== undefined) await this.#post(message.text, modernHeaders(message), []);
    else if (this.#session !== undefined) await this.#sendInSession(message.text, []);
  }

  /**
   * Waits until earlier notifications are sent. Returns true when the link was retired meanwhile, as when the window
   * hangs.
   */
  async #isOvertaken(): Promise<boolean> {
    if (this.#notifying === undefined) return false;
    await Promise.race([this.#notifying, this.#retired]);
    return this.#isRetired;
  }

  /** Retires the link: running requests may end, then the session is closed. */
  retire(): void {
    this.#isRetired = true;
    this.#onRetired();
    this.#session?.stopListening();
    this.#closeIfIdle();
  }

  /** Aborts all requests and ends the session, within a second. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isRetired = true;
    this.#onRetired();
    for (const exchange of this.#exchanges) exchange.abort();
    await this.#session?.close();
    this.#endpoint.close();
    this.#options.onClosed();
  }

  #sessionOf(): WindowSession {
    const { clock, handshake, onMessage, onLost, log } = this.#options;
    this.#session ??= new WindowSession({
      endpoint: this.#endpoint,
      clock,
      handshake,
      onMessage: (text) => this.#read(text, (message) => onMessage(message, this, [])),
      onLost,
      log,
    });
    return this.#session;
  }

  async #post(
    text: string,
    headers: Readonly<Record<string, string>>,
    asked: readonly PendingRequest[],
  ): Promise<ExchangeEnd> {
    const { onMessage, onAnswers } = this.#options;
    const exchange = this.#endpoint.exchange({
      method: 'POST',
      headers,
      body: text,
      isShort: asked.length === 0,
      onHeaders: (_headers: IncomingMessage['headers'], status) => {
        if (status !== 401) onAnswers();
        for (const pending of asked) pending.accept();
      },
      onMessage: (answer) => this.#read(answer, (message) => onMessage(message, this, asked)),
    });
    this.#exchanges.add(exchange);
    for (const pending of asked) pending.sent(exchange.abort);
    try {
      return await exchange.end;
    } finally {
      for (const pending of asked) pending.accept();
      this.#exchanges.delete(exchange);
      this.#closeIfIdle();
    }
  }

  #read(text: string, use: (message: Message) => void): void {
    const message = parseMessage(text);
    if (message.kind === 'malformed') this.#options.log('The editor window sent a message that is not JSON-RPC.');
    else use(message);
  }

  #closeIfIdle(): void {
    if (this.#isRetired && this.#exchanges.size === 0) void this.close();
  }
}

function deliveryOf(end: ExchangeEnd, asked: readonly PendingRequest[]): Delivery {
  if (end.kind !== 'complete') return end;
  if (end.status === 401) return { kind: 'unreachable' };
  if (end.status >= 400) return { kind: 'refused', status: end.status, body: end.body };
  return asked.some(({ isOpen }) => isOpen) ? { kind: 'broken' } : { kind: 'answered' };
}
