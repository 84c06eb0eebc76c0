import type { Clock } from '#base/clock.ts';
import type { Answers } from './answers.ts';
import { errorText, isMembers, type Members, type Notification, notificationText, type Request } from './jsonRpc.ts';
import type { PendingRequest, Ticket } from './pendingRequests.ts';
import type { WindowLink } from './windowLink.ts';
import type { WindowLinks } from './windowLinks.ts';
import type { WindowSource } from './windowSource.ts';

export interface CarrierOptions {
  readonly windows: WindowSource;
  readonly clock: Clock;
  readonly links: WindowLinks;
  readonly answers: Answers;
  readonly toolList: () => Promise<object>;
  /** Returns a promise while no request of the 2025 era may be sent. */
  readonly foldersKnown: () => Promise<void> | undefined;
  /** Called when a request was answered without a window. */
  readonly onNoWindow: () => void;
  readonly log: (line: string) => void;
}

/** Methods whose requests change nothing. */
const readMethods: ReadonlySet<string> = new Set([
  'completion/complete',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'tools/list',
]);

/** Sends the client's messages, in the order in which they came, to the window that is chosen at that moment. */
export class RequestCarrier {
  readonly #options: CarrierOptions;
  readonly #linkOf = new WeakMap<PendingRequest, WindowLink>();
  /** The reads that were sent to a second run of a window. */
  readonly #sentAgain = new WeakSet<PendingRequest>();
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

  async #carry(text: string, asked: readonly PendingRequest[], failed = new Set<string>()): Promise<void> {
    const { links, answers, foldersKnown } = this.#options;
    const [first] = asked;
    const modern = first?.era === '2026' ? first : undefined;
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
      if (delivery.kind === 'broken') return this.#carryOn(open, link);
      failed.add(link.key);
      await links.lost(link);
    }
  }

  /**
   * Goes on with requests whose window ended before it answered them. A call that waits for the user waits on in the next run of the
   * window, a read is sent again, once, and any other request gets an error, because the window may have carried it out.
   */
  async #carryOn(open: readonly PendingRequest[], link: WindowLink): Promise<void> {
    const { links, answers } = this.#options;
    const isRead = await this.#readsOf(open);
    const onward: (() => Promise<void>)[] = [];
    for (const pending of open) {
      const { ticket, request } = pending;
      if (ticket !== undefined) onward.push(() => this.#waitOn(pending, ticket, link));
      else if (isRead(request) && !this.#sentAgain.has(pending)) {
        this.#sentAgain.add(pending);
        onward.push(() => this.#carry(request.text, [pending], new Set([link.key])));
      } else pending.answer(answers.broken(pending));
    }
    await links.lost(link);
    await Promise.all(onward.map((go) => go()));
  }

  /**
   * Asks the next run of the window for the outcome of an approval, with the id of the call that proposed it. The client gets the
   * ticket instead when the outcome has not come within the time that the call would have waited, and when the window does not come back.
   */
  async #waitOn(pending: PendingRequest, ticket: Ticket, before: WindowLink): Promise<void> {
    const { links, clock } = this.#options;
    const timer = clock.after(ticket.waitMilliseconds, () => {
      const link = this.#linkOf.get(pending);
      pending.answer(ticket.text);
      if (pending.era === '2026') pending.abort();
      else if (link !== before) this.notify(cancellationOf(pending), link);
    });
    const failed = new Set([before.key]);
    try {
      while (pending.isOpen) {
        const link = await links.find(failed);
        if (link === undefined || link.record.windowId !== before.record.windowId || !pending.isOpen) return;
        this.#linkOf.set(pending, link);
        const request = outcomeRequest(pending, pending.ticket ?? ticket);
        const delivery = await (pending.era === '2025'
          ? link.deliverInSession(request.text, [pending])
          : link.deliver(pending, request));
        if (delivery.kind === 'closed') continue;
        if (delivery.kind === 'answered' || delivery.kind === 'refused') return;
        failed.add(link.key);
        await links.lost(link);
      }
    } finally {
      timer.dispose();
      pending.answer(ticket.text);
    }
  }

  /** Returns a function that says of a request whether it only reads. The bridge knows that of the tools that come with Drawbridge. */
  async #readsOf(requests: readonly PendingRequest[]): Promise<(request: Request) => boolean> {
    const isCalling = requests.some(({ request }) => request.method === 'tools/call');
    const { tools } = isCalling ? await this.#tools() : {};
    const names = new Set((Array.isArray(tools) ? tools : []).filter(isReadOnly).map((tool: Members) => tool['name']));
    return ({ method, params }) => (method === 'tools/call' ? names.has(params['name']) : readMethods.has(method));
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

function isReadOnly(tool: unknown): tool is Members {
  const annotations = isMembers(tool) ? tool['annotations'] : undefined;
  return isMembers(annotations) && annotations['readOnlyHint'] === true;
}

/** Returns the request for the outcome of an approval. It has the id and the `_meta` of the call: its client, and how it gets progress. */
function outcomeRequest({ request }: PendingRequest, { approvalId }: Ticket): Request {
  const { id, method, params } = request;
  const meta = params['_meta'];
  const asked = { name: 'get_approval', arguments: { approvalId }, ...(meta !== undefined && { _meta: meta }) };
  return { ...request, params: asked, text: JSON.stringify({ jsonrpc: '2.0', id, method, params: asked }) };
}

function cancellationOf({ request }: PendingRequest): Notification {
  const method = 'notifications/cancelled';
  const params = { requestId: request.id };
  return { kind: 'notification', method, params, text: notificationText(method, params) };
}
