import type { Principal } from '#base/principal.ts';
import type { ChangesProposal, Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Judgement } from '#policy/decision.ts';
import type { Applying } from './applying.ts';
import type { Approval, ApprovalFile, UndoResult } from './approval.ts';
import type { AppliedChange, ChangedFile, Changes } from './changes.ts';
import { changesFiles, type Entry, type Proposed } from './entry.ts';
import { inverseProposal, refuseRevert, type InverseDependencies, type RevertConflict } from './inverse.ts';
import { loadText } from './keep.ts';
import { addressAfter } from './moves.ts';
import type { ApprovalStore } from './store.ts';
import { appliedParts, movesOf, textAfter } from './undo.ts';

/** Whose cards those are that the human asks for in the History view: no connection has such an id. */
export const ownPrincipal: Principal = { credential: 'window', connectionId: 'you' };

/** A file that was not taken back, since work done in it would be lost. */
export interface UnrevertedFile {
  /** Of the change. */
  readonly id: string;
  /** Absent when it is about the change as a whole. */
  readonly fileIndex?: number;
  readonly path: string;
  readonly reason: string;
}

export interface RevertReport {
  /** Ids of changes that are taken back. */
  readonly reverted: readonly string[];
  /** Ids of changes for which a card waits now, that takes them back and keeps what was edited since. */
  readonly asked: readonly string[];
  readonly conflicts: readonly UnrevertedFile[];
}

/** The texts of a file before and after a change, and as it is now; each is absent where there is none, or it is no text. */
export interface ChangeTexts {
  readonly before?: string;
  readonly after?: string;
  readonly now?: string;
}

export interface ChangesDependencies extends InverseDependencies {
  /** @throws ToolError when the policy refuses it */
  readonly judge: (tool: string, proposal: Proposal, principal: Principal) => Judgement;
}

export interface ChangesOwner {
  readonly store: ApprovalStore;
  readonly applying: Applying;
  /** A new card, which no call waits for. Throws ToolError when too many wait. */
  readonly addCard: (proposed: Proposed) => void;
}

/** What assistants changed in this window, now and in earlier runs, and the way back, for tools and for the human. */
export class AppliedChanges implements Changes {
  readonly #owner: ChangesOwner;
  readonly #dependencies: ChangesDependencies;

  constructor(owner: ChangesOwner, dependencies: ChangesDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
  }

  list(): readonly AppliedChange[] {
    const changes = this.#owner.store.entries.flatMap(({ approval }) => {
      const change = describe(approval);
      return change === undefined ? [] : [change];
    });
    return changes.toSorted((a, b) => b.appliedAt - a.appliedAt || (a.id < b.id ? 1 : -1));
  }

  async inverse(id: string): Promise<ChangesProposal> {
    const entry = this.#owner.store.get(id);
    if (entry === undefined || describe(entry.approval) === undefined) {
      const message = 'No change with this id was applied in this window.';
      throw new ToolError('not_found', message, 'Use an approvalId of list_changes.');
    }
    if (entry.approval.state === 'undone') throw alreadyBack();
    if (!entry.approval.canUndo) throw notKept();
    const { proposal, conflicts } = await inverseProposal(entry, this.#dependencies);
    if (conflicts.length > 0) throw refuseRevert(conflicts);
    if (proposal.files.length === 0) throw alreadyBack();
    return proposal;
  }

  /**
   * Takes changes back for the human, newest first: what is still as it was left at once; where it was edited since, as a
   * card that keeps those edits, when they can be kept. Nothing else is touched (failure row F14).
   * @param report called after each, with how many are done
   */
  async revert(ids: readonly string[], report: (done: number) => void = () => undefined): Promise<RevertReport> {
    const wanted = new Set(ids);
    const reports: RevertReport[] = [];
    for (const { id } of this.list().filter((change) => wanted.has(change.id))) {
      const entry = this.#owner.store.get(id);
      // What took it back may just have been taken back itself.
      if (entry !== undefined && entry.approval.state !== 'undone') reports.push(await this.#revertOne(entry));
      report(reports.length);
    }
    return {
      reverted: reports.flatMap(({ reverted }) => reverted),
      asked: reports.flatMap(({ asked }) => asked),
      conflicts: reports.flatMap(({ conflicts }) => conflicts),
    };
  }

  async #revertOne(entry: Entry): Promise<RevertReport> {
    const { id } = entry.approval;
    const { status, message } = await this.#owner.applying.undo(id);
    if (status === 'undone') return { reverted: [id], asked: [], conflicts: [] };
    try {
      if (status === 'not_possible') throw notKept();
      const { proposal, conflicts } = await inverseProposal(entry, this.#dependencies);
      const left = await this.#restoreAlone(entry, conflicts);
      if (proposal.files.length > 0) {
        const whole = left.length === 0 ? { ...proposal, reverts: id } : proposal;
        this.#ask(entry, whole);
        return { reverted: [], asked: [id], conflicts: unreverted(id, left) };
      }
      if (left.length > 0) return { reverted: [], asked: [], conflicts: unreverted(id, left) };
      this.#owner.applying.markUndone(entry);
      return { reverted: [id], asked: [], conflicts: [] };
    } catch (error) {
      const reason = error instanceof Error ? error.message : (message ?? String(error));
      return { reverted: [], asked: [], conflicts: [{ id, path: entry.approval.files[0]?.path ?? '', reason }] };
    }
  }

  /** Folders and files that are no text come back by themselves: no card can show them. */
  async #restoreAlone(entry: Entry, conflicts: readonly RevertConflict[]): Promise<readonly RevertConflict[]> {
    const left: RevertConflict[] = [];
    for (const conflict of conflicts) {
      const part = appliedParts(entry).find(({ index }) => index === conflict.fileIndex);
      if (conflict.onlyByUndo !== true || part === undefined) {
        left.push(conflict);
        continue;
      }
      const { status, message = conflict.reason } = await this.#owner.applying.undoParts(entry, [part]);
      if (status !== 'undone') left.push({ ...conflict, reason: message });
    }
    return left;
  }

  /** The human approves it like any edit: they see what becomes of their own lines. */
  #ask({ approval }: Entry, proposal: Proposal): void {
    const tool = 'revert_change';
    const judgement: Judgement = {
      ...this.#dependencies.judge(tool, proposal, ownPrincipal),
      effect: 'ask',
      reason: 'you asked to take this back; what was edited since is kept',
    };
    this.#owner.addCard({
      tool,
      arguments: { approvalId: approval.id },
      principal: ownPrincipal,
      client: { name: 'You', version: '' },
      reason: undefined,
      proposal,
      judgement,
    });
  }

  /** Makes a change that was taken back again, where the files are still as that left them. */
  redo(id: string): Promise<UndoResult> {
    return this.#owner.applying.redo(id);
  }

  /** Undefined when there is no such file. Throws when what was kept of it is gone. */
  async textsOfFile(id: string, fileIndex: number): Promise<ChangeTexts | undefined> {
    const { history } = this.#dependencies;
    const entry = this.#owner.store.get(id);
    const kept = entry?.kept[fileIndex];
    if (entry === undefined || kept === undefined) return undefined;
    const textOf = async (text: Parameters<typeof loadText>[0] | undefined): Promise<string | undefined> =>
      text && (await loadText(text, history)).text;
    const [before, after, now] = await Promise.all([
      textOf(kept.kind === 'edit' || kept.kind === 'delete' ? kept.base : undefined),
      textOf(kept.kind === 'edit' || kept.kind === 'create' ? textAfter(kept) : undefined),
      this.#textNow(entry, fileIndex),
    ]);
    return {
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      ...(now !== undefined && { now }),
    };
  }

  /** Where the change left the file, moves of the same change included. */
  async #textNow(entry: Entry, fileIndex: number): Promise<string | undefined> {
    const { files, resolve } = this.#dependencies;
    const kept = entry.kept[fileIndex];
    if (kept === undefined) return undefined;
    try {
      const uri = kept.kind === 'move' ? kept.to : addressAfter(kept.uri, movesOf(appliedParts(entry)));
      const path = await resolve(uri, 'change');
      return path.kind === 'file' ? (await files.readText(path, Infinity)).text : undefined;
    } catch (error) {
      // It is gone, no text, or in a folder that is not open.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }
}

function unreverted(id: string, conflicts: readonly RevertConflict[]): UnrevertedFile[] {
  return conflicts.map(({ fileIndex, path, reason }) => ({ id, fileIndex, path, reason }));
}

function notKept(): ToolError {
  return new ToolError(
    'unavailable',
    'This change cannot be taken back: what the files held before was not kept, or it is being undone now.',
    'Read the files, and send an edit instead.',
  );
}

function alreadyBack(): ToolError {
  return new ToolError(
    'not_found',
    'This change was taken back already.',
    'Use list_changes to see what is applied now.',
  );
}

/** Undefined for what changed nothing. */
function describe(approval: Approval): AppliedChange | undefined {
  if (!changesFiles(approval)) return undefined;
  const { id, tool, principal, client, state, decidedAt, requestedAt, canUndo } = approval;
  const isApplied = state === 'applied' || (state === 'failed' && canUndo);
  if (!isApplied && state !== 'undone') return undefined;
  const files = approval.files.flatMap((file, index) =>
    (approval.outcomes?.[index]?.state ?? 'applied') === 'applied' ? [changedFile(file, index)] : [],
  );
  return {
    id,
    tool,
    principal,
    client,
    appliedAt: approval.appliedAt ?? decidedAt ?? requestedAt,
    state: isApplied ? 'applied' : 'reverted',
    canRevert: isApplied && canUndo,
    files,
  };
}

function changedFile({ change, path, uri, to, addedLines, removedLines }: ApprovalFile, index: number): ChangedFile {
  return { index, change, path, uri, ...(to && { movedTo: { path: to.path, uri: to.uri } }), addedLines, removedLines };
}
