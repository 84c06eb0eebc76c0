import type { Event } from '#base/event.ts';
import type { Principal } from '#base/principal.ts';
import type { ChangesProposal, Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Judgement } from '#policy/decision.ts';
import type { Applying } from './applying.ts';
import type { Approval, ApprovalFile, UndoResult } from './approval.ts';
import type { AppliedChange, ChangedFile, Changes } from './changes.ts';
import { requireReadable, requireRoom } from './newRequests.ts';
import { changesFiles, type UserRequest } from './requests.ts';
import type { ApprovalMachine } from './runner.ts';
import { inverseProposal, refuseRevert, type InverseDependencies, type RevertConflict } from './inverse.ts';
import { progressOf } from './halfDone.ts';
import { loadText } from './keep.ts';
import { addressAfter } from './moves.ts';
import { appliedParts, movesOf, textAfter } from './undo.ts';

/** The principal of approvals that the user asks for in the History view. No connection has this id. */
export const ownPrincipal: Principal = { credential: 'window', connectionId: 'you' };

/** A file that was not undone, because later work in it would be lost. */
export interface UnrevertedFile {
  /** Id of the change. */
  readonly id: string;
  /** 0-based; absent when the reason concerns the whole change. */
  readonly fileIndex?: number;
  readonly path: string;
  readonly reason: string;
}

export interface RevertReport {
  /** Ids of the changes that were undone. */
  readonly reverted: readonly string[];
  /** Ids of the changes for which an approval waits now that undoes them and keeps later edits. */
  readonly asked: readonly string[];
  readonly conflicts: readonly UnrevertedFile[];
}

/** The texts of a file before and after a change, and now. Each is absent where there is no file, or no text file. */
export interface ChangeTexts {
  readonly before?: string;
  readonly after?: string;
  readonly now?: string;
}

export interface ChangesDependencies extends InverseDependencies {
  /** @throws ToolError when the policy refuses it */
  readonly judge: (tool: string, proposal: Proposal, principal: Principal) => Judgement;
}

/** The changes of assistants in this window, now and in earlier runs, and their undo, for tools and for the user. */
export class AppliedChanges implements Changes {
  readonly #machine: ApprovalMachine;
  readonly #applying: Applying;
  readonly #dependencies: ChangesDependencies;
  /** Fires with the ids of the changes that were applied, undone, redone or forgotten. */
  readonly onDidChange: Event<ReadonlySet<string>>;

  constructor(machine: ApprovalMachine, applying: Applying, dependencies: ChangesDependencies) {
    this.#machine = machine;
    this.#applying = applying;
    this.onDidChange = (listener) =>
      machine.onDidChange(({ approvals }) => {
        const ids = [...approvals].filter((id) => this.#mayBeListed(id));
        if (ids.length > 0) listener(new Set(ids));
      });
    this.#dependencies = dependencies;
  }

  /** An approval that was forgotten may have been one of a change. */
  #mayBeListed(id: string): boolean {
    const request = this.#machine.state.requests.get(id);
    return request === undefined || describe(request.approval) !== undefined;
  }

  list(): readonly AppliedChange[] {
    const changes = [...this.#machine.state.requests.values()].flatMap(({ approval }) => {
      const change = describe(approval);
      return change === undefined ? [] : [change];
    });
    return changes.toSorted((a, b) => b.appliedAt - a.appliedAt || (a.id < b.id ? 1 : -1));
  }

  async inverse(id: string): Promise<ChangesProposal> {
    const request = this.#machine.state.requests.get(id);
    if (request === undefined || describe(request.approval) === undefined) {
      const message = 'No change with this id was applied in this window.';
      throw new ToolError('not_found', message, 'Use an approvalId of list_changes.');
    }
    if (request.approval.state === 'undone') throw alreadyUndone();
    if (!request.approval.canUndo) throw notKept();
    const { proposal, conflicts } = await inverseProposal(request, { ...this.#dependencies, foldersAsTexts: true });
    if (conflicts.length > 0) throw refuseRevert(conflicts);
    if (proposal.files.length === 0) throw alreadyUndone();
    return proposal;
  }

  /**
   * Undoes changes for the user, newest first. Files that are still as the change left them are undone at once. Files that were
   * edited since get an approval that keeps those edits, when they can be kept. Nothing else is touched (failure row F14).
   * @param report called after each change, with the number of changes that are done
   */
  async revert(ids: readonly string[], report: (done: number) => void = () => undefined): Promise<RevertReport> {
    const wanted = new Set(ids);
    const reports: RevertReport[] = [];
    for (const { id } of this.list().filter((change) => wanted.has(change.id))) {
      const request = this.#machine.state.requests.get(id);
      // It may have been undone by a change that was itself undone a moment ago.
      if (request !== undefined && request.approval.state !== 'undone') reports.push(await this.#revertOne(request));
      report(reports.length);
    }
    return {
      reverted: reports.flatMap(({ reverted }) => reverted),
      asked: reports.flatMap(({ asked }) => asked),
      conflicts: reports.flatMap(({ conflicts }) => conflicts),
    };
  }

  async #revertOne(request: UserRequest): Promise<RevertReport> {
    const { id } = request.approval;
    const { status, message } = await this.#applying.undo(id);
    if (status === 'undone') return { reverted: [id], asked: [], conflicts: [] };
    try {
      if (status === 'not_possible') throw notKept();
      const { proposal, conflicts } = await inverseProposal(this.#latest(request), {
        ...this.#dependencies,
        foldersAsTexts: false,
      });
      const left = await this.#restoreAlone(request, conflicts);
      if (proposal.files.length > 0) {
        const whole = left.length === 0 ? { ...proposal, reverts: id } : proposal;
        this.#ask(request, whole);
        return { reverted: [], asked: [id], conflicts: unreverted(id, left) };
      }
      if (left.length > 0) return { reverted: [], asked: [], conflicts: unreverted(id, left) };
      this.#machine.send({ type: 'foundUndone', id });
      return { reverted: [id], asked: [], conflicts: [] };
    } catch (error) {
      const reason = error instanceof Error ? error.message : (message ?? String(error));
      return { reverted: [], asked: [], conflicts: [{ id, path: request.approval.files[0]?.path ?? '', reason }] };
    }
  }

  /** Undoes folders and files that are not text. No approval could show them. Returns the conflicts that are left. */
  async #restoreAlone(request: UserRequest, conflicts: readonly RevertConflict[]): Promise<readonly RevertConflict[]> {
    const left: RevertConflict[] = [];
    for (const conflict of conflicts) {
      const part = appliedParts(this.#latest(request)).find(({ index }) => index === conflict.fileIndex);
      if (conflict.onlyByUndo !== true || part === undefined) {
        left.push(conflict);
        continue;
      }
      const { status, message = conflict.reason } = await this.#applying.undoParts(request.approval.id, [part]);
      if (status !== 'undone') left.push({ ...conflict, reason: message });
    }
    return left;
  }

  #latest(request: UserRequest): UserRequest {
    return this.#machine.state.requests.get(request.approval.id) ?? request;
  }

  /** The user approves it like any edit, and sees what becomes of their own lines. */
  #ask({ approval }: UserRequest, proposal: Proposal): void {
    const tool = 'revert_change';
    const judgement: Judgement = {
      ...this.#dependencies.judge(tool, proposal, ownPrincipal),
      effect: 'ask',
      reason: 'you asked to undo this; later edits are kept',
    };
    requireReadable(proposal, this.#machine.state.limits);
    requireRoom(this.#machine.state, ownPrincipal, 0);
    this.#machine.addUnrequested({
      tool,
      arguments: { approvalId: approval.id },
      principal: ownPrincipal,
      client: { name: 'You', version: '' },
      reason: undefined,
      proposal,
      judgement,
    });
  }

  /** Applies an undone change again, if the files are still as the undo left them. */
  redo(id: string): Promise<UndoResult> {
    return this.#applying.redo(id);
  }

  /**
   * Returns the texts of a file of a change; undefined when there is no such file.
   * @throws Error when the history no longer has them
   */
  async textsOfFile(id: string, fileIndex: number): Promise<ChangeTexts | undefined> {
    const { history } = this.#dependencies;
    const request = this.#machine.state.requests.get(id);
    const kept = request?.kept[fileIndex];
    if (request === undefined || kept === undefined) return undefined;
    const textOf = async (text: Parameters<typeof loadText>[0] | undefined): Promise<string | undefined> =>
      text && (await loadText(text, history)).text;
    const [before, after, now] = await Promise.all([
      textOf(kept.kind === 'edit' || kept.kind === 'delete' ? kept.base : undefined),
      textOf(kept.kind === 'edit' || kept.kind === 'create' ? textAfter(kept) : undefined),
      this.#textNow(request, fileIndex),
    ]);
    return {
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      ...(now !== undefined && { now }),
    };
  }

  /** Returns the present text of the file at the place where the change, with its moves, left it. */
  async #textNow(request: UserRequest, fileIndex: number): Promise<string | undefined> {
    const { files, resolve } = this.#dependencies;
    const kept = request.kept[fileIndex];
    if (kept === undefined) return undefined;
    try {
      const uri = kept.kind === 'move' ? kept.to : addressAfter(kept.uri, movesOf(appliedParts(request)));
      const path = await resolve(uri, 'change');
      return path.kind === 'file' ? (await files.readText(path, Infinity)).text : undefined;
    } catch (error) {
      // The file is gone, not a text file, or in a folder that is not open.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }
}

/** The part of {@link AppliedChanges} that only the user may use. */
export type UserChanges = Pick<AppliedChanges, 'list' | 'revert' | 'redo' | 'textsOfFile'>;

function unreverted(id: string, conflicts: readonly RevertConflict[]): UnrevertedFile[] {
  return conflicts.map(({ fileIndex, path, reason }) => ({ id, fileIndex, path, reason }));
}

function notKept(): ToolError {
  return new ToolError(
    'unavailable',
    'This change cannot be undone: the contents from before the change were not kept, or the change is being undone now.',
    'Read the files, and send an edit instead.',
  );
}

function alreadyUndone(): ToolError {
  return new ToolError('not_found', 'This change was undone already.', 'Use list_changes to see what is applied now.');
}

/** Returns an approval as a change; undefined when it changed no file. */
function describe(approval: Approval): AppliedChange | undefined {
  if (!changesFiles(approval)) return undefined;
  const { id, tool, principal, client, state, decidedAt, requestedAt, canUndo } = approval;
  const isPart = state === 'partly_applied' || (state === 'failed' && canUndo);
  const isApplied = state === 'applied' || isPart;
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
    ...(isPart && { proposedFiles: progressOf(approval).all }),
    canRevert: isApplied && canUndo,
    files,
  };
}

function changedFile(file: ApprovalFile, index: number): ChangedFile {
  const { change, path, uri, to, addedLines, removedLines, toldLines } = file;
  const movedTo = to && { path: to.path, uri: to.uri };
  return {
    index,
    change,
    path,
    uri,
    ...(movedTo && { movedTo }),
    addedLines,
    removedLines,
    ...(toldLines && { toldLines }),
  };
}
