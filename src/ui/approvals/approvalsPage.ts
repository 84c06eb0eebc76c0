import type { Clock } from '#base/clock.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import { fromPage, type PageCommand } from '#ui/page/fromPage.ts';
import { type Card, type StateMessage, type ToPage } from '#ui/page/messages.ts';
import { announcement, noticeText, pageStrings, welcomeText, type ViewStatus } from './approvalsViewText.ts';
import { CardRules, type CardRulesOptions } from './cardRules.ts';
import { frameOf, selectionOf } from './cardSelection.ts';
import { finishedCard, waitingCard } from './cardText.ts';
import { Choices } from './choices.ts';
import { Drawings } from './drawings.ts';
import { groupsOf } from './groupText.ts';
import { modeBannerText, type ModeStatus } from './modeBannerText.ts';
import { PageActs } from './pageActs.ts';
import { readCard } from './readCard.ts';
import { restrictionText } from './restrictionText.ts';
import type { Drawing } from './sharedCardText.ts';
import type { Translate } from './translate.ts';

export interface ApprovalsPageOptions extends Omit<CardRulesOptions, 'approvals'> {
  readonly approvals: Approvals;
  readonly clock: Pick<Clock, 'after'>;
  readonly t: Translate;
  readonly mode: () => ModeStatus;
  /** The user wants to be asked for every change again. */
  readonly backToManual: () => void;
  /** Shows a rule where rules are kept. */
  readonly showRule: (ruleId: string) => void;
  /** Names of running tasks that may act at once on a change of these files (URIs). */
  readonly watchingTasks: (uris: readonly string[]) => readonly string[];
  readonly status: () => ViewStatus;
  /** The name of the workspace in the title of the window. */
  readonly windowName: () => string | undefined;
  /** Opens the editor's diff; of all files without an index. */
  readonly openDiff: (id: string, fileIndex?: number) => void;
  readonly runCommand: (command: PageCommand) => void;
  /** Puts the keyboard back into the editor. */
  readonly leave: () => void;
}

/** A rendered webview. */
export interface PageConnection {
  /** The page gets it with its HTML. Messages without it are ignored. */
  readonly secret: string;
  readonly isVisible: () => boolean;
  readonly post: (message: ToPage) => void;
}

/** The last state of an approval that the page was sent. */
interface Sent {
  readonly approval: Approval;
  readonly frame: string;
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
  readonly #drawings: Drawings;
  readonly #choices: Choices;
  readonly #rules: CardRules;
  readonly #acts: PageActs;
  readonly #sent = new Map<string, Sent>();
  /** Waiting reads that were drawn: nothing of them changes. */
  readonly #sentReads = new Set<string>();
  /** The last state without its cards. */
  #sentState = '';
  readonly #announced = new Set<string>();
  readonly #shownGroups = new Set<string>();
  readonly #notes = new Map<string, string>();
  #focus: { readonly id?: string } | undefined;
  #isScheduled = false;
  /** Something changed since the last message was begun. */
  #isDirty = false;
  #isUpdating = false;

  constructor(options: ApprovalsPageOptions) {
    const { approvals } = options;
    this.#options = options;
    this.#drawings = new Drawings(approvals);
    this.#choices = new Choices({
      approvals,
      shown: (id) => this.#sent.get(id)?.approval.revision,
      refused: (id) => this.#sendAgain(id),
    });
    this.#rules = new CardRules(options);
    this.#acts = new PageActs({
      ...options,
      cardRules: this.#rules,
      drawings: this.#drawings,
      choices: this.#choices,
      post: (message) => this.#connection?.post(message),
      whenArmed: (display) => this.#whenArmed(display),
      changed: () => this.changed(),
      sendAgain: (id) => this.#sendAgain(id),
      focus: (id) => this.focus(id),
      note: (id, text) => void (text === undefined ? this.#notes.delete(id) : this.#notes.set(id, text)),
      groupShown: (groupId) => this.#shownGroups.add(groupId),
    });
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

  /** Something changed that no approval tells of, such as the rules or the tasks that run. */
  surroundingsChanged(): void {
    this.#sent.clear();
    this.changed();
  }

  /** Brings up a card, the first one without an id, as soon as the page can. */
  focus(id?: string): void {
    this.#focus = id === undefined ? {} : { id };
    this.changed();
  }

  /** Returns true once the approval's card, or the header of its group, has been on the user's screen. */
  hasShown({ displayedAt, groupId }: Approval): boolean {
    return displayedAt !== undefined || this.#shownGroups.has(groupId);
  }

  /** A message of the webview, of any shape. */
  receive(message: unknown): void {
    const parsed = fromPage.safeParse(message);
    const connection = this.#connection;
    if (!parsed.success || !connection || parsed.data.secret !== connection.secret) return;
    if (parsed.data.type === 'ready') this.#restart(true);
    else if (connection.isVisible()) this.#acts.receive(parsed.data);
  }

  #restart(isReady: boolean): void {
    this.#generation += 1;
    this.#isReady = isReady;
    this.#sent.clear();
    this.#sentReads.clear();
    this.#sentState = '';
    if (isReady) this.changed();
  }

  /** Tells the page that shows now; one that is drawn anew meanwhile counts its displays anew. */
  #whenArmed(display: number): () => void {
    const generation = this.#generation;
    return () => {
      if (generation === this.#generation) this.#connection?.post({ type: 'armed', display });
    };
  }

  /** Whatever the page shows of it. */
  #sendAgain(id: string): void {
    this.#sent.delete(id);
    this.#sentReads.delete(id);
    this.changed();
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
    const fresh = all.filter((approval) => this.#sent.get(approval.id)?.approval !== approval);
    const drawn = await Promise.all(fresh.map((approval) => this.#cardOf(approval)));
    // A page that became ready meanwhile must be told everything, which has been scheduled; a hidden one nothing.
    if (generation !== this.#generation || !connection.isVisible()) return;
    const isFirst = this.#sentState === '';
    const changed = drawn.filter(({ approval, card }) => !this.#postSelection(approval, card));
    const cards = [...changed.map(({ card }) => card), ...this.#freshReads()];
    const state = this.#stateMessage(all);
    const announce = this.#announcement(all);
    const sentState = JSON.stringify(state);
    if (cards.length > 0 || announce || sentState !== this.#sentState) {
      connection.post({
        ...state,
        cards,
        ...(isFirst && { strings: pageStrings(this.#options.t) }),
        ...(announce && { announce }),
      });
    }
    this.#sentState = sentState;
    if (this.#focus) connection.post({ type: 'focus', ...this.#focus });
    this.#focus = undefined;
  }

  /** False when the page must be told more of the card than what is selected. */
  #postSelection(approval: Approval, card: Card): boolean {
    const last = this.#sent.get(approval.id);
    const frame = frameOf(card);
    this.#sent.set(approval.id, { approval, frame });
    if (last?.frame !== frame) return false;
    // Also when it is what was sent last: a check box may have been clicked twice meanwhile.
    const isOther = last.approval.revision !== approval.revision;
    if (isOther) this.#connection?.post(selectionOf(card, this.#choices.isOwn(approval)));
    return true;
  }

  #stateMessage(all: readonly Approval[]): StateMessage {
    const { approvals, t, status } = this.#options;
    const waiting = all.filter(isOpen);
    const notice = noticeText(status(), t);
    const mode = modeBannerText(this.#options.mode(), t);
    const open = [...waiting, ...approvals.waitingReads].toSorted((a, b) => a.requestedAt - b.requestedAt);
    return {
      type: 'state',
      welcome: welcomeText(status(), t),
      ...(notice ? { notice } : {}),
      ...(mode ? { mode } : {}),
      restrictions: approvals.restrictions.map((restriction) => restrictionText(restriction, t)),
      waiting: open.map(({ id }) => id),
      recent: all.filter((approval) => !isOpen(approval)).map(({ id }) => id),
      groups: groupsOf(waiting, t),
      cards: [],
    };
  }

  #announcement(all: readonly Approval[]): StateMessage['announce'] {
    const unheard = all.filter(({ id, state }) => state === 'waiting' && !this.#announced.has(id));
    const { approvals, t } = this.#options;
    const reads = approvals.waitingReads.filter(({ id }) => !this.#announced.has(id));
    for (const { id } of [...unheard, ...reads]) this.#announced.add(id);
    return announcement(unheard, reads, t);
  }

  #freshReads(): Card[] {
    const { approvals, t, windowName } = this.#options;
    const fresh = approvals.waitingReads.filter(({ id }) => !this.#sentReads.has(id));
    for (const read of fresh) this.#sentReads.add(read.id);
    return fresh.map((read) => readCard(read, windowName(), t));
  }

  /** The card of the approval as it is by now, which may be newer than the one given. */
  async #cardOf(given: Approval): Promise<{ readonly approval: Approval; readonly card: Card }> {
    const current = isOpen(given) ? await this.#drawings.current(given.id) : undefined;
    const approval = current?.approval ?? given;
    return { approval, card: this.#draw(approval, current?.drawing) };
  }

  #draw(approval: Approval, drawing: Drawing | undefined): Card {
    const { approvals, t, windowName } = this.#options;
    const { id, replacedBy } = approval;
    const note = this.#notes.get(id);
    const hasSuccessor = replacedBy !== undefined && approvals.get(replacedBy) !== undefined;
    const context = {
      t,
      windowName: windowName(),
      notes: note === undefined ? [] : [note],
      hasSuccessor,
      rules: this.#rules.menu(approval),
      savedRule: this.#rules.saved(id),
      watchingTasks: isOpen(approval) ? this.#options.watchingTasks(urisOf(approval)) : [],
    };
    return isOpen(approval) ? waitingCard(approval, drawing, context) : finishedCard(approval, context);
  }

  #forgetOthers(all: readonly Approval[]): void {
    const known = new Set([...all, ...this.#options.approvals.waitingReads].map(({ id }) => id));
    const open = new Set(all.filter(isOpen).map(({ id }) => id));
    for (const kept of [this.#sent, this.#sentReads, this.#announced, this.#notes]) {
      for (const id of kept.keys()) if (!known.has(id)) kept.delete(id);
    }
    const groups = new Set(all.filter(isOpen).map(({ groupId }) => groupId));
    for (const id of this.#shownGroups) if (!groups.has(id)) this.#shownGroups.delete(id);
    this.#drawings.keep(open);
    this.#choices.keep(open);
    this.#rules.keep(known);
    this.#acts.keep(new Set([...known, ...groups]));
  }
}

function isOpen({ state }: Approval): boolean {
  return state === 'waiting' || state === 'applying';
}

function urisOf({ files }: Approval): string[] {
  return files.flatMap(({ uri, to }) => [uri, ...(to ? [to.uri] : [])]);
}
