import type { AuditLog } from '#audit/auditLog.ts';
import type { Clock } from '#base/clock.ts';
import type { Media } from '#base/media.ts';
import type { ActionProposal, Proposal } from '#base/proposal.ts';
import { actApproved, type Act } from './acting.ts';
import { applyApproved, type Recheck } from './apply.ts';
import type { Approval, ApprovalState, UndoResult } from './approval.ts';
import { textPathsNow, type Entry } from './requests.ts';
import { outcomeOf } from './outcome.ts';
import type { PendingTurn } from './record.ts';
import type { Choice } from './selection.ts';
import type { ApprovalStore } from './records.ts';
import { appliedParts, redoUndone, undoApplied, type Part, type UndoDependencies } from './undo.ts';

export interface ApplyingDependencies extends UndoDependencies {
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  /** Policy, trust and every path, asked again right before the apply. */
  readonly recheck: Recheck;
  readonly act: Act;
}

/** Who wants to know what became of an apply. */
export interface ApplyingListener {
  /** The files of a proposal were changed by us. */
  readonly landed: (entry: Entry, proposal: Proposal) => void;
  readonly stale: (entry: Entry, proposal: Proposal, choices: readonly Choice[]) => void;
}

/** A click does not wait longer for a language service that starts. */
const problemsMilliseconds = 1000;

/** How long what an action returned besides text can be asked for. */
const mediaMilliseconds = 10 * 60_000;

/** Carries decisions out and ends approvals: every write to the user's files goes through here, with its record around it. */
export class Applying {
  readonly #store: ApprovalStore;
  readonly #dependencies: ApplyingDependencies;
  readonly #listener: ApplyingListener;

  constructor(store: ApprovalStore, dependencies: ApplyingDependencies, listener: ApplyingListener) {
    this.#store = store;
    this.#dependencies = dependencies;
    this.#listener = listener;
  }

  /**
   * Applies what is `applying`, once its record and the texts before it are on the disk. Resolves when the files are written;
   * the callers hear of it later. Never rejects.
   */
  async apply(entry: Entry, proposal: Proposal): Promise<void> {
    try {
      await entry.writing.catch((error: unknown) => {
        const why = String(error);
        throw new Error(
          proposal.kind === 'action'
            ? `Its record could not be kept, so nothing was done: ${why}`
            : `The text before the change could not be kept for undo, so nothing was changed: ${why}`,
        );
      });
      if (proposal.kind === 'action') {
        await this.#act(entry, proposal);
        return;
      }
      await this.#problemsFoundOut(entry);
      const { approval, choices, kept } = entry;
      const applied = await applyApproved({ approval, proposal, choices, kept }, this.#dependencies);
      if (applied.state === 'applied') {
        entry.kept = applied.kept ?? kept;
        this.end(entry, 'applied', { outcomes: applied.outcomes, canUndo: applied.kept !== undefined });
        this.followReverted(entry);
        this.#listener.landed(entry, proposal);
        void this.#store.track(this.#answerWithProblems(entry, proposal));
        return;
      }
      const { state, outcomes, note } = applied;
      this.finish(entry, state, { ...(outcomes && { outcomes }), note });
      if (state === 'stale') this.#listener.stale(entry, proposal, choices);
    } catch (error) {
      this.finish(entry, 'failed', { note: error instanceof Error ? error.message : String(error) });
    }
  }

  /** A crash meanwhile is found at the next start, and it is not done again then. */
  async #act(entry: Entry, proposal: ActionProposal): Promise<void> {
    entry.acting = new AbortController();
    try {
      const acted = await actApproved(entry.approval, proposal, entry.acting.signal, this.#dependencies);
      const output = acted.state === 'applied' ? acted.text : acted.output;
      const isError = acted.state === 'failed' ? output !== undefined : acted.isError === true;
      if (acted.state === 'applied' && acted.media !== undefined) this.#keepMedia(entry, acted.media);
      this.finish(entry, acted.state, {
        ...(acted.state === 'failed' && { note: acted.note }),
        ...(output !== undefined && output !== '' && { output }),
        ...(isError && { outputIsError: true }),
      });
    } finally {
      delete entry.acting;
    }
  }

  /** For those who ask for the outcome in time: it is too much for the record. */
  #keepMedia(entry: Entry, media: readonly Media[]): void {
    entry.media = media;
    this.#dependencies.clock.after(mediaMilliseconds, () => delete entry.media);
  }

  /** To find out the problems before a change, the editor may have its files open for a moment, which then end under the apply. */
  async #problemsFoundOut({ problems }: Entry): Promise<void> {
    const patience = Promise.withResolvers<undefined>();
    const timer = this.#dependencies.clock.after(problemsMilliseconds, () => patience.resolve(undefined));
    await Promise.race([problems, patience.promise]);
    timer.dispose();
  }

  /** The human sees at once that it was applied; the assistant hears of it with what it did to the problems list. */
  async #answerWithProblems(entry: Entry, proposal: Proposal): Promise<void> {
    const snapshot = await entry.problems;
    const problems = await snapshot?.changeSince(textPathsNow(proposal)).catch(() => undefined);
    if (problems !== undefined && entry.approval.state === 'applied') {
      this.#store.update(entry, { problems });
      this.#store.write(entry);
    }
    this.answer(entry);
  }

  async undo(id: string): Promise<UndoResult> {
    const entry = this.#store.get(id);
    const state = entry?.approval.state;
    if (entry?.approval.canUndo !== true || (state !== 'applied' && state !== 'failed'))
      return { status: 'not_possible' };
    const result = await this.#turn(entry, 'undo');
    if (result.status === 'undone') {
      entry.kept = entry.kept.map(({ takenBack: _takenBack, ...kept }) => kept);
      this.finish(entry, 'undone', { canRedo: true, ...(result.message !== undefined && { note: result.message }) });
      this.followReverted(entry);
    } else this.#settle(entry, { canUndo: true });
    return result;
  }

  async redo(id: string): Promise<UndoResult> {
    const entry = this.#store.get(id);
    if (entry?.approval.state !== 'undone' || !entry.approval.canRedo) return { status: 'not_possible' };
    const result = await this.#turn(entry, 'redo');
    if (result.status === 'redone') {
      const { note: _note, ...approval } = entry.approval;
      entry.approval = approval;
      this.finish(entry, 'applied', { canUndo: true, ...(result.message !== undefined && { note: result.message }) });
      this.followReverted(entry);
    } else this.#settle(entry, { canRedo: true });
    return result;
  }

  /** Undoes some files of a change exactly, while the others stay as they are. */
  async undoParts(entry: Entry, parts: readonly Part[]): Promise<UndoResult> {
    if (!entry.approval.canUndo) return { status: 'not_possible' };
    const result = await this.#turn(entry, 'undo', parts);
    if (result.status === 'undone') {
      const indexes = new Set(parts.map(({ index }) => index));
      entry.kept = entry.kept.map((kept, index) => (indexes.has(index) ? { ...kept, takenBack: true } : kept));
    }
    this.#settle(entry, { canUndo: true });
    return result;
  }

  /** Its files hold again what they held before it, whoever saw to that. */
  markUndone(entry: Entry): void {
    this.finish(entry, 'undone', { canUndo: false, canRedo: false });
  }

  /** With what it is about to do on the disk first, as an apply: a crash half-way is found at the next start. */
  async #turn(
    entry: Entry,
    direction: PendingTurn['direction'],
    parts: readonly Part[] = appliedParts(entry),
  ): Promise<UndoResult> {
    this.#store.update(entry, { canUndo: false, canRedo: false });
    entry.pending = { direction, files: parts.map(({ index }) => index) };
    this.#store.write(entry);
    const work = async (): Promise<UndoResult> => {
      try {
        await entry.writing;
      } catch (error) {
        return { status: 'failed', message: `Its record could not be kept, so nothing was changed: ${String(error)}` };
      }
      const reverse = direction === 'undo' ? undoApplied : redoUndone;
      const { result, kept } = await reverse(entry, parts, this.#dependencies);
      entry.kept = kept;
      return result;
    };
    const result = await this.#store.track(work());
    delete entry.pending;
    const { id } = entry.approval;
    this.#dependencies.auditLog.event({ event: 'revert', approvalId: id, direction, outcome: result.status });
    return result;
  }

  #settle(entry: Entry, facts: Partial<Approval>): void {
    this.#store.update(entry, facts);
    this.#store.write(entry);
  }

  /** What takes another change back decides whether that one stands; a part of it, which the human chose, does not. */
  followReverted({ approval }: Entry): void {
    const { id, reverts, state } = approval;
    const reverted = reverts === undefined ? undefined : this.#store.get(reverts);
    if (reverted === undefined) return;
    const isWhole = state === 'applied' && outcomeOf(approval).status === 'applied';
    if (isWhole && reverted.approval.state === 'applied') {
      this.#settle(reverted, { state: 'undone', canUndo: false, canRedo: false, replacedBy: id });
    } else if (state === 'undone' && reverted.approval.replacedBy === id) {
      const { replacedBy: _replacedBy, ...standing } = reverted.approval;
      reverted.approval = standing;
      this.#settle(reverted, { state: 'applied', canUndo: true });
    }
  }

  finish(entry: Entry, state: ApprovalState, facts: Partial<Approval>): void {
    this.end(entry, state, facts);
    this.answer(entry);
  }

  /** The callers are not told yet. */
  end(entry: Entry, state: ApprovalState, facts: Partial<Approval>): void {
    const isDue = entry.dueWrite !== undefined;
    this.close(entry);
    const now = this.#dependencies.clock.now();
    this.#store.update(entry, { decidedAt: now, ...(state === 'applied' && { appliedAt: now }), ...facts, state });
    this.#store.audit(entry, state);
    this.#store.write(entry, isDue);
    this.#store.forget(entry);
  }

  answer(entry: Entry): void {
    for (const answer of entry.callers) answer(outcomeOf(entry.approval));
  }

  /** Nothing happens to it by itself any more. */
  close(entry: Entry): void {
    entry.arming?.dispose();
    entry.expiry?.dispose();
    entry.watch?.dispose();
    entry.dueWrite?.dispose();
    delete entry.dueWrite;
  }
}
