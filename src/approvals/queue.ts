import { randomBytes } from 'node:crypto';
import { ToolError } from '../core/tool.ts';
import type { ApprovalRequest, Approver, ChangeOutcome, Waiting } from '../ports/approver.ts';
import type { AuditLog } from '../ports/auditLog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Event, Subscription } from '../ports/event.ts';
import { principalKey } from '../ports/principal.ts';
import { textsOf, type ChangesProposal } from '../ports/proposal.ts';
import { applyApproved, changeOf, type Recheck } from './apply.ts';
import type {
  Approval,
  Approvals,
  ApprovalState,
  ApprovalTexts,
  Decline,
  DecisionResult,
  RebaseResult,
  Restriction,
  UndoResult,
} from './approval.ts';
import { Choosing } from './choosing.ts';
import {
  filesOf,
  isOpen,
  mustReachEnd,
  newEntry,
  problemsBefore,
  textPathsNow,
  waitingMessage,
  type Entry,
  type Proposed,
} from './entry.ts';
import { Freshness, type FreshnessDependencies } from './freshness.ts';
import type { Review } from './hunks.ts';
import { loadProposal } from './load.ts';
import { outcomeOf } from './outcome.ts';
import { overlap } from './overlap.ts';
import { proposalHash, proposalHashOfKnown } from './proposalHash.ts';
import { parseRecord } from './record.ts';
import { Restrictions } from './restrictions.ts';
import { asProposed, reviewedChanges, selectedProposal } from './selection.ts';
import { ApprovalStore } from './store.ts';
import { undoApplied } from './undo.ts';

export interface ApprovalLimits {
  /** A card that nobody decides ends after this. */
  readonly expiryMilliseconds: number;
  /** A button works only this long after its card appeared or moved (threat row A17). */
  readonly armMilliseconds: number;
  /** Cards of one assistant that come this close together make a group. */
  readonly groupMilliseconds: number;
  /** Finished cards that stay in view. */
  readonly finished: number;
  /** Cards that may wait at a time, of one principal and in all (threat row A16). */
  readonly pendingOfPrincipal: number;
  readonly pending: number;
  /** UTF-16 units of all texts of one proposal, before and after: what no human reads, and every look at it pays for. */
  readonly textLength: number;
}

export const shippedLimits: ApprovalLimits = {
  expiryMilliseconds: 30 * 60_000,
  armMilliseconds: 500,
  groupMilliseconds: 300,
  finished: 20,
  pendingOfPrincipal: 20,
  pending: 50,
  textLength: 20 * 1024 * 1024,
};

export interface QueueDependencies extends FreshnessDependencies {
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  /** Policy, trust and every path, asked again right before the apply. */
  readonly recheck: Recheck;
  readonly limits?: ApprovalLimits;
}

const progressMilliseconds = 10_000;
/**
 * What waits for the human: a state machine in which the first to act wins (threat row A15), whoever it is: a click, a
 * cancel, an expiry, a change of the files. Views draw it and send decisions; nothing else decides.
 */
export class ApprovalQueue implements Approver, Approvals {
  readonly #dependencies: QueueDependencies;
  readonly #limits: ApprovalLimits;
  readonly #store: ApprovalStore;
  readonly #choosing: Choosing;
  readonly #freshness: Freshness;
  readonly #restrictions: Restrictions;
  readonly #openedGroups = new Set<string>();
  readonly onDidChange: Event<void>;

  constructor(dependencies: QueueDependencies) {
    const { auditLog, clock, history, limits = shippedLimits } = dependencies;
    this.#dependencies = dependencies;
    this.#limits = limits;
    this.#store = new ApprovalStore(history, auditLog);
    this.#choosing = new Choosing(this.#store, { history, clock });
    this.#freshness = new Freshness(this.#store, dependencies, {
      finish: (entry, state, facts) => this.#finish(entry, state, facts),
      addRebased: (proposed) => {
        const reviewed = reviewedChanges(proposed.proposal, proposed.protectedBy);
        const proposedHash = proposalHash(proposed.tool, proposed.proposal);
        return this.#add(proposed, { reviewed, proposedHash, repeatable: false }, { callReturned: true });
      },
    });
    this.#restrictions = new Restrictions(clock, () => this.#store.tell());
    this.onDidChange = this.#store.onDidChange;
  }

  get all(): readonly Approval[] {
    return this.#store.list(this.#limits.finished);
  }

  get restrictions(): readonly Restriction[] {
    return this.#restrictions.all;
  }

  get(id: string): Approval | undefined {
    return this.#store.get(id)?.approval;
  }

  // ---- Asking -------------------------------------------------------------------------------------------------------

  async request(request: ApprovalRequest): Promise<ChangeOutcome> {
    this.#restrictions.admit(request.principal, request.proposal);
    this.#requireReadable(request.proposal);
    const hash = proposalHashOfKnown(request.tool, request.proposal);
    const entry = this.#joinable(request, hash) ?? this.#replace(request, hash);
    request.onWaiting(entry.approval.id);
    return this.#wait(entry, request);
  }

  async outcome(approvalId: string, waiting: Waiting): Promise<ChangeOutcome | undefined> {
    const entry = this.#store.get(approvalId);
    if (entry === undefined || principalKey(entry.approval.principal) !== principalKey(waiting.principal)) {
      return undefined;
    }
    return isOpen(entry.approval) ? this.#wait(entry, waiting) : outcomeOf(entry.approval);
  }

  /** An assistant that sends the same again gets the card that is there. */
  #joinable({ principal, tool }: ApprovalRequest, hash: string): Entry | undefined {
    return this.#store
      .openOf(principal)
      .find(({ approval, proposedHash }) => approval.tool === tool && proposedHash === hash);
  }

  /** A new card, in the place of those of the same caller that want something else of the same lines. */
  #replace(request: ApprovalRequest, proposedHash: string): Entry {
    const reviewed = reviewedChanges(request.proposal, request.protectedBy);
    const replaced = this.#store
      .openOf(request.principal)
      .filter(
        (entry) =>
          entry.approval.state === 'waiting' &&
          (entry.approval.id === request.replaces || overlap(entry.reviewed, reviewed)),
      );
    this.#requireRoom(request, replaced.length);
    const entry = this.#add(request, { reviewed, proposedHash, repeatable: true }, { callReturned: false });
    for (const old of replaced) {
      this.#finish(old, 'superseded', {
        note: 'The assistant sent another change in its place.',
        replacedBy: entry.approval.id,
      });
    }
    return entry;
  }

  #requireReadable({ files }: ChangesProposal): void {
    const length = files.reduce((sum, change) => {
      const texts = textsOf(change);
      return texts === undefined ? sum : sum + texts.base.length + texts.result.length;
    }, 0);
    if (length <= this.#limits.textLength) return;
    throw new ToolError(
      'too_large',
      `These ${files.length} files are too much text for one change; it was not shown to the user.`,
      'Send it in several calls with fewer files each.',
    );
  }

  #requireRoom({ principal }: ApprovalRequest, leaving: number): void {
    const waiting = this.#store.entries.filter(({ approval }) => isOpen(approval));
    const key = principalKey(principal);
    const own = waiting.filter(({ approval }) => principalKey(approval.principal) === key).length - leaving;
    const { pending, pendingOfPrincipal } = this.#limits;
    if (own < pendingOfPrincipal && waiting.length - leaving < pending) return;
    throw new ToolError(
      'too_many_pending',
      `${own} of your changes wait for the user already; this one was not shown to them.`,
      'Wait for the decisions with get_approval before you send more, and put related edits into one call.',
    );
  }

  #add(
    request: Proposed,
    entryFacts: Pick<Entry, 'reviewed' | 'proposedHash' | 'repeatable'>,
    approvalFacts: Pick<Approval, 'callReturned'>,
  ): Entry {
    const { clock, problems } = this.#dependencies;
    const { tool, principal, client, reason, proposal, risk } = request;
    const { reviewed, proposedHash } = entryFacts;
    const now = clock.now();
    const choices = reviewed.map(() => asProposed);
    const approval: Approval = {
      id: `a-${randomBytes(12).toString('hex')}`,
      state: 'waiting',
      tool,
      arguments: request.arguments,
      principal,
      client,
      reason,
      risk,
      files: filesOf({ reviewed, choices }),
      indivisible: proposal.indivisible ?? false,
      groupId: this.#groupFor(principal, now),
      proposalHash: proposedHash,
      revision: 0,
      requestedAt: now,
      expiresAt: now + this.#limits.expiryMilliseconds,
      mustReachEnd: mustReachEnd(request),
      moved: false,
      canUndo: false,
      canRebase: false,
      ...approvalFacts,
    };
    const entry = newEntry(approval, { proposal, choices, ...entryFacts });
    entry.problems = problemsBefore(problems, proposal);
    this.#store.write(entry, true);
    this.#store.add(entry);
    this.#open(entry);
    this.#store.audit(entry, 'waiting');
    this.#store.tell();
    return entry;
  }

  #open(entry: Entry): void {
    const { clock } = this.#dependencies;
    const left = entry.approval.expiresAt - clock.now();
    entry.expiry = clock.after(Math.max(0, left), () => this.#finish(entry, 'expired', {}));
    this.#freshness.watch(entry);
  }

  #groupFor(principal: ApprovalRequest['principal'], now: number): string {
    const latest = this.#store
      .openOf(principal)
      .filter(({ approval }) => approval.state === 'waiting' && !this.#openedGroups.has(approval.groupId))
      .at(-1)?.approval;
    const isTogether = latest !== undefined && now - latest.requestedAt <= this.#limits.groupMilliseconds;
    return isTogether ? latest.groupId : `g-${randomBytes(8).toString('hex')}`;
  }

  /** Waits for the outcome, for the caller's cancel, or until the call has to be answered with `pending_approval`. */
  async #wait(entry: Entry, { signal, waitMilliseconds, progress }: Waiting): Promise<ChangeOutcome> {
    const { clock } = this.#dependencies;
    const answered = Promise.withResolvers<ChangeOutcome>();
    entry.callers.add(answered.resolve);
    const cancel = (): void => {
      entry.callers.delete(answered.resolve);
      if (entry.callers.size === 0 && !entry.approval.callReturned && entry.approval.state === 'waiting') {
        this.#finish(entry, 'withdrawn', { note: 'The assistant cancelled its call; nothing was changed.' });
      }
      answered.resolve(outcomeOf(entry.approval));
    };
    const deadline = clock.after(waitMilliseconds, () => {
      if (!entry.approval.callReturned) {
        this.#store.update(entry, { callReturned: true });
        this.#store.write(entry);
      }
      answered.resolve(outcomeOf(entry.approval));
    });
    let heartbeat: Subscription;
    const beat = (): Subscription =>
      clock.after(progressMilliseconds, () => {
        progress(waitingMessage(entry.approval, clock.now()));
        heartbeat = beat();
      });
    heartbeat = beat();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      deadline.dispose();
      heartbeat.dispose();
      entry.callers.delete(answered.resolve);
    }
  }

  // ---- Looking and choosing -----------------------------------------------------------------------------------------

  texts(id: string, fileIndex: number): Promise<ApprovalTexts | undefined> {
    return this.#choosing.texts(id, fileIndex);
  }

  review(id: string, fileIndex: number): Promise<Review | undefined> {
    return this.#choosing.review(id, fileIndex);
  }

  selectHunk(id: string, fileIndex: number, hunkIndex: number, included: boolean): void {
    this.#choosing.selectHunk(id, fileIndex, hunkIndex, included);
  }

  selectFile(id: string, fileIndex: number, included: boolean): void {
    this.#choosing.selectFile(id, fileIndex, included);
  }

  setText(id: string, fileIndex: number, text: string): boolean {
    return this.#choosing.setText(id, fileIndex, text);
  }

  groupOpened(groupId: string): void {
    const waiting = new Set(
      this.#store.entries.flatMap(({ approval }) => (isOpen(approval) ? [approval.groupId] : [])),
    );
    for (const opened of this.#openedGroups) if (!waiting.has(opened)) this.#openedGroups.delete(opened);
    if (waiting.has(groupId)) this.#openedGroups.add(groupId);
  }

  displayed(id: string): void {
    const entry = this.#store.get(id);
    if (entry === undefined || entry.approval.state !== 'waiting') return;
    entry.armedAt = this.#dependencies.clock.now() + this.#limits.armMilliseconds;
    if (entry.approval.displayedAt === undefined) {
      this.#store.update(entry, { displayedAt: this.#dependencies.clock.now() });
      this.#store.audit(entry, 'displayed');
    }
  }

  endReached(id: string): void {
    const entry = this.#store.get(id);
    if (entry !== undefined) entry.endReached = true;
  }

  // ---- Deciding -----------------------------------------------------------------------------------------------------

  approve(id: string, hash: string): DecisionResult {
    const entry = this.#store.get(id);
    if (entry === undefined || entry.approval.state !== 'waiting' || entry.proposal === undefined)
      return 'already_decided';
    if (entry.approval.displayedAt === undefined) return 'not_displayed';
    if (this.#dependencies.clock.now() < entry.armedAt) return 'too_fast';
    if (entry.approval.mustReachEnd && !entry.endReached) return 'end_not_reached';
    if (hash !== entry.approval.proposalHash) return 'changed';
    // Another one is landing on its files: this one is computed anew then, and asked for again.
    if (!this.#freshness.isSettled(entry)) return 'changed';
    if (selectedProposal(entry.proposal, entry.choices).files.length === 0) return 'nothing_selected';
    if (entry.dueWrite !== undefined) this.#store.write(entry, true);
    this.#close(entry);
    this.#restrictions.approved(entry.approval.principal, entry.approval.files);
    this.#store.update(entry, { state: 'applying', decidedAt: this.#dependencies.clock.now() });
    this.#store.audit(entry, 'approved');
    void this.#store.track(this.#apply(entry, entry.proposal));
    return 'accepted';
  }

  decline(id: string, { message, reasonCode, pause = false }: Decline = {}): DecisionResult {
    const entry = this.#store.get(id);
    if (entry === undefined || entry.approval.state !== 'waiting') return 'already_decided';
    // A notification may decline what is not on screen now.
    if (entry.armedAt !== Infinity && this.#dependencies.clock.now() < entry.armedAt) return 'too_fast';
    const { principal, client, files } = entry.approval;
    this.#finish(entry, 'declined', {
      ...(message !== undefined && message !== '' && { userMessage: message }),
      ...(reasonCode && { reasonCode }),
    });
    this.#restrictions.declined(principal, client, files);
    if (pause) this.#pause(entry.approval);
    return 'accepted';
  }

  lift(restrictionId: string): void {
    this.#restrictions.lift(restrictionId);
    this.#dependencies.auditLog.event({ event: 'restriction', restrictionId, state: 'lifted' });
  }

  /** Ends waiting approvals that `which` picks, for a reason other than the human's decision. */
  withdraw(which: (approval: Approval) => boolean, note: string): void {
    for (const entry of this.#store.entries) {
      if (entry.approval.state === 'waiting' && which(entry.approval)) this.#finish(entry, 'withdrawn', { note });
    }
  }

  #pause({ principal, client }: Approval): void {
    this.#restrictions.pause(principal, client);
    this.#dependencies.auditLog.event({ event: 'restriction', state: 'paused', client: client?.name ?? '' });
    const key = principalKey(principal);
    this.withdraw((approval) => principalKey(approval.principal) === key, 'You paused this assistant.');
  }

  async #apply(entry: Entry, proposal: ChangesProposal): Promise<void> {
    try {
      await entry.writing.catch((error: unknown) => {
        throw new Error(
          `The text before the change could not be kept for undo, so nothing was changed: ${String(error)}`,
        );
      });
      this.#store.write(entry);
      await entry.writing;
      const { approval, choices, kept } = entry;
      const applied = await applyApproved({ approval, proposal, choices, kept }, this.#dependencies);
      if (applied.state === 'applied') {
        entry.kept = applied.kept ?? kept;
        await this.#finishApplied(entry, proposal, { outcomes: applied.outcomes, canUndo: applied.kept !== undefined });
        return;
      }
      const { state, outcomes, note } = applied;
      this.#finish(entry, state, { ...(outcomes && { outcomes }), note });
      if (state === 'stale') void this.#freshness.offerRebase(entry, proposal, choices);
    } catch (error) {
      this.#finish(entry, 'failed', { note: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The human sees at once that it was applied; the assistant hears of it with what it did to the problems list. */
  async #finishApplied(
    entry: Entry,
    proposal: ChangesProposal,
    facts: Pick<Approval, 'outcomes' | 'canUndo'>,
  ): Promise<void> {
    this.#end(entry, 'applied', facts);
    this.#freshness.landed(entry, proposal);
    const snapshot = await entry.problems;
    const problems = await snapshot?.changeSince(textPathsNow(proposal)).catch(() => undefined);
    if (problems !== undefined && entry.approval.state === 'applied') {
      this.#store.update(entry, { problems });
      this.#store.write(entry);
    }
    this.#answer(entry);
  }

  // ---- Afterwards ---------------------------------------------------------------------------------------------------

  rebase(id: string): Promise<RebaseResult> {
    return this.#freshness.rebase(id);
  }

  async undo(id: string): Promise<UndoResult> {
    const entry = this.#store.get(id);
    if (entry === undefined || entry.approval.state !== 'applied' || !entry.approval.canUndo)
      return { status: 'not_possible' };
    this.#store.update(entry, { canUndo: false });
    const result = await this.#store.track(undoApplied(entry, this.#dependencies));
    this.#dependencies.auditLog.event({ event: 'revert', approvalId: id, outcome: result.status });
    if (result.status === 'undone') {
      this.#finish(entry, 'undone', result.message === undefined ? {} : { note: result.message });
    } else this.#store.update(entry, { canUndo: true });
    return result;
  }

  /** Brings back the cards of earlier runs of this window, waiting ones too, if their caller was told to ask again. */
  async restore(): Promise<void> {
    for (const value of await this.#dependencies.history.records()) {
      const record = parseRecord(value);
      if (record === undefined || this.#store.get(record.approval.id) !== undefined) continue;
      const entry = newEntry(record.approval, { kept: record.changes, repeatable: record.repeatable });
      this.#store.add(entry);
      const { state, callReturned, expiresAt } = record.approval;
      if (state === 'applying') {
        const note = 'The window closed while this was being applied: look at each file.';
        const outcomes = record.approval.files.map((file) => ({
          ...changeOf(file),
          state: 'unknown' as const,
          reason: note,
        }));
        this.#finish(entry, 'failed', { note, outcomes });
      } else if (state === 'waiting' && !callReturned) {
        this.#finish(entry, 'withdrawn', { note: 'The window was reloaded while this waited; nothing was changed.' });
      } else if (state === 'waiting' && expiresAt <= this.#dependencies.clock.now()) {
        this.#finish(entry, 'expired', {});
      } else if (state === 'waiting') {
        await this.#reopen(entry);
      }
    }
    this.#store.tell();
  }

  /** What was written down counts only if it is the change that was shown, for files that still hold what it was made for. */
  async #reopen(entry: Entry): Promise<void> {
    const { approval } = entry;
    try {
      const { proposal, choices } = await loadProposal(entry, this.#dependencies);
      const isSame = proposalHash(approval.tool, selectedProposal(proposal, choices)) === approval.proposalHash;
      const stale = isSame
        ? await this.#dependencies.edits.findStale(proposal.files)
        : { path: 'its record', reason: 'it was damaged' };
      if (stale !== undefined) throw new Error(`${stale.path}: ${stale.reason}`);
      if (entry.approval.state !== 'waiting') return;
      const protectedBy = approval.files.map((file) => file.protectedBy);
      Object.assign(entry, {
        proposal,
        choices,
        proposedHash: proposalHash(approval.tool, proposal),
        reviewed: reviewedChanges(proposal, protectedBy),
        problems: problemsBefore(this.#dependencies.problems, proposal),
      } satisfies Partial<Entry>);
      this.#open(entry);
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error);
      this.#finish(entry, 'stale', { note });
      void loadProposal(entry, this.#dependencies)
        .then(({ proposal, choices }) => this.#freshness.offerRebase(entry, proposal, choices))
        .catch(() => undefined);
    }
  }

  /**
   * The window ends: what a call still waits for is withdrawn, since nobody could ask for its outcome; the rest is on disk
   * and comes back.
   */
  suspend(): void {
    this.withdraw(({ callReturned }) => !callReturned, 'The window was closed or reloaded; nothing was changed.');
    for (const entry of this.#store.entries) {
      if (entry.dueWrite !== undefined && isOpen(entry.approval)) this.#store.write(entry, true);
      this.#close(entry);
    }
  }

  /** Resolves when nothing is half done any more, neither in the files nor in the records: a window must not end before. */
  settled(): Promise<void> {
    return this.#store.settled();
  }

  // ---- Bookkeeping --------------------------------------------------------------------------------------------------

  #finish(entry: Entry, state: ApprovalState, facts: Partial<Approval>): void {
    this.#end(entry, state, facts);
    this.#answer(entry);
  }

  #end(entry: Entry, state: ApprovalState, facts: Partial<Approval>): void {
    const isDue = entry.dueWrite !== undefined;
    this.#close(entry);
    this.#store.update(entry, { decidedAt: this.#dependencies.clock.now(), ...facts, state });
    this.#store.audit(entry, state);
    this.#store.write(entry, isDue);
    this.#store.forget(entry);
  }

  #answer(entry: Entry): void {
    for (const answer of entry.callers) answer(outcomeOf(entry.approval));
  }

  #close(entry: Entry): void {
    entry.expiry?.dispose();
    entry.watch?.dispose();
    entry.dueWrite?.dispose();
    delete entry.dueWrite;
  }
}
