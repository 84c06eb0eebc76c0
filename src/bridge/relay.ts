import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { ticketKey } from '#mcp/wire/ticket.ts';
import { Answers } from './answers.ts';
import { Introduction, RootsQuery } from './introduction.ts';
import {
  type Batch,
  errorText,
  isMembers,
  type Message,
  type Notification,
  parseMessage,
  type Request,
  type RequestId,
  type Response,
  resultText,
} from './jsonRpc.ts';
import { claimedRevision } from './modernHeaders.ts';
import { type Era, type PendingRequest, PendingRequests, type Ticket } from './pendingRequests.ts';
import { RequestCarrier } from './requestCarrier.ts';
import { ListChanges, Subscriptions, WatchedResources } from './subscriptions.ts';
import type { WindowLink } from './windowLink.ts';
import { WindowLinks } from './windowLinks.ts';
import { WindowRequests } from './windowRequests.ts';
import type { WindowSource } from './windowSource.ts';

export interface RelayOptions {
  readonly windows: WindowSource;
  readonly clock: Clock;
  /** The version of this bridge, for `serverInfo`. */
  readonly version: string;
  /** 32 hex digits, made once for this process, by which every window knows this client. */
  readonly connectionSecret: string;
  /** Reads the answer to `tools/list` while no window is available, from `dist/catalog.json`. Called at most once. */
  readonly toolList: () => Promise<object>;
  /** Writes one JSON-RPC message or batch to the client; its text holds no line end. */
  readonly send: (text: string) => void;
  /** Writes one line to standard error. */
  readonly log: (line: string) => void;
}

/** The largest message that the server of a window accepts. */
const maximumMessageBytes = 4 * 1024 * 1024;

/** Methods that the bridge itself must handle, even inside a batch. */
const ownMethods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/roots/list_changed',
]);

/** Relays the messages of one client to the window that is chosen for it, in either protocol era. */
export class Relay {
  readonly #send: (text: string) => void;
  readonly #answers: Answers;
  readonly #pending: PendingRequests;
  readonly #roots: RootsQuery;
  readonly #introduction: Introduction;
  readonly #subscriptions: Subscriptions;
  readonly #watched = new WatchedResources();
  readonly #windowRequests = new WindowRequests();
  readonly #links: WindowLinks;
  readonly #carrier: RequestCarrier;
  readonly #lists: ListChanges;
  readonly #onChange: Subscription;
  #isClosed = false;

  constructor(options: RelayOptions) {
    const { windows, clock, log, toolList } = options;
    this.#send = (text) => {
      if (!this.#isClosed) options.send(text);
    };
    this.#answers = new Answers(options.version);
    this.#pending = new PendingRequests(this.#send);
    this.#roots = new RootsQuery({ clock, log, send: this.#send, setRoots: (roots) => windows.setRoots(roots) });
    this.#introduction = new Introduction(clock, this.#roots);
    this.#subscriptions = new Subscriptions({
      answers: this.#answers,
      send: this.#send,
      clock,
      isCurrent: (link) => link === this.#links.current,
      onLost: (link) => void this.#links.lost(link).catch((error: unknown) => log(String(error))),
    });
    this.#lists = new ListChanges({
      send: this.#send,
      isReady: () => this.#introduction.isComplete,
      subscriptions: this.#subscriptions,
    });
    this.#links = new WindowLinks({
      windows,
      clock,
      log,
      connectionSecret: options.connectionSecret,
      handshake: () => ({ ...this.#introduction.handshake, watched: this.#watched.uris }),
      onMessage: (message, link, asked) => this.#fromWindow(message, link, asked),
      onLink: (link) => this.#linked(link),
      onClosed: (link) => {
        for (const text of this.#windowRequests.drop(link)) this.#send(text);
      },
    });
    this.#carrier = new RequestCarrier({
      windows,
      clock,
      links: this.#links,
      answers: this.#answers,
      toolList,
      log,
      foldersKnown: () => this.#introduction.foldersKnown,
      onNoWindow: () => this.#lists.readWithoutWindow(),
    });
    this.#onChange = windows.onDidChange(() => this.#links.changed());
  }

  /** Handles one line of the client: a JSON-RPC message or batch. */
  receive(line: string): void {
    if (this.#isClosed || line.trim() === '') return;
    const message = parseMessage(line);
    if (message.kind === 'malformed') {
      const { code } = message;
      this.#send(errorText(null, code, code === -32700 ? 'Parse error' : 'Invalid Request'));
    } else if (Buffer.byteLength(line) > maximumMessageBytes) this.#refuse(message);
    else if (message.kind === 'batch') this.#batch(message);
    else this.#single(message);
  }

  /** Must be called when the client has closed its output. Resolves when all its requests are answered. */
  async finish(): Promise<void> {
    this.#subscriptions.end();
    await this.#pending.allSettled();
  }

  /** Must be called when the client is gone. Ends running calls and the session, within a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#onChange.dispose();
    this.#introduction.close();
    this.#subscriptions.end();
    this.#pending.dropAll();
    await this.#links.close();
  }

  #single(message: Request | Notification | Response): void {
    if (message.kind === 'request') this.#request(message);
    else if (message.kind === 'notification') this.#notification(message);
    else this.#response(message);
  }

  #request(request: Request): void {
    const { id, method, params, text } = request;
    const era = claimedRevision(params) === undefined ? '2025' : '2026';
    if (method === 'server/discover') {
      // Only messages of the 2026 era claim a revision; for clients of the 2025 era this method does not exist.
      return this.#send(era === '2026' ? this.#answers.discover(request) : errorText(id, -32601, 'Method not found'));
    }
    if (era === '2025') {
      if (method === 'initialize') return this.#initialize(request);
      if (method === 'ping') return this.#send(resultText(id, {}));
      if (method === 'logging/setLevel') this.#introduction.setLogLevel(params);
      this.#watched.asked(request);
    }
    const pending = this.#add(request, era);
    if (pending === undefined) return;
    if (!this.#subscriptions.add(pending, this.#links.current)) this.#carrier.carry(text, [pending]);
  }

  #initialize(request: Request): void {
    this.#links.retire();
    this.#watched.clear();
    this.#introduction.begin(request.params);
    this.#send(this.#answers.initialize(request));
  }

  #notification(message: Notification): void {
    const { method, params } = message;
    if (method === 'notifications/initialized') {
      void this.#introduction.complete().then(() => this.#connect());
    } else if (method === 'notifications/cancelled') {
      const { requestId } = params;
      const pending = isId(requestId) ? this.#pending.get(requestId) : undefined;
      if (pending !== undefined) this.#carrier.cancel(pending, message);
    } else {
      if (method === 'notifications/roots/list_changed') void this.#introduction.foldersChanged();
      this.#carrier.notify(message);
    }
  }

  #response(response: Response): void {
    if (this.#roots.take(response)) return;
    const answer = this.#windowRequests.take(response);
    answer?.link.answer(answer.text);
  }

  /** Sends a batch as a whole when the bridge handles none of its messages itself, else message by message. */
  #batch({ messages, text }: Batch): void {
    const isPlain = messages.every((message) => message.kind !== 'response' && !ownMethods.has(message.method));
    const requests = messages.filter((message) => message.kind === 'request');
    if (!isPlain || requests.length === 0) {
      for (const message of messages) this.#single(message);
      return;
    }
    const asked = requests.map((request) => this.#add(request, '2025'));
    const taken = asked.filter((pending) => pending !== undefined);
    if (taken.length === requests.length) return this.#carrier.carry(text, taken);
    for (const message of messages) if (message.kind === 'notification') this.#notification(message);
    for (const pending of taken) this.#carrier.carry(pending.request.text, [pending]);
  }

  #add(request: Request, era: Era): PendingRequest | undefined {
    const added = this.#pending.add(request, era);
    if (!('refusal' in added)) return added;
    this.#send(errorText(request.id, -32600, `Invalid Request: ${added.refusal}`));
    return undefined;
  }

  #refuse(message: Message): void {
    const messages = message.kind === 'batch' ? message.messages : [message];
    const reason = `The message is larger than ${maximumMessageBytes} bytes.`;
    for (const each of messages) if (each.kind === 'request') this.#send(errorText(each.id, -32600, reason));
  }

  #fromWindow(message: Message, link: WindowLink, asked: readonly PendingRequest[]): void {
    if (this.#subscriptions.take(message, asked)) return;
    if (message.kind === 'batch') {
      for (const each of message.messages) this.#fromWindow(each, link, asked);
    } else if (message.kind === 'response') {
      const pending = asked.find(({ request }) => request.id === message.id);
      if (pending !== undefined) this.#answered(pending, message, link);
    } else if (message.kind === 'request') this.#send(this.#windowRequests.add(message, link));
    else this.#send(this.#windowRequests.renamed(message, link));
  }

  #answered(pending: PendingRequest, answer: Response, link: WindowLink): void {
    const ticket = ticketOf(answer);
    if (ticket !== undefined) {
      // The carrier waits for the next run of the window as soon as this exchange has ended.
      pending.ticket = ticket;
      return;
    }
    // The next run does not know the approval, for example because its record is damaged.
    if (pending.ticket !== undefined && isFailure(answer)) return pending.answer(pending.ticket.text);
    if (pending.era === '2025') {
      // An earlier window answers: the current window has no such subscription, so the client gets the error of the
      // closed link.
      if (pending.request.method === 'resources/subscribe' && link !== this.#links.current) return;
      if (pending.isOpen) this.#watched.answered(pending.request, answer);
    }
    pending.answer(answer.text);
  }

  /** Connects before the first request, so that the window can send notifications and the request does not wait. */
  #connect(): void {
    if (this.#isClosed) return;
    this.#links.changed();
    this.#openSession();
  }

  #openSession(): void {
    const { isComplete, foldersKnown } = this.#introduction;
    if (isComplete && foldersKnown === undefined) void this.#links.current?.openSession();
  }

  #linked(link: WindowLink): void {
    this.#openSession();
    this.#subscriptions.follow(link);
    this.#lists.readFrom(link.record);
  }
}

/** Returns the ticket of a call that its window answered only because it closes. */
function ticketOf({ result, text }: Response): Ticket | undefined {
  const meta = isMembers(result) ? result['_meta'] : undefined;
  const ticket = isMembers(meta) ? meta[ticketKey] : undefined;
  if (!isMembers(ticket)) return undefined;
  const { approvalId, waitMilliseconds } = ticket;
  if (typeof approvalId !== 'string' || typeof waitMilliseconds !== 'number') return undefined;
  return { approvalId, waitMilliseconds, text };
}

function isFailure({ result, error }: Response): boolean {
  return error !== undefined || (isMembers(result) && result['isError'] === true);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
