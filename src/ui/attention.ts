import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { Approval, Approvals, ApprovalState, WaitingRead } from '#changes/approval.ts';
import { awaitsUser } from '#changes/halfDone.ts';
import { finishedPhrase } from './page/words/finishedText.ts';
import { type NoticeDetail, readRequestText, requestsText, requestText } from './page/words/kindText.ts';
import type { Translate } from './page/words/translate.ts';

/** The parts of the editor that attention needs. It has nothing that could move the keyboard focus, on purpose. */
export interface AttentionWindow {
  /** Whether the user sees the approvals now. */
  isViewVisible(): boolean;
  /** `drawbridge.approvals.notify` */
  notifies(): NoticeDetail | 'off';
  /** `drawbridge.approvals.reveal` */
  reveals(): 'never' | 'whenIdle' | 'always';
  /** Milliseconds since the user last typed or moved the cursor. */
  idleMilliseconds(): number;
  revealWithoutFocus(): void;
  /** Updates the badge, the status bar and the context key. */
  showWaiting(waiting: WaitingCount): void;
  /** Resolves with the pressed button or undefined, possibly long after everything was decided. */
  toast(message: string, ...buttons: string[]): PromiseLike<string | undefined>;
  /** Takes the notifications from the screen; they stay in the editor's list. */
  hideToasts(): void;
}

/** The number of requests that wait for the user. */
export interface WaitingCount {
  /** Approvals and questions. */
  readonly all: number;
  /** How many of them are questions. */
  readonly questions: number;
}

export interface AttentionOptions {
  readonly approvals: Pick<Approvals, 'all' | 'get' | 'waitingReads' | 'onDidChange'>;
  readonly clock: Clock;
  readonly window: AttentionWindow;
  /** Shows a card, or the next waiting one; only when the user asked for it. */
  readonly review: (approvalId?: string) => void;
}

/** The approvals and questions that wait for the user. */
interface Waiting {
  readonly approvals: readonly Approval[];
  readonly reads: readonly WaitingRead[];
  readonly ids: readonly string[];
}

/** Milliseconds after the newest approval arrived; after that only the badge stays. */
const repeats = [30_000, 120_000];
const idle = 3000;
/** Milliseconds for a card to appear in a view that is open or opening, before a notification is shown. */
const grace = 1000;
const nothing: WaitingCount = { all: 0, questions: 0 };
const t: Translate = (message, ...args) => vscode.l10n.t(message, ...args);

/**
 * Tells the user that something waits, louder the longer it is not seen, without ever taking the focus (failure row F7):
 * badge and status bar at once, then one notification at a time.
 */
export class Attention implements vscode.Disposable {
  readonly #options: AttentionOptions;
  readonly #subscription: Subscription;
  readonly #announced = new Set<string>();
  #shown = nothing;
  #timers: Subscription[] = [];
  /** The notification that has not been answered; VS Code cannot close it. */
  #toast: object | undefined;

  constructor(options: AttentionOptions) {
    this.#options = options;
    options.window.showWaiting(nothing);
    this.#subscription = options.approvals.onDidChange(({ approvals, reads }) => {
      const isNews = [...approvals, ...reads].some((id) => this.#isWaiting(id) !== this.#announced.has(id));
      if (isNews) this.#refresh();
    });
    this.#refresh();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#stop();
    this.#options.window.showWaiting(nothing);
  }

  /** The user sees the view now, so that a notification which is still up has nothing to add. */
  viewShown(): void {
    if (this.#toast === undefined) return;
    this.#toast = undefined;
    this.#options.window.hideToasts();
  }

  #refresh(): void {
    const waiting = this.#listWaiting();
    // A half-done change is counted; a notice of its own tells of it (`recoveryNotice.ts`).
    const counted = this.#options.approvals.all.filter(awaitsUser);
    const ids = new Set([...waiting.ids, ...counted.map(({ id }) => id)]);
    this.#show({ all: ids.size, questions: waiting.approvals.filter(({ question }) => question).length });
    for (const id of this.#announced) if (!ids.has(id)) this.#announced.delete(id);
    const isNew = waiting.ids.some((id) => !this.#announced.has(id));
    for (const id of ids) this.#announced.add(id);
    if (waiting.ids.length === 0) return this.#stop();
    if (isNew) this.#attract();
  }

  #show(waiting: WaitingCount): void {
    if (waiting.all === this.#shown.all && waiting.questions === this.#shown.questions) return;
    this.#shown = waiting;
    this.#options.window.showWaiting(waiting);
  }

  #stop(): void {
    for (const timer of this.#timers) timer.dispose();
    this.#timers = [];
    this.#toast = undefined;
  }

  #attract(): void {
    const { clock, window } = this.#options;
    // A notification that is still open and will be repeated covers the new approval too.
    const isAnnounced = this.#toast !== undefined && this.#timers.length > 0;
    const toast = this.#toast;
    this.#stop();
    this.#toast = toast;
    const isVisible = window.isViewVisible();
    if (!isVisible) this.#reveal();
    const isOpening = isVisible || window.reveals() === 'always';
    if (!isAnnounced && isOpening) this.#timers.push(clock.after(grace, () => this.#notify()));
    else if (!isAnnounced) this.#notify();
    this.#timers.push(...repeats.map((after) => clock.after(after, () => this.#notify())));
    this.#timers.push(clock.after(Math.max(...repeats) + 1, () => (this.#timers = [])));
  }

  #reveal(): void {
    const { clock, window } = this.#options;
    const mode = window.reveals();
    if (mode === 'never' || window.isViewVisible()) return;
    const remaining = idle - window.idleMilliseconds();
    if (mode === 'always' || remaining <= 0) window.revealWithoutFocus();
    else this.#timers.push(clock.after(remaining, () => this.#reveal()));
  }

  #notify(): void {
    const { window } = this.#options;
    const waiting = this.#listWaiting();
    const detail = window.notifies();
    // The view itself leads to cards that are out of sight in it.
    if (waiting.ids.length === 0 || window.isViewVisible() || detail === 'off') return;
    void this.#ask(waiting, detail);
  }

  async #ask(waiting: Waiting, detail: NoticeDetail): Promise<void> {
    const { window, review } = this.#options;
    const [first, ...others] = waiting.ids;
    const only = others.length === 0 ? first : undefined;
    const reviewButton = vscode.l10n.t('Review');
    const toast = {};
    this.#toast = toast;
    const pressed = await Promise.resolve(window.toast(toastText(waiting, detail), reviewButton)).catch(
      () => undefined,
    );
    if (this.#toast === toast) this.#toast = undefined;
    const named = only ?? waiting.ids.find((id) => this.#isWaiting(id));
    if (pressed === undefined) return;
    if (named === undefined || !this.#isWaiting(named)) this.#tellOver(only);
    else review(only);
  }

  /** Explains why the button has no effect when it is pressed too late. */
  #tellOver(id: string | undefined): void {
    const state = (id === undefined ? undefined : this.#options.approvals.get(id)?.state) ?? 'waiting';
    const told = this.#options.window.toast(overText(state));
    void Promise.resolve(told).catch(() => undefined);
  }

  #isWaiting(id: string): boolean {
    const { approvals } = this.#options;
    const approval = approvals.get(id);
    return approvals.waitingReads.some((read) => read.id === id) || (approval !== undefined && awaitsUser(approval));
  }

  #listWaiting(): Waiting {
    const { all, waitingReads: reads } = this.#options.approvals;
    const approvals = all.filter(({ state }) => state === 'waiting');
    return { approvals, reads, ids: [...approvals, ...reads].map(({ id }) => id) };
  }
}

/** Returns the words of a notification, which never are words of the assistant or content of files. */
function toastText({ approvals, reads, ids }: Waiting, detail: NoticeDetail): string {
  const [approval] = approvals;
  const [read] = reads;
  if (ids.length === 1 && approval) return requestText(approval, detail, t);
  if (ids.length === 1 && read) return readRequestText(read, detail, t);
  return requestsText(approvals, reads, detail, t);
}

function overText(state: ApprovalState): string {
  const isGone = state === 'expired' || state === 'withdrawn' || state === 'superseded' || state === 'stale';
  if (!isGone) return vscode.l10n.t('This approval was already decided.');
  return vscode.l10n.t('This approval is no longer pending: {0}.', finishedPhrase({ state }, t));
}
