import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import type { UserChanges } from '#changes/appliedChanges.ts';
import type { LateTree, TreeSource } from '../lateTree.ts';
import { rowId } from '../rowId.ts';
import { ChangeDiffs, openPlace } from './changeDiffs.ts';
import { authorText } from './changeText.ts';
import { bySession, onlyFile, type Session } from './grouping.ts';
import { changeItem, dayItem, fileItem, sessionItem } from './historyItems.ts';
import { type Arrangement, changeNodeId, HistoryTree, type TreeNode } from './historyTree.ts';
import { UndoChanges } from './undoChanges.ts';

export interface HistoryViewOptions {
  readonly treeView: Pick<
    vscode.TreeView<vscode.TreeItem>,
    'reveal' | 'selection' | 'visible' | 'onDidChangeVisibility'
  >;
  readonly tree: LateTree;
  readonly changes: UserChanges;
  /** Fires when a change was applied, undone or redone; may fire more often. */
  readonly onDidChange: Event<unknown>;
  readonly clock: Clock;
  /** Stores the arrangement of the view. */
  readonly memento: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> };
  /** Shows the card of the next waiting approval. */
  readonly review: () => void;
}

const redrawMilliseconds = 300;
/** Rows show their age, so they are redrawn at this interval. */
const ageMilliseconds = 60_000;
const arrangementKey = 'history.arrangement';

/** The History view: lists the changes of assistants in this window and undoes or redoes them. */
export class HistoryView implements vscode.Disposable {
  readonly #options: HistoryViewOptions;
  readonly #diffs: ChangeDiffs;
  readonly #undo: UndoChanges;
  readonly #redraw = new Emitter<void>();
  readonly #subscriptions: Subscription[];
  #arrangement: Arrangement;
  #drawn: HistoryTree | undefined;
  #pending: Subscription | undefined;
  #aging: Subscription | undefined;

  /**
   * The commands of the manifest, without `drawbridge.`. Each takes a row of the view or its id, otherwise the selected row.
   */
  readonly commands = {
    arrangeHistoryByAssistant: () => this.#arrange('byAssistant'),
    arrangeHistoryByTime: () => this.#arrange('byTime'),
    showChangeDiff: (row?: unknown) => this.#showDiff(this.#nodeOf(row)),
    compareWithNow: (row?: unknown) =>
      this.#withFile(row, ({ change, file }) => this.#diffs.compareWithNow(change, file)),
    openChangedFile: (row?: unknown) => this.#withFile(row, ({ file }) => openPlace(file)),
    undoChange: (row?: unknown) => this.#withChange(row, (change) => this.#undo.undo(change)),
    redoChange: (row?: unknown) => this.#withChange(row, ({ id }) => this.#undo.redo([id])),
    undoLastChange: () => this.#undoLast(),
    undoSince: (row?: unknown) => this.#withChange(row, (change) => this.#undoSince(change)),
    showSessionDiff: (row?: unknown) => this.#withSession(row, ({ changes }) => this.#diffs.openSession(changes)),
    undoSession: (row?: unknown) => this.#withSession(row, ({ changes }) => this.#undo.undoSeveral(changes)),
  };

  constructor(options: HistoryViewOptions) {
    this.#options = options;
    this.#diffs = new ChangeDiffs(options.changes);
    const { changes, clock, review } = options;
    this.#undo = new UndoChanges({ changes, diffs: this.#diffs, clock, review });
    this.#arrangement = options.memento.get(arrangementKey) === 'byTime' ? 'byTime' : 'byAssistant';
    const source: TreeSource = {
      items: (parent) => this.#items(parent),
      parent: (item) => this.#parent(item),
      onDidChange: this.#redraw.event,
    };
    this.#subscriptions = [
      options.onDidChange(() => this.#redrawSoon()),
      options.treeView.onDidChangeVisibility(() => this.#age()),
      options.tree.attach(source),
    ];
    this.#tellArrangement();
    this.#age();
  }

  /** Returns whether the view lists a change. @param id of its approval */
  has(id: string): boolean {
    return this.#tree().get(changeNodeId(id)) !== undefined;
  }

  /** Returns the sessions whose changes the view lists, those of one assistant together, newest first. */
  sessions(): readonly Session[] {
    return bySession(this.#options.changes.list());
  }

  /** Reveals a change in the view and moves the keyboard focus there, because the user asked for it. */
  async show(id: string): Promise<void> {
    const node = this.#tree().get(changeNodeId(id));
    if (node === undefined) return;
    await this.#options.treeView.reveal(this.#item(node), { focus: true, select: true, expand: true });
  }

  dispose(): void {
    this.#pending?.dispose();
    this.#aging?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #redrawSoon(): void {
    // Requests before the next redraw must get current nodes too.
    this.#drawn = undefined;
    this.#pending ??= this.#options.clock.after(redrawMilliseconds, () => {
      this.#pending = undefined;
      this.#redraw.fire();
    });
  }

  #age(): void {
    this.#aging?.dispose();
    if (!this.#options.treeView.visible) return;
    this.#aging = this.#options.clock.after(ageMilliseconds, () => {
      this.#redraw.fire();
      this.#age();
    });
  }

  #tree(): HistoryTree {
    this.#drawn ??= new HistoryTree(this.#options.changes.list(), this.#arrangement);
    return this.#drawn;
  }

  #items(parent: vscode.TreeItem | undefined): readonly vscode.TreeItem[] {
    const nodes = parent === undefined ? this.#tree().roots : (this.#tree().get(parent.id ?? '')?.children ?? []);
    return nodes.map((node) => this.#item(node));
  }

  #parent({ id }: vscode.TreeItem): vscode.TreeItem | undefined {
    const parent = this.#tree().get(id ?? '')?.parent;
    return parent && this.#item(parent);
  }

  #item({ subject }: TreeNode): vscode.TreeItem {
    const now = this.#options.clock.now();
    switch (subject.kind) {
      case 'session':
        return sessionItem(subject.session, now);
      case 'day':
        return dayItem(subject.day, subject.isNewest, now);
      case 'change':
        return changeItem(subject.change, this.#arrangement === 'byTime', now);
      case 'file':
        return fileItem(subject.change, subject.file);
      default:
        return subject satisfies never;
    }
  }

  #arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    void this.#options.memento.update(arrangementKey, arrangement);
    this.#tellArrangement();
    this.#drawn = undefined;
    this.#redraw.fire();
  }

  #tellArrangement(): void {
    const isByTime = this.#arrangement === 'byTime';
    void vscode.commands.executeCommand('setContext', 'drawbridge.historyByTime', isByTime);
  }

  #nodeOf(row: unknown): TreeNode | undefined {
    const id = rowId(row) ?? this.#options.treeView.selection[0]?.id;
    return id === undefined ? undefined : this.#tree().get(id);
  }

  #withChange(row: unknown, act: (change: AppliedChange) => Promise<void>): Promise<void> | undefined {
    const subject = this.#nodeOf(row)?.subject;
    return subject?.kind === 'change' ? act(subject.change) : undefined;
  }

  #withFile(
    row: unknown,
    act: (file: { readonly change: AppliedChange; readonly file: ChangedFile }) => Promise<void>,
  ): Promise<void> | undefined {
    const subject = this.#nodeOf(row)?.subject;
    if (subject?.kind === 'file') return act(subject);
    const file = subject?.kind === 'change' ? onlyFile(subject.change) : undefined;
    return subject?.kind === 'change' && file !== undefined ? act({ change: subject.change, file }) : undefined;
  }

  /** Also finds the session of a row of the Activity view, and however the view is arranged. */
  #withSession(row: unknown, act: (session: Session) => Promise<void>): Promise<void> | undefined {
    const id = rowId(row) ?? this.#options.treeView.selection[0]?.id;
    const session = this.sessions().find((each) => each.id === id);
    return session && act(session);
  }

  async #showDiff(node: TreeNode | undefined): Promise<void> {
    const subject = node?.subject;
    if (subject?.kind === 'file') await this.#diffs.openFile(subject.change, subject.file);
    if (subject?.kind === 'change') await this.#diffs.openAll(subject.change);
  }

  /** Undoes the later changes of all assistants, because they may build on this change. */
  async #undoSince(change: AppliedChange): Promise<void> {
    const all = this.#options.changes.list();
    const index = all.findIndex(({ id }) => id === change.id);
    if (index >= 0) await this.#undo.undoSeveral(all.slice(0, index + 1), authorText(change));
  }

  /** Asks, because a command is easily run by mistake, and names the change. */
  async #undoLast(): Promise<void> {
    const last = this.#options.changes.list().find(({ canRevert }) => canRevert);
    await this.#undo.undoSeveral(last === undefined ? [] : [last]);
  }
}
