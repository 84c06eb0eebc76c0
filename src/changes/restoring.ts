import { textVersion } from '#base/textVersion.ts';
import { changeOf, placeAfterMove } from './apply.ts';
import type { Applying } from './applying.ts';
import type { Approval } from './approval.ts';
import type { FileOutcome, FileState } from './approver.ts';
import { changesFiles, newEntry, problemsBefore, type Entry } from './entry.ts';
import type { Freshness, FreshnessDependencies } from './freshness.ts';
import { keepText } from './keep.ts';
import { loadProposal } from './keep.ts';
import { proposalHash } from './proposalHash.ts';
import { parseRecord, type KeptChange } from './record.ts';
import { examine, type FoundPart, type RecoveryDependencies } from './recovery.ts';
import { reviewedChanges, selectedProposal } from './selection.ts';
import type { ApprovalStore } from './store.ts';
import { appliedParts } from './undo.ts';

/** A change that a crash left half done, for the human to be told of. */
export interface RecoveryNotice {
  /** Of its approval. */
  readonly id: string;
  readonly interrupted: 'apply' | 'undo' | 'redo';
  readonly files: readonly { readonly path: string; readonly state: FileState }[];
}

export interface RestoringOwner {
  readonly store: ApprovalStore;
  readonly applying: Applying;
  readonly freshness: Freshness;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A card waits again. */
  readonly open: (entry: Entry) => void;
}

/** Brings the approvals of earlier runs of this window back from their records. */
export class Restoring {
  readonly #owner: RestoringOwner;
  readonly #dependencies: FreshnessDependencies & RecoveryDependencies;

  constructor(owner: RestoringOwner, dependencies: FreshnessDependencies & RecoveryDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
  }

  /** Waiting cards come back if their caller was told to ask again; what a crash cut off is examined. Returns what is half done. */
  async restore(): Promise<readonly RecoveryNotice[]> {
    const { store, applying, now } = this.#owner;
    const notices: RecoveryNotice[] = [];
    for (const value of await this.#dependencies.history.records()) {
      const record = parseRecord(value);
      if (record === undefined || store.get(record.approval.id) !== undefined) continue;
      const { approval, changes, repeatable, places, pending } = record;
      const entry = newEntry(approval, {
        kept: changes,
        repeatable,
        ...(places && { places }),
        ...(pending && { pending }),
      });
      store.add(entry);
      const { state, callReturned, expiresAt } = approval;
      if (state === 'applying' && !changesFiles(approval)) {
        const note =
          'The window closed while this was being done: whether it was done is not known. It is not done again.';
        applying.finish(entry, 'failed', { note });
        notices.push({ id: approval.id, interrupted: 'apply', files: [] });
      } else if (state === 'applying' || pending !== undefined) {
        const notice = await this.#recover(entry);
        if (notice !== undefined) notices.push(notice);
      } else if (state === 'waiting' && !callReturned) {
        const note = 'The window was reloaded while this waited; nothing was changed.';
        applying.finish(entry, 'withdrawn', { note });
      } else if (state === 'waiting' && expiresAt <= now()) {
        applying.finish(entry, 'expired', {});
      } else if (state === 'waiting') {
        await this.#reopen(entry);
      }
    }
    store.tell();
    return notices;
  }

  /** What was written down counts only if it is the change that was shown, for files that still hold what it was made for. */
  async #reopen(entry: Entry): Promise<void> {
    const { approval } = entry;
    const { applying, freshness, open } = this.#owner;
    try {
      const { proposal, choices } = await loadProposal(entry, this.#dependencies);
      const isSame = proposalHash(approval.tool, selectedProposal(proposal, choices)) === approval.proposalHash;
      const stale = isSame
        ? proposal.kind === 'changes' && (await this.#dependencies.edits.findStale(proposal.files))
        : { path: 'its record', reason: 'it was damaged' };
      if (stale) throw new Error(`${stale.path}: ${stale.reason}`);
      if (entry.approval.state !== 'waiting') return;
      const protectedBy = approval.files.map((file) => file.protectedBy);
      Object.assign(entry, {
        proposal,
        choices,
        proposedHash: proposalHash(approval.tool, proposal),
        reviewed: reviewedChanges(proposal, protectedBy),
        problems: problemsBefore(this.#dependencies.problems, proposal),
      } satisfies Partial<Entry>);
      open(entry);
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      if (!changesFiles(approval)) {
        applying.finish(entry, 'withdrawn', { note });
        return;
      }
      applying.finish(entry, 'stale', { note });
      void loadProposal(entry, this.#dependencies)
        .then(({ proposal, choices }) => freshness.offerRebase(entry, proposal, choices))
        .catch(() => undefined);
    }
  }

  async #recover(entry: Entry): Promise<RecoveryNotice | undefined> {
    const { pending } = entry;
    const parts = await examine(entry, this.#dependencies);
    const isPart = pending !== undefined && parts.length < appliedParts(entry).length;
    entry.kept = await this.#keepFound(entry, parts);
    delete entry.pending;
    const states = new Set(parts.map(({ found }) => found));
    const [only] = states;
    if (states.size !== 1 || only === undefined || only === 'unknown') {
      return this.#endHalfDone(entry, parts, pending?.direction ?? 'apply');
    }
    if (isPart) this.#endPart(entry, parts, only);
    else if (pending === undefined) this.#endApply(entry, parts, only);
    else if (only === 'before') this.#end(entry, 'undone', { canUndo: false, canRedo: true });
    else this.#end(entry, pending.direction === 'redo' ? 'applied' : entry.approval.state, { canUndo: true });
    return undefined;
  }

  #endApply(entry: Entry, parts: readonly FoundPart[], found: 'before' | 'after'): void {
    if (found === 'after') {
      this.#end(entry, 'applied', { outcomes: outcomesOf(entry, parts), canUndo: true });
    } else {
      this.#end(entry, 'withdrawn', { note: 'The window closed before this was applied; nothing was changed.' });
    }
  }

  /** Of an undo of some files alone. */
  #endPart(entry: Entry, parts: readonly FoundPart[], found: 'before' | 'after'): void {
    const takenBack = new Set(found === 'before' ? parts.map(({ index }) => index) : []);
    entry.kept = entry.kept.map((kept, index) => (takenBack.has(index) ? { ...kept, takenBack: true } : kept));
    this.#end(entry, entry.approval.state, { canUndo: true });
  }

  #endHalfDone(entry: Entry, parts: readonly FoundPart[], interrupted: RecoveryNotice['interrupted']): RecoveryNotice {
    const what = { apply: 'applied', undo: 'undone', redo: 'made again' }[interrupted];
    const note = `The window closed while this was being ${what}: some files are changed and others are not. Look at each of them; Undo takes back what is changed.`;
    const outcomes = outcomesOf(entry, parts);
    const canUndo = parts.some(({ found }) => found === 'after');
    this.#end(entry, 'failed', { note, outcomes, canUndo, canRedo: false });
    const files = outcomes.flatMap(({ path, state }, index) =>
      parts.some((part) => part.index === index) ? [{ path, state }] : [],
    );
    return { id: entry.approval.id, interrupted, files };
  }

  #end(entry: Entry, state: Approval['state'], facts: Partial<Approval>): void {
    const { decidedAt, appliedAt = decidedAt } = entry.approval;
    const times = {
      ...(decidedAt !== undefined && { decidedAt }),
      ...(appliedAt !== undefined && state === 'applied' && { appliedAt }),
    };
    this.#owner.applying.finish(entry, state, { ...times, ...facts });
    this.#owner.applying.followReverted(entry);
  }

  /** What stands in the files is what an undo or a redo must find. */
  #keepFound({ kept }: Entry, parts: readonly FoundPart[]): Promise<KeptChange[]> {
    const { history } = this.#dependencies;
    return Promise.all(
      kept.map(async (change, index) => {
        const part = parts.find((each) => each.index === index);
        if (part?.found !== 'after' || part.text === undefined) return change;
        const after = await keepText(part.text, history);
        return { ...change, after, ...(change.kind === 'create' && part.bytes !== undefined && { bytes: part.bytes }) };
      }),
    );
  }
}

function outcomesOf({ approval }: Entry, parts: readonly FoundPart[]): FileOutcome[] {
  const { files } = approval;
  // A move that was not made leaves its file where it was.
  const made = files.filter((_, index) => parts.some((part) => part.index === index && part.found === 'after'));
  return files.map((file, index) => {
    const part = parts.find((each) => each.index === index);
    const facts = changeOf(file);
    if (part === undefined) return approval.outcomes?.[index] ?? { ...facts, state: 'not_applied' };
    if (part.found === 'before') return { ...facts, state: 'not_applied' };
    if (part.found === 'unknown') {
      return { ...facts, state: 'unknown', reason: 'It holds neither what it held before nor what was approved.' };
    }
    const { text } = part;
    return {
      ...facts,
      state: 'applied',
      ...(file.change === 'edit' && placeAfterMove(file, made)),
      ...(text && { version: textVersion(text.text), saved: !text.unsaved, dirty: text.unsaved }),
    };
  });
}
