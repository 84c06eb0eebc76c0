import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { byDay, bySession, type Day, onlyFile, type Session } from './grouping.ts';

/** The subject of a row of the History view. */
export type Subject =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'day'; readonly day: Day; readonly isNewest: boolean }
  | { readonly kind: 'change'; readonly change: AppliedChange }
  | { readonly kind: 'file'; readonly change: AppliedChange; readonly file: ChangedFile };

/** A node of the tree, rendered only when its row is visible. */
export interface TreeNode {
  readonly id: string;
  readonly subject: Subject;
  readonly parent: TreeNode | undefined;
  readonly children: readonly TreeNode[];
}

export type Arrangement = 'byAssistant' | 'byTime';

/** The changes of assistants as a tree, by session or by day. A change of one file has no row below it. */
export class HistoryTree {
  readonly roots: readonly TreeNode[];
  readonly #nodes = new Map<string, TreeNode>();

  /** @param changes newest first */
  constructor(changes: readonly AppliedChange[], arrangement: Arrangement) {
    this.roots =
      arrangement === 'byAssistant'
        ? bySession(changes).map((session) => this.#session(session))
        : byDay(changes).map((day, index) => this.#day(day, index === 0));
  }

  get(id: string): TreeNode | undefined {
    return this.#nodes.get(id);
  }

  #session(session: Session): TreeNode {
    return this.#add(session.id, { kind: 'session', session }, undefined, (node) =>
      session.changes.map((change) => this.#change(change, node)),
    );
  }

  #day(day: Day, isNewest: boolean): TreeNode {
    return this.#add(day.id, { kind: 'day', day, isNewest }, undefined, (node) =>
      day.changes.map((change) => this.#change(change, node)),
    );
  }

  #change(change: AppliedChange, parent: TreeNode): TreeNode {
    const listed = onlyFile(change) === undefined ? change.files : [];
    return this.#add(changeNodeId(change.id), { kind: 'change', change }, parent, (node) =>
      listed.map((file) => this.#add(fileNodeId(change.id, file.index), { kind: 'file', change, file }, node)),
    );
  }

  #add(
    id: string,
    subject: Subject,
    parent: TreeNode | undefined,
    childrenOf: (node: TreeNode) => TreeNode[] = () => [],
  ): TreeNode {
    const children: TreeNode[] = [];
    const node: TreeNode = { id, subject, parent, children };
    children.push(...childrenOf(node));
    this.#nodes.set(id, node);
    return node;
  }
}

export function changeNodeId(changeId: string): string {
  return `change:${changeId}`;
}

export function fileNodeId(changeId: string, fileIndex: number): string {
  return `file:${fileIndex}:${changeId}`;
}
