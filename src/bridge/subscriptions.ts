import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
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

/** The name of each list change in a filter, and its notification method. */
const listChanges = [
  ['toolsListChanged', 'notifications/tools/list_changed'],
  ['promptsListChanged', 'notifications/prompts/list_changed'],
  ['resourcesListChanged', 'notifications/resources/list_changed'],
] as const;

/** The state of one `subscriptions/listen` stream. */
interface Listening {
  /** The requested list changes, in the form of a filter. */
  readonly lists: Members;
  /** The requested resources; after the acknowledgement, only those that the window granted. */
  uris: readonly string[];
  isAcknowledged: boolean;
  /** True while the bridge waits for a window to acknowledge the stream that it asked for again. */
  isMoving: boolean;
  /** True when the window ended the stream with a response. */
  isEnded: boolean;
  retryMilliseconds: number;
  retry: Subscription | undefined;
}

interface SubscriptionsOptions {
  readonly answers: Answers;
  readonly send: (text: string) => void;
  readonly clock: Clock;
  /** Returns whether a link is the current one. */
  readonly isCurrent: (link: WindowLink) => boolean;
  /** Called when the stream of a window broke; the window may be gone. */
  readonly onLost: (link: WindowLink) => void;
}

/**
 * The `subscriptions/listen` streams of a client of the 2026 era. They outlast windows: the bridge asks each next window for
 * the same streams, and asks again when a stream breaks. A window decides which resources it grants; without a window the
 * bridge acknowledges all of them.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<PendingRequest, Listening>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /**
   * Takes a `subscriptions/listen` request and acknowledges or refuses it; returns false for any other request.
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

  /** Ends every stream. */
  end(): void {
    for (const [pending, { retry }] of this.#open) {
      retry?.dispose();
      pending.settle();
    }
  }

  /** Asks another window for every stream, and aborts the streams of the earlier window. */
  follow(link: WindowLink): void {
    for (const [pending, listening] of this.#open) {
      pending.abort();
      this.#listenAgain(link, pending, listening);
    }
  }

  /**
   * Takes acknowledgements and responses of a window to a stream and returns true: the bridge has sent its own to the
   * client.
   */
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

  /** Notifies every stream that asked for list changes that the lists may have changed. */
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

  /** Acknowledges a stream once, and ends a stream that asked for nothing. */
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

  /** Passes on a refusal, unless the stream was acknowledged: the next window may accept it. */
  #refused(pending: PendingRequest, { isAcknowledged }: Listening, answer: string): void {
    if (isAcknowledged) return;
    this.#open.delete(pending);
    pending.answer(answer);
  }

  /** The resources may have changed while no window was watched, or may differ in this window. */
  #tellUpdated({ request, isOpen }: PendingRequest, uris: readonly string[]): void {
    if (!isOpen) return;
    const meta = { [subscriptionKey]: request.id };
    for (const uri of uris)
      this.#options.send(notificationText('notifications/resources/updated', { uri, _meta: meta }));
  }
}

/** Returns an empty list for a filter without resources; undefined for a value that is not a list of URIs. */
function urisOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return undefined;
  const uris = value.filter((uri) => typeof uri === 'string');
  return uris.length === value.length ? uris : undefined;
}

/**
 * The resource subscriptions of a client of the 2025 era. They outlast windows: the bridge subscribes in each next
 * window again.
 */
export class WatchedResources {
  /** By URI, true when a window has granted the subscription. */
  readonly #isGranted = new Map<string, boolean>();

  get uris(): readonly string[] {
    return [...this.#isGranted].flatMap(([uri, isGranted]) => (isGranted ? [uri] : []));
  }

  /** Records a request of the client; an unsubscription counts at once, whatever the window answers. */
  asked({ method, params: { uri } }: Request): void {
    if (typeof uri !== 'string') return;
    if (method === 'resources/unsubscribe') this.#isGranted.delete(uri);
    if (method === 'resources/subscribe') this.#isGranted.set(uri, this.#isGranted.get(uri) ?? false);
  }

  /**
   * Records the answer of a window; refused subscriptions, and those that the client has ended since, are not asked for
   * again.
   */
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
  /** Returns whether notifications may be sent to a client of the 2025 era. */
  readonly isReady: () => boolean;
  readonly subscriptions: Subscriptions;
}

/** Notifies the client when the lists that it has read belong to another window, or to none. */
export class ListChanges {
  readonly #options: ListChangesOptions;
  #listsOf: string | undefined;

  constructor(options: ListChangesOptions) {
    this.#options = options;
  }

  /** Records that the bridge answered the client without a window. */
  readWithoutWindow(): void {
    this.#listsOf = '';
  }

  /** Records that this window answers from now on, and notifies the client if another one did before. */
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
