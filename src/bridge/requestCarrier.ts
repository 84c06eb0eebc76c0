import type { Answers } from './answers.ts';
import { errorText, isMembers, type Members, type Notification } from './jsonRpc.ts';
import type { PendingRequest } from './pendingRequests.ts';
import type { WindowLink } from './windowLink.ts';
import type { WindowLinks } from './windowLinks.ts';
import type { WindowSource } from './windowSource.ts';

export interface CarrierOptions {
  readonly windows: WindowSource;
  readonly links: WindowLinks;
  readonly answers: Answers;
  readonly toolList: () => Promise<object>;
  /** Returns a promise while no request of the 2025 era may be sent. */
  readonly foldersKnown: () => Promise<void> | undefined;
  /** Called when a request was answered without a window. */
  readonly onNoWindow: () => void;
  readonly log: (line: string) => void;
}

/** Sends the client's messages, in the order in which they came, to the window that is chosen at that moment. */
export class RequestCarrier {
  readonly #options: CarrierOptions;
  readonly #linkOf = new WeakMap<PendingRequest, WindowLink>();
  #toolList: Promise<Members> | undefined;

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  /**
   * Sends requests to a window and makes sure that each is answered.
   * @param text a request or, with several of them, a batch
   */
  carry(text: string, asked: readonly PendingRequest[]): void {
    this.#carry(text, asked).catch((error: unknown) => {
      this.#options.log(`A request failed: ${String(error)}`);
      for (const pending of asked) pending.answer(errorText(pending.request.id, -32603, 'Internal error'));
    });
  }

  /**
   * Passes a notification on to the window. Without a window it is dropped: the next window starts with the client's
   * current state.
   */
  notify(message: Notification, link = this.#options.links.current): void {
    link?.notify(message);
  }

  /** Cancels a request for the client. */
  cancel(pending: PendingRequest, message: Notification): void {
    if (!pending.settle()) return;
    if (pending.era === '2026') return pending.abort();
    const link = this.#linkOf.get(pending);
    // A request that was never sent is never accepted, so nothing is sent for it.
    void pending.accepted.then(() => this.notify(message, link));
  }

  async #carry(text: string, asked: readonly PendingRequest[]): Promise<void> {
    const { links, answers, foldersKnown } = this.#options;
    const [first] = asked;
    const modern = first?.era === '2026' ? first : undefined;
    const failed = new Set<string>();
    if (modern === undefined) await foldersKnown();
    while (asked.some(({ isOpen }) => isOpen)) {
      const link = await links.find(failed);
      if (link === undefined) return this.#answerWithoutWindow(asked);
      if (!asked.some(({ isOpen }) => isOpen)) return;
      for (const pending of asked) this.#linkOf.set(pending, link);
      const delivery = await (modern === undefined ? link.deliverInSession(text, asked) : link.deliver(modern));
      if (delivery.kind === 'answered') return;
      if (delivery.kind === 'closed') continue;
      const open = asked.filter(({ isOpen }) => isOpen);
      if (open.length === 0) return;
      if (delivery.kind === 'refused') {
        for (const pending of open) pending.answer(answers.refused(pending, delivery.status, delivery.body));
        return;
      }
      if (delivery.kind === 'broken') for (const pending of open) pending.answer(answers.broken(pending));
      else failed.add(link.key);
      await links.lost(link);
    }
  }

  async #answerWithoutWindow(asked: readonly PendingRequest[]): Promise<void> {
    const { windows, answers, onNoWindow } = this.#options;
    const isListing = asked.some(({ request }) => request.method === 'tools/list');
    const toolList = isListing ? await this.#tools() : {};
    const silent = windows.chosen?.record ?? windows.silent;
    const situation = { wanted: windows.wanted, open: windows.open, silent };
    onNoWindow();
    for (const pending of asked) pending.answer(answers.withoutWindow(pending, situation, toolList));
  }

  #tools(): Promise<Members> {
    this.#toolList ??= this.#options
      .toolList()
      .then((list) => (isMembers(list) ? list : { tools: [] }))
      .catch((error: unknown) => {
        this.#options.log(`The list of tools could not be read: ${String(error)}`);
        return { tools: [] };
      });
    return this.#toolList;
  }
}
