import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { WindowRecord } from '#home/windows.ts';
import type { Answers } from './answers.ts';
import {
  errorText,
  isMembers,
  type Members,
  type Message,
  type Notification,
  notificationText,
  type Request,
  type Response,
} from './jsonRpc.ts';
import type { PendingRequest } from './pendingRequests.ts';
import { firstRetryMilliseconds, nextRetry } from './windowEndpoint.ts';
import type { WindowLink } from './windowLink.ts';

const listenMethod = 'subscriptions/listen';
const acknowledged = 'notifications/subscriptions/acknowledged';
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** What list changes are called in a filter, and on the wire. */
const listChanges = [
  ['toolsListChanged', 'notifications/tools/list_changed'],
  ['promptsListChanged', 'notifications/prompts/list_changed'],
  ['resourcesListChanged', 'notifications/resources/list_changed'],
] as const;

/** What one stream tells. */
interface Listening {
  /** The list changes it wants, as a filter has them. */
  readonly lists: Members;
  /** The resources it wants; once that is acknowledged, those that can be told of. */
  uris: readonly string[];
  isAcknowledged: boolean;
  /** It has been asked for again, and the window has not acknowledged it yet. */
  isMoving: boolean;
  /** The window said that it tells nothing more. */
  isEnded: boolean;
  retryMilliseconds: number;
  retry: Subscription | undefined;
}

interface SubscriptionsOptions {
  readonly answers: Answers;
  readonly send: (text: string) => void;
  readonly clock: Clock;
  /** Whether this is the window that answers the client now. */
  readonly isCurrent: (link: WindowLink) => boolean;
  /** The window's stream broke: it may be gone. */
  readonly onLost: (link: WindowLink) => void;
}

/**
 * The `subscriptions/listen` streams of a client of the 2026 era. They outlast windows: each one in turn is asked for the
 * same, and again when its stream breaks. Which resources can be told of is a window's to say; where there is none, the bridge acknowledges them by itself.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<PendingRequest, Listening>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /**
   * True when the request is one of these; it is acknowledged or refused then.
   * @param link to the window to ask, if there is one
   */
  add(pending: PendingRequest, link: WindowLink | undefined): boolean {
    const { id, method, params } = pending.request;
    if (method !== listenMethod || pending.era !== '2026') return false;
    const filter = params['notifications'];
    const uris = isMembers(filter) ? urisOf(filter['resourceSubscriptions']) : undefined;
    if (!isMembers(filter) || uris === undefined) {
      const problem = isMembers(filter) ? `'resourceSubscriptions' is no list of URIs` : `'notifications' is required`;
      pending.answer(errorText(id, -32602, `Invalid params: ${problem}.`));
      return true;
    }
    const lists = Object.fromEntries(
      listChanges.filter(([name]) => filter[name] === true).map(([name]) => [name, true]),
    );
    const listening: Listening = {
      lists,
      uris,
      isAcknowledged: false,
      isMoving: false,
      isEnded: false,
      retryMilliseconds: firstRetryMilliseconds,
      retry: undefined,
    };
    this.#open.set(pending, listening);
    if (link === undefined || uris.length === 0) this.#acknowledge(pending, listening);
    if (link !== undefined && pending.isOpen) void this.#listen(link, pending, listening);
    return true;
  }

  /** Nobody listens any more. */
  end(): void {
    for (const [pending, { retry }] of this.#open) {
      retry?.dispose();
      pending.settle();
    }
  }

  /** Asks a window for what these streams tell; whatever another one still told them ends. */
  follow(link: WindowLink): void {
    for (const [pending, listening] of this.#open) {
      pending.abort();
      this.#listenAgain(link, pending, listening);
    }
  }

  /** Takes what a window says about such a stream itself, and is true then: the client has heard the like from the bridge. */
  take(message: Message, asked: readonly PendingRequest[]): boolean {
    for (const pending of asked) {
      const listening = this.#open.get(pending);
      if (listening === undefined) continue;
      if (message.kind === 'response') {
        listening.isEnded = true;
        if (message.error !== undefined) this.#refused(pending, listening, message.text);
        return true;
      }
      if (message.kind !== 'notification' || message.method !== acknowledged) return false;
      this.#acknowledgedBy(message, pending, listening);
      return true;
    }
    return false;
  }

  /** Tells every stream that wants to know that lists may be other ones now. */
  tellListsChanged(): void {
    for (const [{ request, isOpen }, { lists }] of this.#open) {
      for (const [name, method] of listChanges) {
        if (!isOpen || lists[name] !== true) continue;
        this.#options.send(notificationText(method, { _meta: { [subscriptionKey]: request.id } }));
      }
    }
  }

  async #listen(link: WindowLink, pending: PendingRequest, listening: Listening): Promise<void> {
    const { answers, clock, isCurrent, onLost } = this.#options;
    listening.isEnded = false;
    const delivery = await link.deliver(pending);
    if (delivery.kind === 'refused') {
      return this.#refused(pending, listening, answers.refused(pending, delivery.status, delivery.body));
    }
    this.#acknowledge(pending, listening);
    if (!pending.isOpen) this.#open.delete(pending);
    if (!pending.isOpen || listening.isEnded || !isCurrent(link)) return;
    onLost(link);
    listening.retry = clock.after(listening.retryMilliseconds, () => {
      if (isCurrent(link)) this.#listenAgain(link, pending, listening);
    });
    listening.retryMilliseconds = nextRetry(listening.retryMilliseconds);
  }

  #listenAgain(link: WindowLink, pending: PendingRequest, listening: Listening): void {
    listening.retry?.dispose();
    listening.isMoving = true;
    if (pending.isOpen) void this.#listen(link, pending, listening);
    else this.#open.delete(pending);
  }

  #acknowledgedBy({ params }: Notification, pending: PendingRequest, listening: Listening): void {
    const { notifications } = params;
    listening.retryMilliseconds = firstRetryMilliseconds;
    if (!listening.isAcknowledged) {
      const watched = isMembers(notifications) ? urisOf(notifications['resourceSubscriptions']) : undefined;
      listening.uris = listening.uris.filter((uri) => watched?.includes(uri) === true);
      this.#acknowledge(pending, listening);
    } else if (listening.isMoving) this.#tellUpdated(pending, listening.uris);
    listening.isMoving = false;
  }

  /** Once for each stream; one that has nothing to tell ends with it. */
  #acknowledge(pending: PendingRequest, listening: Listening): void {
    if (listening.isAcknowledged || !pending.isOpen) return;
    listening.isAcknowledged = true;
    const { lists, uris } = listening;
    const notifications = { ...lists, ...(uris.length > 0 && { resourceSubscriptions: uris }) };
    const meta = { [subscriptionKey]: pending.request.id };
    this.#options.send(notificationText(acknowledged, { notifications, _meta: meta }));
    if (Object.keys(notifications).length > 0) return;
    this.#open.delete(pending);
    pending.answer(this.#options.answers.subscriptionEnded(pending.request, meta));
  }

  /** What was acknowledged stays: the next window may take it. */
  #refused(pending: PendingRequest, { isAcknowledged }: Listening, answer: string): void {
    if (isAcknowledged) return;
    this.#open.delete(pending);
    pending.answer(answer);
  }

  /** What they hold may have changed while nobody told, or be another thing in this window. */
  #tellUpdated({ request, isOpen }: PendingRequest, uris: readonly string[]): void {
    if (!isOpen) return;
    const meta = { [subscriptionKey]: request.id };
    for (const uri of uris)
      this.#options.send(notificationText('notifications/resources/updated', { uri, _meta: meta }));
  }
}

/** None for a filter that names none; undefined for what is no list of URIs. */
function urisOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return undefined;
  const uris = value.filter((uri) => typeof uri === 'string');
  return uris.length === value.length ? uris : undefined;
}

/** The resources that a client of the 2025 era has subscribed to. They outlast windows: each one in turn is asked for them. */
export class WatchedResources {
  /** Whether a window has granted it. */
  readonly #isGranted = new Map<string, boolean>();

  get uris(): readonly string[] {
    return [...this.#isGranted].flatMap(([uri, isGranted]) => (isGranted ? [uri] : []));
  }

  /** The client asked for something; what it wants to hear no more of is forgotten whatever a window says. */
  asked({ method, params: { uri } }: Request): void {
    if (typeof uri !== 'string') return;
    if (method === 'resources/unsubscribe') this.#isGranted.delete(uri);
    if (method === 'resources/subscribe') this.#isGranted.set(uri, this.#isGranted.get(uri) ?? false);
  }

  /** A window has answered; what it refused is not asked of the next one, nor what the client has unsubscribed from since. */
  answered({ method, params: { uri } }: Request, { result }: Response): void {
    if (method !== 'resources/subscribe' || typeof uri !== 'string' || !this.#isGranted.has(uri)) return;
    if (result !== undefined) this.#isGranted.set(uri, true);
    else if (this.#isGranted.get(uri) === false) this.#isGranted.delete(uri);
  }

  clear(): void {
    this.#isGranted.clear();
  }
}

interface ListChangesOptions {
  readonly send: (text: string) => void;
  /** Whether a client of the 2025 era may be told things. */
  readonly isReady: () => boolean;
  readonly subscriptions: Subscriptions;
}

/** Tells the client when the lists that it may have read are those of another window, or of none. */
export class ListChanges {
  readonly #options: ListChangesOptions;
  #listsOf: string | undefined;

  constructor(options: ListChangesOptions) {
    this.#options = options;
  }

  /** The client was answered without a window. */
  readWithoutWindow(): void {
    this.#listsOf = '';
  }

  /** This window answers from now on. */
  readFrom({ windowId, extensionVersion }: WindowRecord): void {
    const { send, isReady, subscriptions } = this.#options;
    const before = this.#listsOf;
    this.#listsOf = `${windowId} ${extensionVersion}`;
    if (before === undefined || before === this.#listsOf) return;
    subscriptions.tellListsChanged();
    if (!isReady()) return;
    send(notificationText('notifications/tools/list_changed'));
    send(notificationText('notifications/resources/list_changed'));
    send(notificationText('notifications/prompts/list_changed'));
  }
}
