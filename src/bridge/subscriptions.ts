import type { Answers } from './answers.ts';
import { errorText, isMembers, notificationText, type Members, type Message } from './jsonRpc.ts';
import type { PendingRequest } from './pendingRequests.ts';
import type { WindowLink } from './windowLink.ts';

const listenMethod = 'subscriptions/listen';
const acknowledged = 'notifications/subscriptions/acknowledged';
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** What list changes are called in a filter, and on the wire. */
const listChanges = [
  ['toolsListChanged', 'notifications/tools/list_changed'],
  ['resourcesListChanged', 'notifications/resources/list_changed'],
] as const;

/**
 * The `subscriptions/listen` streams of a client of the 2026 era. They outlast windows: the bridge acknowledges what it
 * can tell by itself, and each window in turn is asked for the same.
 */
export class Subscriptions {
  readonly #answers: Answers;
  readonly #send: (text: string) => void;
  readonly #open = new Map<PendingRequest, Members>();

  constructor(answers: Answers, send: (text: string) => void) {
    this.#answers = answers;
    this.#send = send;
  }

  /** True when the request is one of these; it has been acknowledged or refused then. */
  add(pending: PendingRequest): boolean {
    const { id, method, params } = pending.request;
    if (method !== listenMethod || pending.era !== '2026') return false;
    const filter = params['notifications'];
    if (!isMembers(filter)) {
      pending.answer(errorText(id, -32602, `Invalid params: 'notifications' is required.`));
      return true;
    }
    const honored = Object.fromEntries(
      listChanges.filter(([name]) => filter[name] === true).map(([name]) => [name, true]),
    );
    const meta = { [subscriptionKey]: id };
    this.#send(notificationText(acknowledged, { notifications: honored, _meta: meta }));
    if (Object.keys(honored).length === 0) pending.answer(this.#answers.subscriptionEnded(pending.request, meta));
    else this.#open.set(pending, honored);
    return true;
  }

  /** Nobody listens any more. */
  end(): void {
    for (const pending of this.#open.keys()) pending.settle();
  }

  /** Asks a window for what these streams tell; whatever another one still told them ends. */
  follow(link: WindowLink): void {
    for (const pending of this.#open.keys()) {
      pending.abort();
      if (pending.isOpen) void link.deliver(pending);
      else this.#open.delete(pending);
    }
  }

  /** True for what a window says about such a stream itself: it is the bridge's. */
  isOwn(message: Message, asked: readonly PendingRequest[]): boolean {
    if (!asked.some((pending) => this.#open.has(pending))) return false;
    return message.kind === 'response' || (message.kind === 'notification' && message.method === acknowledged);
  }

  /** Tells every stream that wants to know that lists may be other ones now. */
  tellListsChanged(): void {
    for (const [{ request, isOpen }, honored] of this.#open) {
      for (const [name, method] of listChanges) {
        if (!isOpen || honored[name] !== true) continue;
        this.#send(notificationText(method, { _meta: { [subscriptionKey]: request.id } }));
      }
    }
  }
}
