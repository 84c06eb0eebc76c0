import type { Clock } from '#base/clock.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import { awaitsUser } from '#changes/halfDone.ts';
import { isOpen, isUnfinished } from '#changes/requests.ts';
import { fromPage, type PageCommand } from '#ui/page/fromPage.ts';
import type {
  ModeStatus,
  PageApproval,
  PageAsk,
  RowsMessage,
  StateMessage,
  ToPage,
  ViewStatus,
} from '#ui/page/messages.ts';
import type { Translate } from '#ui/page/words/translate.ts';
import { warningTexts } from '#ui/page/words/warningText.ts';
import type { CardFacts } from './cardFacts.ts';
import { CardRules, type CardRulesOptions } from './cardRules.ts';
import { Choices } from './choices.ts';
import { Drawings, firstRows, type Drawing } from './drawings.ts';
import { modeOffer, PageActs } from './pageActs.ts';
import { allowedByMode, groupsOf, pageApproval, pageRead } from './pageData.ts';
import type { PageMemory } from './pageMemory.ts';
import { type ColourCode, RowColours } from './rowColours.ts';

export interface ApprovalsPageOptions extends Omit<CardRulesOptions, 'approvals'> {
  readonly approvals: Approvals;
  readonly clock: Pick<Clock, 'after'>;
  readonly t: Translate;
  readonly memory: PageMemory;
  readonly mode: () => ModeStatus;
  /** The user wants to be asked for every change again. */
  readonly backToManual: () => void;
  /** Shows a rule where rules are kept. */
  readonly showRule: (ruleId: string) => void;
  /** Names of running tasks that may act at once on a change of these files (URIs). */
  readonly watchingTasks: (uris: readonly string[]) => readonly string[];
  readonly status: () => ViewStatus;
  /** Opens the editor's diff; of all files without an index. */
  readonly openDiff: (id: string, fileIndex?: number) => void;
  /** Opens the review tab of an approval. */
  readonly openReview: (id: string) => void;
  /** Opens the whole change of an approval as a text. */
  readonly openText: (id: string) => void;
  /** Puts a text on the clipboard. */
  readonly copy: (text: string) => void;
  readonly runCommand: (command: PageCommand) => void;
  /** The page got the keyboard. */
  readonly focused: () => void;
  /** Puts the keyboard back into the editor. */
  readonly leave: () => void;
  /** The only approval that the page shows, with those that take its place; absent for a page that shows all. */
  readonly only?: string;
  /** Another page decides about the approval, so this one takes no decision. */
  readonly isElsewhere: (id: string) => boolean;
  /** What takes time to find out about a change; shared by all pages. */
  readonly facts: CardFacts;
  readonly colourCode: ColourCode;
}

/** Unseen places that the page names. */
const namedPlaces = 3;

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
  readonly json: string;
  /** Its card has a warning. */
  readonly isWarned: boolean;
  readonly drawing: number | undefined;
}

/**
 * The host's half of a review page. The queue is the truth: the page is told what it shows, from the start whenever it
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
  readonly #colours: RowColours;
  readonly #sent = new Map<string, Sent>();
  /** Approvals that the page must be told again, whatever it shows of them. */
  readonly #due = new Set<string>();
  /** The last state without its approvals. */
  #sentState = '';
  readonly #announced = new Set<string>();
  readonly #notes = new Map<string, string>();
  #focus: { readonly id?: string } | undefined;
  #ask: PageAsk | undefined;
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
    this.#colours = new RowColours({
      colourCode: options.colourCode,
      drawings: this.#drawings,
      post: (message) => this.#connection?.post(message),
    });
    this.#acts = new PageActs({
      ...options,
      cardRules: this.#rules,
      isWarned: (id) => this.#isWarned(id),
      drawings: this.#drawings,
      choices: this.#choices,
      post: (message) => this.#connection?.post(message),
      whenArmed: (display, armed) => this.#whenArmed(display, armed),
      changed: () => this.changed(),
      sendAgain: (id) => this.#sendAgain(id),
      focus: (id) => this.focus(id),
      note: (id, text) => void (text === undefined ? this.#notes.delete(id) : this.#notes.set(id, text)),
      finished: () =>
        this.#shown()
          .filter((approval) => !isUnfinished(approval))
          .map(({ id }) => id),
    });
  }

  /** A webview was rendered; it is heard once its page says that it is ready. */
  connect(connection: PageConnection): void {
    const post = (message: ToPage): void => {
      connection.post(message);
      this.#colours.follow(message);
    };
    this.#connection = { ...connection, post };
    this.#restart(false);
  }

  /** The page ended with its view's visibility. Until one says that it is ready again, nothing must be sent into the void. */
  hidden(): void {
    this.#restart(false);
  }

  disconnect(connection: PageConnection): void {
    if (this.#connection?.secret === connection.secret) this.#connection = undefined;
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

  /** Something was found out about an approval. */
  factsFound(id: string): void {
    if (this.#sent.has(id)) this.#sendAgain(id);
  }

  /** Something changed that no approval tells of, such as the rules, the tasks that run, or which page decides. */
  surroundingsChanged(): void {
    for (const id of this.#sent.keys()) this.#due.add(id);
    this.changed();
  }

  /** Other colours may come out than before. */
  coloursChanged(): void {
    this.#colours.setTheme();
  }

  /** Brings up a card, the first one without an id, as soon as the page can. */
  focus(id?: string): void {
    this.#focus = id === undefined ? {} : { id };
    this.changed();
  }

  /** Lets the page do what a command of the editor asks for, as soon as the page can. None of these decides anything. */
  ask(ask: PageAsk): void {
    this.#ask = ask;
    this.changed();
  }

  /** Returns true when the approval is one of those that the page shows. */
  shows(id: string): boolean {
    return this.#shown().some((approval) => approval.id === id);
  }

  /** True while an approval that the page shows waits. */
  get isWaiting(): boolean {
    return this.#shown().some(isUnfinished);
  }

  /** A message of the webview, of any shape. */
  receive(message: unknown): void {
    const parsed = fromPage.safeParse(message);
    const connection = this.#connection;
    if (!parsed.success || !connection || parsed.data.secret !== connection.secret) return;
    if (parsed.data.type === 'ready') this.#restart(true);
    else if (parsed.data.type === 'theme') this.#colours.setTheme(parsed.data.theme);
    else if (!connection.isVisible()) return;
    else if (parsed.data.type === 'focused') this.#options.focused();
    else this.#acts.receive(parsed.data);
  }

  #restart(isReady: boolean): void {
    this.#generation += 1;
    this.#isReady = isReady;
    this.#sent.clear();
    this.#due.clear();
    this.#acts.disarm();
    this.#colours.restart();
    this.#sentState = '';
    if (isReady) this.changed();
  }

  /** Tells the page that shows now; one that is drawn anew meanwhile counts its displays anew. */
  #whenArmed(display: number, armed: () => void): () => void {
    const generation = this.#generation;
    return () => {
      if (generation !== this.#generation) return;
      armed();
      this.#connection?.post({ type: 'armed', display });
    };
  }

  /** Whatever the page shows of it. */
  #sendAgain(id: string): void {
    this.#due.add(id);
    this.#sentState = this.#sentState === '' ? '' : 'due';
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
    const all = this.#shown();
    this.#forgetOthers();
    const fresh = all
      .filter(({ id }) => this.#due.has(id))
      .concat(
        all.filter((approval) => !this.#due.has(approval.id) && this.#sent.get(approval.id)?.approval !== approval),
      );
    const drawn = await Promise.all(fresh.map((approval) => this.#dataOf(approval)));
    // A page that became ready meanwhile must be told everything, which has been scheduled; a hidden one nothing.
    if (generation !== this.#generation || !connection.isVisible()) return;
    const isFirst = this.#sentState === '';
    const rows: Omit<RowsMessage, 'type'>[] = [];
    const approvals: PageApproval[] = [];
    const redrawn: string[] = [];
    for (const { approval, drawing, data } of drawn) {
      const { id } = approval;
      const last = this.#sent.get(id);
      const json = JSON.stringify(data);
      const isDue = this.#due.delete(id);
      const isWarned = warningTexts(data, this.#options.t).length > 0;
      this.#sent.set(id, { approval, json, isWarned, drawing: drawing?.number });
      if (drawing && last?.drawing !== drawing.number) {
        rows.push(...firstRows(id, drawing));
        this.#options.memory.settle(id, drawing.files);
        redrawn.push(id);
      }
      if (isDue || last?.json !== json) approvals.push(data);
    }
    const state = this.#stateMessage(all);
    const announce = this.#announcement(all);
    const sentState = JSON.stringify(state);
    if (approvals.length > 0 || announce.length > 0 || sentState !== this.#sentState) {
      connection.post({
        ...state,
        approvals,
        rows,
        announce,
        remembered: this.#options.memory.of(isFirst ? state.waiting : redrawn),
      });
    }
    this.#sentState = sentState;
    if (this.#focus) connection.post({ type: 'focus', ...this.#focus });
    this.#focus = undefined;
    if (this.#ask) connection.post({ type: 'ask', ask: this.#ask });
    this.#ask = undefined;
  }

  /** The approvals that the page shows. */
  #shown(): readonly Approval[] {
    const { approvals, only, memory } = this.#options;
    const all = approvals.all.filter((approval) => isUnfinished(approval) || !memory.isCleared(approval.id));
    if (only === undefined) return all;
    const chain = new Set([only]);
    for (
      let id = approvals.get(only)?.replacedBy;
      id !== undefined && !chain.has(id);
      id = approvals.get(id)?.replacedBy
    ) {
      chain.add(id);
    }
    return all.filter(({ id }) => chain.has(id));
  }

  #stateMessage(all: readonly Approval[]): StateMessage {
    const { approvals, status, mode, only } = this.#options;
    const waiting = all.filter(isUnfinished);
    const reads = only === undefined ? approvals.waitingReads : [];
    const open = [...waiting, ...reads].toSorted((a, b) => a.requestedAt - b.requestedAt);
    return {
      type: 'state',
      status: status(),
      mode: mode(),
      restrictions: approvals.restrictions,
      waiting: open.map(({ id }) => id),
      finished: all.filter((approval) => !isUnfinished(approval)).map(({ id }) => id),
      groups: groupsOf(waiting.filter(isOpen), (id) => this.#isWarned(id)),
      allowedByMode:
        only === undefined ? allowedByMode(waiting, mode().mode, this.#drawings, (id) => this.#isWarned(id)) : [],
      reads: reads.map(pageRead),
      approvals: [],
      rows: [],
      announce: [],
      remembered: [],
    };
  }

  /** Ids of approvals and reads that no page has announced. A tab announces nothing: it shows what was announced before. */
  #announcement(all: readonly Approval[]): readonly string[] {
    const { approvals, only } = this.#options;
    if (only !== undefined) return [];
    const open = [...all.filter(awaitsUser), ...approvals.waitingReads];
    const unheard = open.map(({ id }) => id).filter((id) => !this.#announced.has(id));
    for (const id of unheard) this.#announced.add(id);
    return unheard;
  }

  /** The approval as it is by now, which may be newer than the one given, with everything that its card shows. */
  async #dataOf(given: Approval): Promise<{ approval: Approval; drawing: Drawing | undefined; data: PageApproval }> {
    const current = isOpen(given) ? await this.#drawings.current(given.id) : undefined;
    const approval = current?.approval ?? given;
    const drawing = isOpen(approval) ? current?.drawing : undefined;
    const { approvals, watchingTasks, isElsewhere, facts } = this.#options;
    const { id, replacedBy } = approval;
    const note = this.#notes.get(id);
    const unseen = approvals.unseenPlaces(id);
    const [rules, savedRule] = [this.#rules.offers(approval), this.#rules.saved(id)];
    const data = pageApproval(approval, drawing, drawing ? facts.of(approval) : [], {
      ownSelection: this.#choices.isOwn(approval),
      ...(rules && { rules }),
      ...(savedRule && { savedRule }),
      watchingTasks: isOpen(approval) ? watchingTasks(urisOf(approval)) : [],
      notes: note === undefined ? [] : [note],
      hasSuccessor: replacedBy !== undefined && approvals.get(replacedBy) !== undefined,
      isElsewhere: isElsewhere(id),
      unseen: { named: unseen.slice(0, namedPlaces), total: unseen.length },
    });
    return { approval, drawing, data };
  }

  /** The text of a change has warnings, or something was found out about it. */
  #isWarned(id: string): boolean {
    return this.#options.approvals.isWarned(id) || this.#sent.get(id)?.isWarned === true;
  }

  #forgetOthers(): void {
    const { approvals, memory } = this.#options;
    const all = approvals.all;
    const known = new Set([...all, ...approvals.waitingReads].map(({ id }) => id));
    const open = new Set(all.filter(isOpen).map(({ id }) => id));
    for (const kept of [this.#sent, this.#due, this.#announced, this.#notes]) {
      for (const id of kept.keys()) if (!known.has(id)) kept.delete(id);
    }
    const groups = new Set(all.filter(isOpen).map(({ groupId }) => groupId));
    this.#drawings.keep(open);
    this.#choices.keep(open);
    this.#rules.keep(known);
    this.#acts.keep(new Set([...known, ...groups, modeOffer]));
    this.#options.facts.keep(open);
    for (const { id, replacedBy } of all) if (replacedBy !== undefined) memory.move(id, replacedBy);
    memory.keep(known);
  }
}

function urisOf({ files }: Approval): string[] {
  return files.flatMap(({ uri, to }) => [uri, ...(to ? [to.uri] : [])]);
}
