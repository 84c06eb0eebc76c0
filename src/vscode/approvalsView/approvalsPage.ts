import type { Approval, Approvals, DecisionResult } from '../../approvals/approval.ts';
import { diffRows } from '../../approvals/diffRows.ts';
import { plain } from '../../approvals/visibleText.ts';
import { warningsOf } from '../../approvals/warnings.ts';
import { fromPage, type Card, type FromPage, type PageCommand, type ToPage } from '../../sidebar/messages.ts';
import {
  announcement,
  noticeText,
  pageStrings,
  refusalText,
  welcomeText,
  type ViewStatus,
} from './approvalsViewText.ts';
import { chunkOf, segmentsOf } from './cardRows.ts';
import { finishedCard, waitingCard, type FileChanges, type Translate } from './cardText.ts';

export interface ApprovalsPageOptions {
  readonly approvals: Approvals;
  readonly t: Translate;
  readonly status: () => ViewStatus;
  /** What the window's title calls the workspace. */
  readonly windowName: () => string | undefined;
  /** Opens the editor's diff; of all files without an index. */
  readonly openDiff: (id: string, fileIndex?: number) => void;
  readonly runCommand: (command: PageCommand) => void;
  /** Puts the keyboard back into the editor. */
  readonly leave: () => void;
}

/** A rendered webview. */
export interface PageConnection {
  /** Given to the page with its HTML; what does not carry it is not heard. */
  readonly secret: string;
  readonly isVisible: () => boolean;
  readonly post: (message: ToPage) => void;
}

/**
 * The host's half of the approvals page. The queue is the truth: the page is told what it shows, from the start whenever it
 * is ready anew, and its words count only when they fit the schema, carry the secret of their render and name an approval.
 */
export class ApprovalsPage {
  readonly #options: ApprovalsPageOptions;
  #connection: PageConnection | undefined;
  /** Rises whenever a page must be told everything again. */
  #generation = 0;
  #isReady = false;
  readonly #sent = new Map<string, Approval>();
  readonly #announced = new Set<string>();
  readonly #notes = new Map<string, string>();
  readonly #changes = new Map<string, Promise<readonly FileChanges[] | undefined>>();
  #focus: { readonly id?: string } | undefined;
  #isScheduled = false;
  /** Something changed since the last message was begun. */
  #isDirty = false;
  #isUpdating = false;

  constructor(options: ApprovalsPageOptions) {
    this.#options = options;
  }

  /** A webview was rendered; it is heard once its page says that it is ready. */
  connect(connection: PageConnection): void {
    this.#connection = connection;
    this.#restart(false);
  }

  /** The page ended with its view's visibility. Until one says that it is ready again, nothing must be sent into the void. */
  hidden(): void {
    this.#restart(false);
  }

  disconnect(connection: PageConnection): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  /** Something that the page shows may have changed. Many calls in one turn make one message. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#isDirty = true;
      if (!this.#isUpdating) void this.#update();
    });
  }

  /** Brings up a card, the first one without an id, as soon as the page can. */
  focus(id?: string): void {
    this.#focus = id === undefined ? {} : { id };
    this.changed();
  }

  /** A message of the webview, of any shape. */
  receive(message: unknown): void {
    const parsed = fromPage.safeParse(message);
    const connection = this.#connection;
    if (!parsed.success || !connection || parsed.data.secret !== connection.secret) return;
    if (parsed.data.type === 'ready') this.#restart(true);
    else if (connection.isVisible()) this.#act(parsed.data);
  }

  #restart(isReady: boolean): void {
    this.#generation += 1;
    this.#isReady = isReady;
    this.#sent.clear();
    if (isReady) this.changed();
  }

  #act(message: Exclude<FromPage, { type: 'ready' }>): void {
    const { approvals, openDiff, runCommand, leave } = this.#options;
    if (message.type === 'command') return runCommand(message.command);
    if (message.type === 'leave') return leave();
    const approval = approvals.get(message.id);
    if (!approval) return this.changed();
    switch (message.type) {
      case 'displayed':
        return approvals.displayed(message.id);
      case 'endReached':
        return approvals.endReached(message.id);
      case 'approve':
        return this.#answer(message.id, approvals.approve(message.id, message.proposalHash));
      case 'decline':
        return this.#answer(message.id, this.#decline(approval, message.proposalHash, message.message));
      case 'undo':
        if (message.proposalHash === approval.proposalHash) void this.#undo(message.id);
        return;
      case 'openDiff':
        return openDiff(message.id, message.file);
      case 'moreRows':
        void this.#sendRows(approval, message.file, message.from);
    }
  }

  #decline(approval: Approval, proposalHash: string, message: string | undefined): DecisionResult {
    if (proposalHash !== approval.proposalHash) return 'changed';
    return this.#options.approvals.decline(approval.id, message);
  }

  #answer(id: string, result: DecisionResult): void {
    if (result === 'accepted') return;
    const text = refusalText(result, this.#options.t);
    this.#connection?.post(text === undefined ? { type: 'refused', id } : { type: 'refused', id, text });
    // Whatever else the page showed, it is told again.
    this.#sent.delete(id);
    this.changed();
  }

  async #undo(id: string): Promise<void> {
    const { approvals, t } = this.#options;
    const failed = { status: 'failed', message: t('Undo did not work. See the log.') } as const;
    const result = await approvals.undo(id).catch(() => failed);
    if (result.status === 'undone') this.#notes.delete(id);
    else this.#notes.set(id, plain(result.message ?? failed.message));
    this.#connection?.post({ type: 'refused', id });
    this.#sent.delete(id);
    this.changed();
  }

  async #sendRows(approval: Approval, file: number, from: number): Promise<void> {
    const generation = this.#generation;
    const segments = (await this.#changesOf(approval))?.[file]?.segments;
    if (!segments || generation !== this.#generation || !this.#connection?.isVisible()) return;
    const { id, proposalHash } = approval;
    this.#connection.post({ type: 'rows', id, proposalHash, file, from, ...chunkOf(segments, from, this.#options.t) });
  }

  async #update(): Promise<void> {
    this.#isUpdating = true;
    try {
      while (this.#isDirty) {
        this.#isDirty = false;
        await this.#postState();
      }
    } finally {
      this.#isUpdating = false;
    }
  }

  async #postState(): Promise<void> {
    const connection = this.#connection;
    const generation = this.#generation;
    if (!connection || !this.#isReady || !connection.isVisible()) return;
    const all = this.#options.approvals.all;
    this.#forgetOthers(all);
    const fresh = all.filter((approval) => this.#sent.get(approval.id) !== approval);
    const cards = await Promise.all(fresh.map((approval) => this.#cardOf(approval)));
    // A page that became ready meanwhile must be told everything, which has been scheduled; a hidden one nothing.
    if (generation !== this.#generation || !connection.isVisible()) return;
    const isFirst = this.#sent.size === 0;
    for (const approval of fresh) this.#sent.set(approval.id, approval);
    connection.post(this.#stateMessage(all, cards, isFirst));
    if (this.#focus) connection.post({ type: 'focus', ...this.#focus });
    this.#focus = undefined;
  }

  #stateMessage(all: readonly Approval[], cards: readonly Card[], isFirst: boolean): ToPage {
    const { t, status } = this.#options;
    const waiting = all.filter(isOpen);
    const unheard = waiting.filter(({ id, state }) => state === 'waiting' && !this.#announced.has(id));
    for (const { id } of unheard) this.#announced.add(id);
    const announce = announcement(unheard, t);
    const notice = noticeText(status(), t);
    return {
      type: 'state',
      ...(isFirst ? { strings: pageStrings(t) } : {}),
      welcome: welcomeText(status(), t),
      ...(notice ? { notice } : {}),
      waiting: waiting.map(({ id }) => id),
      recent: all.filter((approval) => !isOpen(approval)).map(({ id }) => id),
      cards: [...cards],
      ...(announce ? { announce } : {}),
    };
  }

  async #cardOf(approval: Approval): Promise<Card> {
    const { t, windowName } = this.#options;
    const note = this.#notes.get(approval.id);
    const context = { t, windowName: windowName(), notes: note === undefined ? [] : [note] };
    return isOpen(approval)
      ? waitingCard(approval, await this.#changesOf(approval), context)
      : finishedCard(approval, context);
  }

  /** Computed once for a waiting approval; undefined when its texts cannot be read. */
  #changesOf(approval: Approval): Promise<readonly FileChanges[] | undefined> {
    const known = this.#changes.get(approval.id);
    if (known) return known;
    const computed = this.#computeChanges(approval).catch(() => undefined);
    this.#changes.set(approval.id, computed);
    return computed;
  }

  async #computeChanges({ id, files }: Approval): Promise<FileChanges[]> {
    const changes: FileChanges[] = [];
    for (const [index, { unifiedLineEnds }] of files.entries()) {
      const { base, result } = await this.#options.approvals.texts(id, index);
      const rows = diffRows(base, result);
      const baseLineCount = base === '' ? 0 : base.split('\n').length;
      changes.push({ segments: segmentsOf(rows), warnings: warningsOf(rows, { baseLineCount, unifiedLineEnds }) });
    }
    return changes;
  }

  #forgetOthers(all: readonly Approval[]): void {
    const known = new Set(all.map(({ id }) => id));
    const open = new Set(all.filter(isOpen).map(({ id }) => id));
    for (const kept of [this.#sent, this.#announced, this.#notes]) {
      for (const id of kept.keys()) if (!known.has(id)) kept.delete(id);
    }
    for (const id of this.#changes.keys()) if (!open.has(id)) this.#changes.delete(id);
  }
}

function isOpen({ state }: Approval): boolean {
  return state === 'waiting' || state === 'applying';
}
