import type { Clock } from '#base/clock.ts';
import type { Approval } from './approval.ts';
import type { FileState } from './approver.ts';
import type { FileChecks, FileChecksDependencies } from './fileChecks.ts';
import { keepFound, outcomesOf } from './foundParts.ts';
import { progressOf } from './halfDone.ts';
import { loadProposal } from './keep.ts';
import { canAskAgain } from './lifecycle.ts';
import { unfilledRequest } from './newRequests.ts';
import { proposalHash } from './proposalHash.ts';
import { parseRecord, type ApprovalRecord } from './record.ts';
import { examine, findParts, type FoundPart, type RecoveryDependencies } from './recovery.ts';
import { changesFiles, choicesOf, type ChangeRequest, type UserRequest } from './requests.ts';
import type { ApprovalMachine } from './runner.ts';
import { reviewedChanges, selectedProposal } from './selection.ts';
import { update } from './steps.ts';
import { appliedParts } from './undo.ts';

/** A change that a crash left half done, for the user to be told of. */
export interface RecoveryNotice {
  /** Of its approval. */
  readonly id: string;
  readonly interrupted: 'apply' | 'undo' | 'redo';
  readonly files: readonly { readonly path: string; readonly state: FileState }[];
}

export type RestoringDependencies = FileChecksDependencies &
  RecoveryDependencies & { readonly clock: Pick<Clock, 'now'> };

/** Brings the approvals of earlier runs of this window back from their records. */
export class Restoring {
  readonly #machine: ApprovalMachine;
  readonly #fileChecks: FileChecks;
  readonly #dependencies: RestoringDependencies;

  constructor(machine: ApprovalMachine, fileChecks: FileChecks, dependencies: RestoringDependencies) {
    this.#machine = machine;
    this.#fileChecks = fileChecks;
    this.#dependencies = dependencies;
  }

  /**
   * Brings waiting cards back if their caller can ask again, also after a crash, which cuts its call off without a ticket. Examines what
   * a crash cut off. Returns what is half done.
   */
  async restore(): Promise<readonly RecoveryNotice[]> {
    const notices: RecoveryNotice[] = [];
    for (const value of await this.#dependencies.history.records()) {
      const record = parseRecord(value);
      if (record === undefined || this.#machine.state.requests.has(record.approval.id)) continue;
      const request = withoutCall(restoredRequest(record));
      this.#machine.send({ type: 'restored', request });
      const { id, state, callReturned, expiresAt } = request.approval;
      if (request.kind !== 'changes' && state === 'applying') {
        const note =
          'The window closed while this action was running. Drawbridge does not know whether it finished, and does not run it again.';
        this.#machine.send({ type: 'recovered', id, state: 'failed', facts: { note } });
        notices.push({ id, interrupted: 'apply', files: [] });
      } else if (request.kind === 'changes' && isInterrupted(request)) {
        const notice = await this.#recover(request);
        if (notice !== undefined) notices.push(notice);
      } else if (state === 'waiting' && !callReturned) {
        const note = 'The window was reloaded while this waited; nothing was changed.';
        this.#machine.send({ type: 'recovered', id, state: 'withdrawn', facts: { note } });
      } else if (state === 'waiting' && expiresAt <= this.#dependencies.clock.now()) {
        this.#machine.send({ type: 'recovered', id, state: 'expired', facts: {} });
      } else if (state === 'waiting') {
        await this.#reopen(request);
      }
    }
    return notices;
  }

  /** What was written down counts only if it is the change that was shown, for files that still hold what it was made for. */
  async #reopen(request: UserRequest): Promise<void> {
    const { approval } = request;
    const { id } = approval;
    try {
      const { proposal, choices } = await loadProposal(request, this.#dependencies);
      const isSame = proposalHash(approval.tool, selectedProposal(proposal, choices)) === approval.proposalHash;
      const stale = isSame
        ? proposal.kind === 'changes' && (await this.#dependencies.edits.findStale(proposal.files))
        : { path: 'its record', reason: 'it was damaged' };
      if (stale) throw new Error(`${stale.path}: ${stale.reason}`);
      const protectedBy = approval.files.map((file) => file.protectedBy);
      const reviewed = reviewedChanges(proposal, protectedBy, this.#dependencies.namesIn);
      const proposedHash = proposalHash(approval.tool, proposal);
      this.#machine.send({ type: 'reopened', id, proposal, proposedHash, reviewed, choices });
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      if (!changesFiles(approval)) {
        this.#machine.send({ type: 'recovered', id, state: 'withdrawn', facts: { note } });
        return;
      }
      this.#machine.send({ type: 'recovered', id, state: 'stale', facts: { note } });
      void this.#findRebase(request).catch(() => undefined);
    }
  }

  async #findRebase(request: UserRequest): Promise<void> {
    const { proposal, choices } = await loadProposal(request, this.#dependencies);
    if (proposal.kind === 'changes') await this.#fileChecks.findRebase(request.approval.id, proposal, choices);
  }

  /** Examines the interrupted act, or the whole change when it is half done already. */
  async #examine(request: ChangeRequest): Promise<readonly FoundPart[]> {
    const parts = await examine(request, this.#dependencies);
    return request.pending === undefined || isReversal(request) ? parts : findParts(request, this.#dependencies);
  }

  async #recover(request: ChangeRequest): Promise<RecoveryNotice | undefined> {
    const { pending, approval } = request;
    const parts = await this.#examine(request);
    const isPart = isReversal(request) && parts.length < appliedParts(request).length;
    const { history } = this.#dependencies;
    const found: ChangeRequest = { ...request, kept: await keepFound(request.kept, parts, history) };
    const states = new Set(parts.map((part) => part.found));
    const [only] = states;
    if (states.size !== 1 || only === undefined || only === 'unknown') {
      return this.#endHalfDone(found, parts, pending?.direction ?? 'apply');
    }
    if (isPart) this.#endPart(found, parts, only);
    else if (!isReversal(request)) this.#endApply(found, parts, only);
    else if (only === 'before') this.#end(found, 'undone', { canUndo: false, canRedo: true });
    else this.#end(found, pending?.direction === 'redo' ? 'applied' : approval.state, { canUndo: true });
    return undefined;
  }

  #endApply(request: ChangeRequest, parts: readonly FoundPart[], found: 'before' | 'after'): void {
    if (found === 'after') {
      this.#end(request, 'applied', { outcomes: outcomesOf(request, parts), canUndo: true });
    } else {
      this.#end(request, 'withdrawn', { note: 'The window closed before this was applied; nothing was changed.' });
    }
  }

  /** Of an undo of some files alone. */
  #endPart(request: ChangeRequest, parts: readonly FoundPart[], found: 'before' | 'after'): void {
    const takenBack = new Set(found === 'before' ? parts.map(({ index }) => index) : []);
    const kept = request.kept.map((each, index) =>
      takenBack.has(index) ? { ...each, takenBack: true as const } : each,
    );
    this.#end({ ...request, kept }, request.approval.state, { canUndo: true });
  }

  #endHalfDone(
    request: ChangeRequest,
    parts: readonly FoundPart[],
    interrupted: RecoveryNotice['interrupted'],
  ): RecoveryNotice {
    const what = { apply: 'applied', undo: 'undone', redo: 'made again' }[interrupted];
    const outcomes = outcomesOf(request, parts);
    const { done, all } = progressOf({ outcomes });
    const isHalf = done > 0 && done < all;
    const next = isHalf
      ? 'Finish changes the others; Take back restores those that are changed. A file with any other text is left alone.'
      : 'Check each of them.';
    const note = `The window closed while this was being ${what}: some files are changed and others are not. ${next}`;
    const facts = { note, outcomes, canUndo: done > 0, canRedo: false };
    this.#end(request, isHalf ? 'partly_applied' : 'failed', facts);
    const files = outcomes.flatMap(({ path, state }, index) =>
      parts.some((part) => part.index === index) ? [{ path, state }] : [],
    );
    return { id: request.approval.id, interrupted, files };
  }

  #end(request: ChangeRequest, state: Approval['state'], facts: Partial<Approval>): void {
    const { decidedAt, appliedAt = decidedAt } = request.approval;
    const times = {
      ...(decidedAt !== undefined && { decidedAt }),
      ...(appliedAt !== undefined && (state === 'applied' || state === 'partly_applied') && { appliedAt }),
    };
    const { kept } = request;
    this.#machine.send({ type: 'recovered', id: request.approval.id, state, facts: { ...times, ...facts }, kept });
  }
}

/** Returns a waiting request as one whose call has returned, if its caller can ask again. */
function withoutCall(request: UserRequest): UserRequest {
  const isKept = request.approval.state === 'waiting' && canAskAgain(request);
  return isKept ? update(request, { callReturned: true }) : request;
}

/** Returns whether an earlier run ended in the middle of an apply, an undo or a redo, and the user has not settled it since. */
function isInterrupted({ approval: { state }, pending }: ChangeRequest): boolean {
  return state === 'applying' || state === 'partly_applied' || pending !== undefined;
}

/** Returns whether an undo or a redo of a change that was whole was interrupted. */
function isReversal({ approval: { state }, pending }: ChangeRequest): boolean {
  return pending !== undefined && state !== 'partly_applied';
}

/** Returns a request as its record describes it, before it is opened again or ended. */
function restoredRequest({ approval, changes, repeatable, places, pending }: ApprovalRecord): UserRequest {
  const request = { ...unfilledRequest(approval), kept: changes, repeatable, proposal: undefined };
  if (approval.question !== undefined) return { ...request, kind: 'question' };
  if (approval.action !== undefined) return { ...request, kind: 'action', ...(places && { places }) };
  const choices = choicesOf(approval.files);
  const facts = {
    reviewed: [],
    choices,
    meetsAppliedChange: false,
    seen: new Set<string>(),
    ...(pending && { pending }),
  };
  return { ...request, kind: 'changes', ...facts };
}
