import type { Event } from '#base/event.ts';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import type { ActionProposal } from '#base/proposal.ts';
import { Applying, type ApplyingDependencies } from './applying.ts';
import type {
  Approval,
  ApprovalQuestion,
  Approvals,
  ApprovalTexts,
  Decline,
  DecisionResult,
  RebaseResult,
  Restriction,
  UndoResult,
  WaitingRead,
} from './approval.ts';
import type { ApprovalRequest, Approver, ChangeOutcome, ReadRequest, Waiting } from './approver.ts';
import { ArmingDelay, armMilliseconds } from './armingDelay.ts';
import { Asking, type AskingLimits } from './asking.ts';
import { Choosing } from './choosing.ts';
import { isOpen, type Entry, type Proposed } from './entry.ts';
import { Freshness, type FreshnessDependencies } from './freshness.ts';
import type { Review } from './review.ts';
import type { InterruptedApplies } from './edits.ts';
import { outcomeOf } from './outcome.ts';
import { waitForOutcome } from './outcomeWait.ts';
import { proposalHash, proposalHashOfKnown } from './proposalHash.ts';
import { Restoring, type RecoveryNotice } from './restoring.ts';
import { Restrictions } from './restrictions.ts';
import { AppliedChanges } from './revert.ts';
import { reviewedChanges, selectedProposal } from './selection.ts';
import { ApprovalStore } from './store.ts';
import { WaitingReads, type ReadAnswer } from './waitingReads.ts';

export interface ApprovalLimits extends AskingLimits {
  /** A decision counts only this long after its card appeared or moved (threat row A17). */
  readonly armMilliseconds: number;
  /** Finished cards that stay in view. */
  readonly finished: number;
}

export const shippedLimits: ApprovalLimits = {
  expiryMilliseconds: 30 * 60_000,
  armMilliseconds,
  groupMilliseconds: 300,
  finished: 20,
  pendingOfPrincipal: 20,
  pending: 50,
  textLength: 20 * 1024 * 1024,
  requestLength: 256 * 1024,
};

export interface QueueDependencies extends FreshnessDependencies, Omit<ApplyingDependencies, 'files'> {
  readonly interrupted: InterruptedApplies;
  readonly limits?: ApprovalLimits;
}

/** UTF-16 units. */
const longestAnswer = 2000;

const windowEnded = 'The window was closed or reloaded; nothing was changed.';

/**
 * What waits for the human: a state machine in which the first to act wins (threat row A15), whoever it is: a click, a
 * cancel, an expiry, a change of the files. Views draw it and send decisions; nothing else decides.
 */
export class ApprovalQueue implements Approver, Approvals {
  readonly #dependencies: QueueDependencies;
  readonly #limits: ApprovalLimits;
  readonly #store: ApprovalStore;
  readonly #asking: Asking;
  readonly #choosing: Choosing;
  readonly #applying: Applying;
  readonly #freshness: Freshness;
  readonly #reads: WaitingReads;
  readonly #restrictions: Restrictions;
  /** The newest change that is applied without asking: the next one is made for what this one leaves. */
  #lastUnasked: Promise<unknown> = Promise.resolve();
  #isSuspended = false;
  /** What was changed, and the way back. */
  readonly changes: AppliedChanges;
  readonly onDidChange: Event<void>;

  constructor(dependencies: QueueDependencies) {
    const { auditLog, clock, history, limits = shippedLimits } = dependencies;
    this.#dependencies = dependencies;
    this.#limits = limits;
    this.#store = new ApprovalStore(history, auditLog);
    this.#asking = new Asking(this.#store, dependencies, limits);
    this.#choosing = new Choosing(this.#store, { history, clock });
    this.#applying = new Applying(this.#store, dependencies, {
      landed: (entry, proposal) => this.#freshness.landed(entry, proposal),
      stale: (entry, proposal, choices) => void this.#freshness.offerRebase(entry, proposal, choices),
    });
    this.#freshness = new Freshness(this.#store, dependencies, {
      finish: (entry, state, facts) => this.#applying.finish(entry, state, facts),
      addRebased: (proposed) => this.#addUnrequested(proposed),
    });
    const changed = (): void => this.#store.tell();
    this.#reads = new WaitingReads({ clock, auditLog, changed });
    this.#restrictions = new Restrictions(clock, changed);
    const addCard = (proposed: Proposed): void => {
      this.#asking.requireReadable(proposed.proposal);
      this.#asking.requireRoom(proposed.principal, 0);
      this.#addUnrequested(proposed);
    };
    this.changes = new AppliedChanges({ store: this.#store, applying: this.#applying, addCard }, dependencies);
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
    const { principal, proposal, judgement, tool } = request;
    this.#restrictions.admit(principal, proposal);
    this.#asking.requireReadable(proposal);
    const joined = this.#asking.joinable(request, proposalHashOfKnown(tool, proposal));
    if (joined === undefined && judgement.effect === 'allow') {
      if (proposal.kind === 'changes') return this.#applyUnasked(request);
      if (proposal.kind === 'action') return this.#actUnasked(request, proposal);
    }
    const entry = joined ?? this.#ask(request);
    request.onWaiting(entry.approval.id);
    return this.#wait(entry, request);
  }

  async outcome(approvalId: string, waiting: Waiting): Promise<ChangeOutcome | undefined> {
    const entry = this.#store.get(approvalId);
    if (entry === undefined || principalKey(entry.approval.principal) !== principalKey(waiting.principal)) {
      return undefined;
    }
    if (isOpen(entry.approval)) return this.#wait(entry, waiting);
    for (const each of entry.media ?? []) waiting.attach?.(each);
    return outcomeOf(entry.approval);
  }

  /** A new card. */
  #ask(request: ApprovalRequest): Entry {
    const entry = this.#begin(request, 'waiting');
    this.#open(entry);
    this.#tellOf(entry);
    return entry;
  }

  /**
   * One after the other, so that a change that was made for the same text as the one before is made anew for what that one
   * left. It may be one that is asked for, then.
   */
  async #applyUnasked(request: ApprovalRequest): Promise<ChangeOutcome> {
    const turn = this.#lastUnasked.then(() => this.#applyInTurn(request));
    this.#lastUnasked = turn.then(
      ({ applied }) => applied,
      () => undefined,
    );
    const { entry } = await turn;
    return isOpen(entry.approval) ? this.#wait(entry, request) : outcomeOf(entry.approval);
  }

  /** It is made for no text, so it need not wait for others. */
  #actUnasked(request: ApprovalRequest, proposal: ActionProposal): Promise<ChangeOutcome> {
    const entry = this.#begin(request, 'applying');
    this.#tellOf(entry);
    const note = this.#endedMeanwhile(request);
    if (note === undefined) void this.#store.track(this.#applying.apply(entry, proposal));
    else this.#applying.finish(entry, 'withdrawn', { note });
    return isOpen(entry.approval) ? this.#wait(entry, request) : Promise.resolve(outcomeOf(entry.approval));
  }

  async #applyInTurn(given: ApprovalRequest): Promise<{ readonly entry: Entry; readonly applied?: Promise<void> }> {
    const request = await this.#forTextNow(given);
    this.#restrictions.admit(request.principal, request.proposal);
    if (request.judgement.effect === 'ask') {
      const card = this.#ask(request);
      request.onWaiting(card.approval.id);
      return { entry: card };
    }
    const entry = this.#begin(request, 'applying');
    this.#tellOf(entry);
    // They are told as they were before the change; to find them out, the editor may have the files open for a moment.
    await entry.problems;
    const note = this.#endedMeanwhile(request);
    if (note !== undefined) {
      this.#applying.finish(entry, 'withdrawn', { note });
      return { entry };
    }
    return { entry, applied: this.#store.track(this.#applying.apply(entry, request.proposal)) };
  }

  /** Why a change that nobody is asked for may not begin any more. */
  #endedMeanwhile({ signal, principal, proposal }: ApprovalRequest): string | undefined {
    if (signal.aborted) return 'The assistant cancelled its call; nothing was changed.';
    if (this.#isSuspended) return windowEnded;
    try {
      this.#restrictions.admit(principal, proposal);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The same call for the files as they are now, when they changed since it was made. */
  async #forTextNow(request: ApprovalRequest): Promise<ApprovalRequest> {
    const stale = await this.#dependencies.edits.findStale(request.proposal.files).catch(() => undefined);
    if (stale === undefined) return request;
    const again = await this.#dependencies.repropose(request).catch(() => undefined);
    return again === undefined ? request : { ...request, ...again };
  }

  /** A new approval, in the place of the cards of the same caller that want something else of the same lines. */
  #begin(request: ApprovalRequest, state: 'waiting' | 'applying'): Entry {
    const reviewed = reviewedChanges(request.proposal, request.judgement.protectedBy);
    const replaced = this.#asking.replacedBy(request, reviewed);
    if (state === 'waiting') this.#asking.requireRoom(request.principal, replaced.length);
    const proposedHash = proposalHashOfKnown(request.tool, request.proposal);
    const beginning = { state, reviewed, proposedHash, repeatable: true, callReturned: false };
    const entry = this.#asking.add(request, beginning);
    for (const old of replaced) {
      this.#applying.finish(old, 'superseded', {
        note: 'The assistant sent another change in its place.',
        replacedBy: entry.approval.id,
      });
    }
    return entry;
  }

  /** A card that no call waits for. */
  #addUnrequested(proposed: Proposed): Entry {
    const entry = this.#asking.add(proposed, {
      state: 'waiting',
      reviewed: reviewedChanges(proposed.proposal, proposed.judgement.protectedBy),
      proposedHash: proposalHash(proposed.tool, proposed.proposal),
      repeatable: false,
      callReturned: true,
    });
    this.#open(entry);
    this.#tellOf(entry);
    return entry;
  }

  #tellOf(entry: Entry): void {
    this.#store.audit(entry, entry.approval.state);
    this.#store.tell();
  }

  #open(entry: Entry): void {
    const { clock } = this.#dependencies;
    const left = entry.approval.expiresAt - clock.now();
    entry.expiry = clock.after(Math.max(0, left), () => this.#applying.finish(entry, 'expired', {}));
    this.#freshness.watch(entry);
  }

  #wait(entry: Entry, waiting: Waiting): Promise<ChangeOutcome> {
    return waitForOutcome(entry, waiting, {
      clock: this.#dependencies.clock,
      store: this.#store,
      withdraw: (cancelled) =>
        this.#applying.finish(cancelled, 'withdrawn', {
          note: 'The assistant cancelled its call; nothing was changed.',
        }),
    });
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
    this.#asking.groupOpened(groupId);
  }

  displayed(id: string, armed: () => void = () => undefined): void {
    const entry = this.#store.waiting(id);
    if (entry === undefined) return;
    const { clock } = this.#dependencies;
    entry.arming?.dispose();
    entry.arming = new ArmingDelay(clock, this.#limits.armMilliseconds, armed);
    if (entry.approval.displayedAt === undefined) {
      this.#store.update(entry, { displayedAt: clock.now() });
      this.#store.audit(entry, 'displayed');
    }
  }

  endReached(id: string): void {
    const entry = this.#store.get(id);
    if (entry !== undefined) entry.endReached = true;
  }

  // ---- Deciding -----------------------------------------------------------------------------------------------------

  approvable(id: string, hash: string, confirmedCount?: number): DecisionResult {
    const entry = this.#store.waiting(id);
    // A question is answered, and never consented to.
    if (entry?.proposal === undefined || entry.proposal.kind === 'question') return 'already_decided';
    const { approval, proposal, choices } = entry;
    if (approval.displayedAt === undefined) return 'not_displayed';
    if (entry.arming?.isOver !== true) return 'too_fast';
    if (approval.mustReachEnd && !entry.endReached) return 'end_not_reached';
    if (hash !== approval.proposalHash) return 'changed';
    const { confirmCount } = approval.judgement;
    if (confirmCount !== undefined && confirmedCount !== confirmCount) return 'count_not_confirmed';
    // Another one is landing on its files: this one is computed anew then, and asked for again.
    if (!this.#freshness.isSettled(entry)) return 'changed';
    const isNothing = proposal.kind === 'changes' && selectedProposal(proposal, choices).files.length === 0;
    return isNothing ? 'nothing_selected' : 'accepted';
  }

  approve(id: string, hash: string, confirmedCount?: number): DecisionResult {
    const result = this.approvable(id, hash, confirmedCount);
    const entry = this.#store.waiting(id);
    if (result !== 'accepted' || entry?.proposal === undefined) return result;
    const isDue = entry.dueWrite !== undefined;
    this.#applying.close(entry);
    this.#restrictions.approved(entry.approval);
    this.#store.update(entry, { state: 'applying', decidedAt: this.#dependencies.clock.now() });
    this.#store.audit(entry, 'approved');
    this.#store.write(entry, isDue);
    void this.#store.track(this.#applying.apply(entry, entry.proposal));
    return 'accepted';
  }

  answer(id: string, hash: string, answer: string): DecisionResult {
    const entry = this.#store.waiting(id);
    if (entry?.approval.question === undefined) return 'already_decided';
    const { question, displayedAt, proposalHash: asked } = entry.approval;
    if (displayedAt === undefined) return 'not_displayed';
    if (entry.arming?.isOver !== true) return 'too_fast';
    if (hash !== asked || !isAnswerTo(question, answer)) return 'changed';
    this.#applying.finish(entry, 'applied', { answer });
    return 'accepted';
  }

  decline(id: string, { message, reasonCode, pause = false }: Decline = {}): DecisionResult {
    const entry = this.#store.waiting(id);
    if (entry === undefined) return 'already_decided';
    // A notification may decline what is not on screen now.
    if (entry.arming?.isOver === false) return 'too_fast';
    const declined = entry.approval;
    this.#applying.finish(entry, 'declined', {
      ...(message !== undefined && message !== '' && { userMessage: message }),
      ...(reasonCode && { reasonCode }),
    });
    this.#restrictions.declined(declined);
    if (pause) this.pause(declined.principal, declined.client);
    return 'accepted';
  }

  /** The id of the restriction by which an assistant is paused, for `lift`; undefined when it is not. */
  pauseOf(principal: Principal): string | undefined {
    return this.#restrictions.pauseOf(principal);
  }

  lift(restrictionId: string): void {
    this.#restrictions.lift(restrictionId);
    this.#dependencies.auditLog.event({ event: 'restriction', restrictionId, state: 'lifted' });
  }

  /**
   * Ends waiting approvals that `which` picks, for a reason other than the human's decision.
   * @param which gets the URIs of the files that an action is done to as well
   */
  withdraw(which: (approval: Approval, places: readonly string[]) => boolean, note: string): void {
    for (const entry of this.#store.entries) {
      if (entry.approval.state === 'waiting' && which(entry.approval, entry.places ?? []))
        this.#applying.finish(entry, 'withdrawn', { note });
    }
  }

  /** What is being done is told to stop; how it ends is its own affair. */
  #stopActing(which: (approval: Approval) => boolean): void {
    for (const { approval, acting } of this.#store.entries) if (which(approval)) acting?.abort();
  }

  /** The assistant can read, but change nothing until the human resumes it; what waits of it is withdrawn. */
  pause(principal: Principal, client: ClientInfo | undefined): void {
    this.#restrictions.pause(principal, client);
    this.#dependencies.auditLog.event({ event: 'restriction', state: 'paused', client: client?.name ?? '' });
    const key = principalKey(principal);
    this.withdraw((approval) => principalKey(approval.principal) === key, 'You paused this assistant.');
    this.#stopActing((approval) => principalKey(approval.principal) === key);
    this.withdrawReads((paused) => principalKey(paused) === key);
  }

  // ---- Reads that ask -----------------------------------------------------------------------------------------------

  async permitRead(request: ReadRequest): Promise<void> {
    this.#restrictions.admitRead(request.principal);
    await this.#reads.permit(request);
  }

  get waitingReads(): readonly WaitingRead[] {
    return this.#reads.all;
  }

  readDisplayed(id: string, armed?: () => void): void {
    this.#reads.displayed(id, armed);
  }

  answerRead(id: string, allow: boolean): ReadAnswer {
    return this.#reads.answer(id, allow);
  }

  /** Ends what these principals wait for, and forgets what they were allowed. */
  withdrawReads(which: (principal: Principal) => boolean): void {
    this.#reads.withdraw(which);
  }

  // ---- Afterwards ---------------------------------------------------------------------------------------------------

  rebase(id: string): Promise<RebaseResult> {
    return this.#freshness.rebase(id);
  }

  undo(id: string): Promise<UndoResult> {
    return this.#applying.undo(id);
  }

  redo(id: string): Promise<UndoResult> {
    return this.#applying.redo(id);
  }

  /**
   * Brings back the cards of earlier runs of this window, waiting ones too, if their caller was told to ask again. Returns what
   * a crash left half done, for the human to be told of.
   */
  restore(): Promise<readonly RecoveryNotice[]> {
    const owner = {
      store: this.#store,
      applying: this.#applying,
      freshness: this.#freshness,
      now: () => this.#dependencies.clock.now(),
      open: (entry: Entry) => this.#open(entry),
    };
    return new Restoring(owner, this.#dependencies).restore();
  }

  /**
   * The window ends: what a call still waits for is withdrawn, since nobody could ask for its outcome; the rest is on disk
   * and comes back.
   */
  suspend(): void {
    this.#isSuspended = true;
    this.withdraw(({ callReturned }) => !callReturned, windowEnded);
    this.#stopActing(() => true);
    this.withdrawReads(() => true);
    for (const entry of this.#store.entries) {
      if (entry.dueWrite !== undefined && isOpen(entry.approval)) this.#store.write(entry, true);
      this.#applying.close(entry);
    }
  }

  /** Resolves when nothing is half done any more, neither in the files nor in the records: a window must not end before. */
  settled(): Promise<void> {
    return this.#store.settled();
  }

  /** Forgets finished approvals whose records were deleted; what waits or is being applied stays. */
  forgetFinished(): void {
    this.#store.forgetFinished();
  }
}

function isAnswerTo({ choices, allowsText }: ApprovalQuestion, answer: string): boolean {
  return choices.includes(answer) || (allowsText && answer.trim() !== '' && answer.length <= longestAnswer);
}
