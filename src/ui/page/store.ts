import type { PageMessage, Remembered } from './fromPage.ts';
import type { FoundMessage, PageApproval, PageRead, Refusal, RulePreview, StateMessage, ToPage } from './messages.ts';
import { type GridRow, type RowRange, withRange } from './largeRows.ts';
import { PageRows } from './pageRows.ts';
import { arranged, type Place } from './places.ts';

/** The facts that the host told, without the changes that one message carries. */
export type HostState = Omit<StateMessage, 'type' | 'approvals' | 'rows' | 'announce' | 'remembered'>;

/** What must not move, and where the pointer or the keyboard is. */
export interface Presence {
  /** Pointer or keyboard are among the cards: nothing there may move. */
  readonly isOccupied: () => boolean;
  /** Neither of them is in this place. */
  readonly isFree: (place: Place) => boolean;
}

/** The grid that shows a large change. */
export interface ChangeGrid {
  /** Brings up a row. @param focuses gives it the keyboard; true when absent */
  readonly show: (row: GridRow, focuses?: boolean) => void;
  /** The row that has the keyboard, or had it last. */
  readonly current: () => GridRow;
  /** The files in the order in which they are shown, their own rows, and the headers of their hunks. */
  readonly places: {
    readonly order: readonly number[];
    readonly files: readonly GridRow[];
    readonly changes: readonly GridRow[];
  };
}

/** Milliseconds without scrolling after which the host is told what was on screen. */
const restTime = 500;

/** What the page knows. Elements are made from it alone, and every change of it draws the page again. */
export class PageStore {
  readonly #send: (message: PageMessage) => void;
  readonly #presence: Presence;
  readonly #approvals = new Map<string, PageApproval>();
  readonly #remembered = new Map<string, Remembered>();
  readonly #refusals = new Map<string, Refusal>();
  /** Approvals whose decision was sent, and not refused. */
  readonly #decided = new Set<string>();
  readonly #endReached = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #openGroups = new Set<string>();
  readonly #everOpened = new Set<string>();
  /** The display that lasts now, by what is displayed: an approval, or `group` and its id. */
  readonly #displays = new Map<string, number>();
  readonly #armed = new Set<number>();
  #displayCount = 0;
  #seenTimer: ReturnType<typeof setTimeout> | undefined;
  #places: readonly Place[] = [];
  #isChanged = false;
  #listener: () => void = () => undefined;
  #decisionListener: (id: string) => void = () => undefined;
  /** The rows of the changes. */
  readonly rows: PageRows;
  host: HostState | undefined;
  preview: RulePreview | undefined;
  /** The approval that the user picked by pointer or keyboard. */
  picked: string | undefined;
  /** The approval or the closed group that owns the action bar. */
  owner: string | undefined;
  /** Only requests of this assistant are shown; absent for all. */
  client: string | undefined;
  /** The text that was looked for in the change, and where it stands. */
  found: FoundMessage | undefined;
  /** Blanks and tabs in the rows are marked. */
  showsWhitespace = false;
  /** The grid of a large change, while one is drawn. */
  grid: ChangeGrid | undefined;
  /** The numbers that the user typed to confirm deletes, by approval. */
  readonly typed = new Map<string, string>();
  /** The approval whose missing answer or number is pointed out. */
  complaint: string | undefined;

  constructor(send: (message: PageMessage) => void, presence: Presence) {
    this.#send = send;
    this.#presence = presence;
    this.rows = new PageRows(send);
  }

  /** Calls back once after any number of changes in one task. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** Calls back with each approval that is decided on this page. */
  onDecided(listener: (id: string) => void): void {
    this.#decisionListener = listener;
  }

  changed(): void {
    if (this.#isChanged) return;
    this.#isChanged = true;
    queueMicrotask(() => {
      this.#isChanged = false;
      this.#listener();
    });
  }

  send(message: PageMessage): void {
    this.#send(message);
  }

  /** Takes a message of the host, but for those that only move the keyboard. */
  receive(message: ToPage): void {
    if (message.type === 'state') this.#takeState(message);
    else if (message.type === 'rows') this.#takeRows(message);
    else if (message.type === 'unchangedRows') {
      if (this.#isShown(message)) this.rows.takeUnchanged(message);
    } else if (message.type === 'found') {
      if (this.#isShown(message)) this.found = message;
    } else if (message.type === 'colours') {
      if (this.#isShown(message)) this.rows.takeColours(message);
    } else if (message.type === 'rulePreview') this.#takePreview(message);
    else if (message.type === 'armed') this.#arm(message.display);
    else if (message.type === 'refused') {
      this.#decided.delete(message.id);
      if (message.why === undefined) this.#refusals.delete(message.id);
      else this.#refusals.set(message.id, message.why);
      if (this.#displays.has(message.id)) this.display(message.id);
    }
    this.changed();
  }

  /** Groups and cards keep their places, new ones come last. */
  arrange(): void {
    const { host } = this;
    if (!host) return;
    const isShown = (id: string): boolean => this.client === undefined || this.clientOf(id) === this.client;
    this.#places = arranged(this.#places, {
      waiting: host.waiting.filter(isShown),
      groups: host.groups,
      isOccupied: this.#presence.isOccupied(),
      isFree: this.#presence.isFree,
      wasOpened: (id) => this.#everOpened.has(id),
    });
    this.changed();
  }

  get places(): readonly Place[] {
    return this.#places;
  }

  /** Ids of the waiting cards in the order on the page. */
  get order(): readonly string[] {
    return this.#places.flatMap(({ ids }) => ids);
  }

  approval(id: string): PageApproval | undefined {
    return this.#approvals.get(id);
  }

  read(id: string): PageRead | undefined {
    return this.host?.reads.find((read) => read.id === id);
  }

  clientOf(id: string): string | undefined {
    return (this.#approvals.get(id)?.approval ?? this.read(id))?.client?.name;
  }

  /** Waits for a decision that this page can take: not those that are applied now. */
  isWaiting(id: string): boolean {
    const isApplied = this.#approvals.get(id)?.approval.state === 'applying';
    return !isApplied && this.host?.waiting.includes(id) === true;
  }

  /** Rows of a large change were on screen. The host is told once the user rests. */
  rowsSeen(id: string, drawing: number, seen: readonly RowRange[]): void {
    const kept = this.remembered(id);
    const old = kept.seen?.drawing === drawing ? kept.seen.ranges : [];
    const ranges = seen.reduce<readonly RowRange[]>(withRange, old);
    if (ranges === old || ranges.length > 2000) return;
    this.#remembered.set(id, { ...kept, seen: { drawing, ranges: [...ranges] } });
    clearTimeout(this.#seenTimer);
    this.#seenTimer = setTimeout(() => this.remember(id, {}), restTime);
    this.changed();
  }

  remembered(id: string): Remembered {
    return this.#remembered.get(id) ?? { id, viewed: [], comments: [] };
  }

  remember(id: string, change: Partial<Omit<Remembered, 'id'>>): void {
    const next = { ...this.remembered(id), ...change };
    this.#remembered.set(id, next);
    this.#send({ type: 'remember', ...next });
    this.changed();
  }

  /** Closes the field for a draft. */
  forgetDraft(id: string): void {
    const { draft: _, ...kept } = this.remembered(id);
    this.#remembered.set(id, kept);
    this.#send({ type: 'remember', ...kept });
    this.changed();
  }

  refusal(id: string): Refusal | undefined {
    return this.#refusals.get(id);
  }

  refuse(id: string, why: Refusal): void {
    this.#refusals.set(id, why);
    this.changed();
  }

  isDecided(id: string): boolean {
    return this.#decided.has(id);
  }

  /** A decision was sent. */
  decided(id: string): void {
    this.#decided.add(id);
    this.#decisionListener(id);
    this.#refusals.delete(id);
    this.preview = undefined;
    this.changed();
  }

  /** The last rows of all files have been on screen in this drawing. */
  endReached(id: string, drawing: number): void {
    if (this.#endReached.get(id) === drawing) return;
    this.#endReached.set(id, drawing);
    this.#send({ type: 'endReached', id, drawing });
    this.changed();
  }

  hasReachedEnd(id: string, drawing: number): boolean {
    return this.#endReached.get(id) === drawing;
  }

  /** The card has been on screen, so that it may be approved with the others of its group. */
  seen(id: string): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#send({ type: 'displayed', id, display: 0 });
    const group = this.groupOf(id);
    if (group !== undefined) this.displayGroup(group);
    this.changed();
  }

  hasSeen(id: string): boolean {
    return this.#seen.has(id);
  }

  /** What can be decided appeared, or moved: its time starts anew. */
  display(id: string): void {
    // The page moves when a decision leaves it. The decision must not be held against a new display while the host works on it.
    if (this.#decided.has(id) && this.isWaiting(id)) return;
    this.#seen.add(id);
    const display = this.#nextDisplay(id);
    this.#send({ type: 'displayed', id, display });
    // The host takes no decision on a card that has just come on screen, and neither does the button of its group.
    const group = this.groupOf(id);
    if (group !== undefined && this.#displays.has(`group ${group}`)) this.displayGroup(group);
  }

  /** The button that approves all of a group appeared, or moved. */
  displayGroup(groupId: string): void {
    this.#send({ type: 'approveAllDisplayed', groupId, display: this.#nextDisplay(`group ${groupId}`) });
  }

  /** It is not on screen any more, or not in this place. */
  undisplay(key: string): void {
    if (this.#displays.delete(key)) this.changed();
  }

  /** The page is hidden. */
  undisplayAll(): void {
    this.#displays.clear();
    this.changed();
  }

  /** The number of the present display; undefined when there is none. */
  displayOf(key: string): number | undefined {
    return this.#displays.get(key);
  }

  isArmed(key: string): boolean {
    const display = this.#displays.get(key);
    return display !== undefined && this.#armed.has(display);
  }

  groupOf(id: string): string | undefined {
    return this.#places.find(({ ids }) => ids.includes(id))?.group;
  }

  isOpen(groupId: string): boolean {
    return this.#openGroups.has(groupId);
  }

  toggleGroup(groupId: string, isOpen: boolean): void {
    if (isOpen) this.#openGroups.add(groupId);
    else this.#openGroups.delete(groupId);
    if (isOpen && !this.#everOpened.has(groupId)) {
      this.#everOpened.add(groupId);
      this.#send({ type: 'groupOpened', groupId });
    }
    this.changed();
  }

  #arm(display: number): void {
    this.#armed.add(display);
    for (const [key, current] of this.#displays) {
      // A decision that came too early is no news any more.
      if (current === display && this.#refusals.get(key) === 'too_fast') this.#refusals.delete(key);
    }
  }

  #nextDisplay(key: string): number {
    this.#displayCount += 1;
    this.#displays.set(key, this.#displayCount);
    this.changed();
    return this.#displayCount;
  }

  #takeState(message: StateMessage): void {
    const { approvals, rows, remembered } = message;
    const host: HostState = message;
    this.host = host;
    for (const page of approvals) this.#takeApproval(page);
    for (const chunk of rows) this.#takeRows(chunk);
    for (const each of remembered) this.#remembered.set(each.id, withOwn(each, this.#remembered.get(each.id)));
    const known = new Set([...host.waiting, ...host.finished]);
    for (const kept of [
      this.#approvals,
      this.#remembered,
      this.#refusals,
      this.#decided,
      this.#endReached,
      this.#seen,
    ]) {
      for (const id of kept.keys()) if (!known.has(id)) kept.delete(id);
    }
    this.rows.keepApprovals(known);
    if (this.preview && !host.waiting.includes(this.preview.id)) this.preview = undefined;
    this.arrange();
  }

  #takeApproval(page: PageApproval): void {
    const { approval, drawing, ownSelection } = page;
    const { id, proposalHash, state } = approval;
    const old = this.#approvals.get(id);
    this.#approvals.set(id, withKnownFiles(page, old));
    if (old === undefined) return;
    if (old.drawing?.number !== drawing?.number) {
      this.rows.keepDrawing(id, drawing?.number);
      if (this.found?.id === id) this.found = undefined;
    }
    // What is shown may be a rule of files that were taken out.
    if (this.preview?.id === id && this.preview.proposalHash !== proposalHash) this.preview = undefined;
    const isOther = old.approval.proposalHash !== proposalHash && !ownSelection;
    if (state !== old.approval.state || page.isElsewhere !== old.isElsewhere) this.undisplay(id);
    else if (isOther && this.#displays.has(id)) this.display(id);
    if (!this.isWaiting(id)) this.#refusals.delete(id);
  }

  /** Takes rows of the drawing that the page shows. */
  #takeRows(message: Omit<Extract<ToPage, { type: 'rows' }>, 'type'>): void {
    if (this.#isShown(message)) this.rows.take(message);
  }

  #isShown({ id, drawing }: { readonly id: string; readonly drawing: number }): boolean {
    return this.#approvals.get(id)?.drawing?.number === drawing;
  }

  #takePreview(preview: RulePreview): void {
    if (this.#approvals.get(preview.id)?.approval.proposalHash !== preview.proposalHash) return;
    this.preview = preview;
    // Another decision than before, and one that widens: its button starts its time anew, here and in the host.
    this.display(preview.id);
  }
}

/** The user may have typed or commented since the host sent what it has. */
function withOwn(sent: Remembered, own: Remembered | undefined): Remembered {
  if (own === undefined) return sent;
  const draft = own.draft && !sent.draft?.message.startsWith(own.draft.message) ? own.draft : sent.draft;
  const fresh = own.comments.filter(
    ({ anchor, file, comment }) =>
      anchor === undefined && !sent.comments.some((each) => each.file === file && each.comment === comment),
  );
  return { ...sent, ...(draft && { draft }), comments: [...sent.comments, ...fresh] };
}

/** Keeps the objects of files that did not change, so that their rows are not drawn again. */
function withKnownFiles(page: PageApproval, old: PageApproval | undefined): PageApproval {
  const { drawing } = page;
  const known = old?.drawing?.files;
  if (!drawing || !known) return page;
  const files = drawing.files.map((file, index) => {
    const before = known[index];
    return before && JSON.stringify(before) === JSON.stringify(file) ? before : file;
  });
  return { ...page, drawing: { ...drawing, files } };
}
