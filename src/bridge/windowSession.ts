import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { isMembers, type Members, notificationText, parseMessage } from './jsonRpc.ts';
import {
  type Exchange,
  type ExchangeEnd,
  firstRetryMilliseconds,
  nextRetry,
  type WindowEndpoint,
} from './windowEndpoint.ts';

/** Everything that the bridge repeats to each window on behalf of the client. */
export interface Handshake {
  /** The parameters of the client's `initialize`. */
  readonly initialize: Members;
  /** The parameters of the client's last `logging/setLevel`. */
  readonly logLevel: Members | undefined;
  /** URIs of the resources that it has subscribed to. */
  readonly watched: readonly string[];
}

export interface OpenSession {
  readonly kind: 'open';
  /** The headers of each request in the session. */
  readonly headers: Readonly<Record<string, string>>;
}

type Opening =
  | OpenSession
  | { readonly kind: 'unreachable' }
  /** The bridge has closed this session. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string };

export interface SessionOptions {
  readonly endpoint: WindowEndpoint;
  readonly clock: Clock;
  readonly handshake: () => Handshake;
  /** Called with each message of the window that is not an answer. */
  readonly onMessage: (text: string) => void;
  readonly onLost: () => void;
  readonly log: (line: string) => void;
}

/** A working window answers `initialize` at once; a window that hangs must not delay the client for longer. */
const openingMilliseconds = 10_000;
const closingMilliseconds = 1000;

/** A session of the 2025 era with a window: opened when first needed, and opened again when the window has lost it. */
export class WindowSession {
  readonly #options: SessionOptions;
  #opening: Promise<Opening> | undefined;
  #open: OpenSession | undefined;
  /** The headers of the session that is open or being opened. */
  #headers: OpenSession['headers'] | undefined;
  #stream: Exchange | undefined;
  #retry: Subscription | undefined;
  #isStopped = false;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Returns the session, and opens it if needed; after a failure the next call tries again. */
  async open(): Promise<Opening> {
    if (this.#isClosed) return { kind: 'closed' };
    this.#opening ??= this.#introduce().then((opened) => {
      if (opened.kind === 'open') this.#opened(opened);
      else this.#opening = undefined;
      return opened;
    });
    const opened = await this.#opening;
    return this.#isClosed ? { kind: 'closed' } : opened;
  }

  /** Sends the client's answer to a request of the window, which may come before the session counts as open. */
  async answer(text: string): Promise<void> {
    // The answer takes no connection for short messages: some of those may wait for this answer.
    if (this.#headers !== undefined) await this.#ask(text, { headers: this.#headers, isShort: false });
  }

  /** Forgets a session that the window does not know any more. */
  expired(session: OpenSession): void {
    if (this.#open !== session) return;
    this.#open = undefined;
    this.#headers = undefined;
    this.#opening = undefined;
    this.#stream?.abort();
  }

  stopListening(): void {
    this.#isStopped = true;
    this.#retry?.dispose();
    this.#stream?.abort();
  }

  /** Ends the session at the window, within a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.stopListening();
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = clock.after(closingMilliseconds, resolve);
      void this.#end().finally(() => {
        timer.dispose();
        resolve();
      });
    });
  }

  /** Also ends a session that is being opened: a client may leave right after it came. */
  async #end(): Promise<void> {
    const opened = await this.#opening;
    if (opened?.kind !== 'open') return;
    await this.#options.endpoint.exchange({ method: 'DELETE', headers: opened.headers, isShort: true }).end;
  }

  async #introduce(): Promise<Opening> {
    const id = `drawbridge-${randomBytes(8).toString('hex')}`;
    const { initialize, logLevel, watched } = this.#options.handshake();
    let sessionId: string | undefined;
    let revision: unknown;
    const end = await this.#ask(JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: initialize }), {
      onHeaders(headers) {
        const value = headers['mcp-session-id'];
        if (typeof value === 'string') sessionId = value;
      },
      onMessage(text) {
        const answer = parseMessage(text);
        if (answer.kind === 'response' && answer.id === id && isMembers(answer.result)) {
          revision = answer.result['protocolVersion'];
        }
      },
    });
    if (end.kind !== 'complete' || end.status === 401) return { kind: 'unreachable' };
    if (end.status >= 400) return { kind: 'refused', status: end.status, body: end.body };
    if (sessionId === undefined || typeof revision !== 'string') return { kind: 'unreachable' };
    const headers = { 'Mcp-Session-Id': sessionId, 'MCP-Protocol-Version': revision };
    const initialized = await this.#ask(notificationText('notifications/initialized'), { headers });
    if (initialized.kind !== 'complete') return { kind: 'unreachable' };
    this.#headers = headers;
    const again: readonly (readonly [method: string, params: Members])[] = [
      ...(logLevel === undefined ? [] : [['logging/setLevel', logLevel] as const]),
      ...watched.map((uri) => ['resources/subscribe', { uri }] as const),
    ];
    // The requests run in parallel: a window that hangs delays the client by one time limit only.
    await Promise.all(
      again.map(([method, params], index) =>
        this.#ask(JSON.stringify({ jsonrpc: '2.0', id: `${id}-${index}`, method, params }), {
          headers,
          // The window may ask for the client's roots before it answers.
          onMessage: (text) => parseMessage(text).kind === 'request' && this.#options.onMessage(text),
        }),
      ),
    );
    return { kind: 'open', headers };
  }

  async #ask(
    body: string,
    more: Pick<Parameters<WindowEndpoint['exchange']>[0], 'headers' | 'isShort' | 'onHeaders' | 'onMessage'>,
  ): Promise<ExchangeEnd> {
    const { endpoint, clock } = this.#options;
    const exchange = endpoint.exchange({ method: 'POST', body, isShort: true, ...more });
    const timer = clock.after(openingMilliseconds, exchange.abort);
    const end = await exchange.end;
    timer.dispose();
    return end;
  }

  #opened(session: OpenSession): void {
    this.#open = session;
    const { handshake, onMessage } = this.#options;
    // The resources may have changed while no window was watched, or may differ in this window.
    for (const uri of handshake().watched) onMessage(notificationText('notifications/resources/updated', { uri }));
    void this.#listen(session, firstRetryMilliseconds);
  }

  /** Keeps the GET stream open on which the window sends notifications and requests. */
  async #listen(session: OpenSession, retryMilliseconds: number): Promise<void> {
    if (this.#isStopped || this.#open !== session) return;
    const { endpoint, onMessage, onLost, clock } = this.#options;
    let heard = false;
    this.#stream = endpoint.exchange({
      method: 'GET',
      headers: session.headers,
      onHeaders: (_headers, status) => (heard = status < 400),
      onMessage,
    });
    const end = await this.#stream.end;
    if (this.#isStopped || this.#open !== session) return;
    if (end.kind === 'complete' && end.status === 405) return;
    if (end.kind === 'complete' && end.status === 404) {
      this.expired(session);
      await this.open();
      return;
    }
    if (end.kind !== 'complete' || end.status === 401) onLost();
    const next = heard ? firstRetryMilliseconds : nextRetry(retryMilliseconds);
    this.#retry = clock.after(next, () => void this.#listen(session, next));
  }
}
