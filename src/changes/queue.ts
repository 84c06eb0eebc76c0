import { randomBytes } from 'node:crypto';
import { commentsOn, type GivenComment, type LineComment } from './comments.ts';
import type { Event } from '#base/event.ts';
import { messageOf } from '#base/messageOf.ts';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';
import type { Mode } from '#policy/rules.ts';
import { AppliedChanges } from './appliedChanges.ts';
import type {
  Approval,
  Approvals,
  ApprovalsChanged,
  ApprovalTexts,
  Decline,
  DecisionResult,
  RebaseResult,
  Restriction,
  SettleWay,
  UndoResult,
  WaitingRead,
} from './approval.ts';
import type { ApprovalRequest, Approver, ChangeOutcome, ReadRequest, Waiting } from './approver.ts';
import { armMilliseconds } from './armingDelay.ts';
import { waitingMessage } from './callWaits.ts';
import { reviewOfFile, selectFile, selectHunk, textsOfFile, typeText } from './choosing.ts';
import {
  checkAllowed,
  checkAnswer,
  checkApprove,
  checkDecline,
  checkReadAnswer,
  type ReadAnswerResult,
} from './decisions.ts';
import type { Review } from './review.ts';
import { joinableRequest, replacedBy, requireReadable, requireRoom } from './newRequests.ts';
import { outcomeOf } from './outcome.ts';
import { proposalHashOfKnown } from './proposalHash.ts';
import { finishReadCall, newRead, readKeyOf } from './reads.ts';
import {
  isOpen,
  openRequestsOf,
  shownApprovals,
  waitingRequest,
  type ApprovalLimits,
  type UserRequest,
} from './requests.ts';
import { Restoring, type RecoveryNotice } from './restoring.ts';
import { pauseOf, requireAdmitted, requireReadAdmitted, shownRestrictions } from './restrictions.ts';
import { ApprovalRunner, type RunnerDependencies } from './runner.ts';
import { isWarned, needsOwnDecision, unseenPlaces } from './seenPlaces.ts';
import { reviewedChanges, selectedProposal } from './selection.ts';
import { warnedFile, type WarnedFile, type WarnedPlace } from './warnedFile.ts';

export const shippedLimits: ApprovalLimits = {
  expiryMilliseconds: 30 * 60_000,
  armMilliseconds,
  groupMilliseconds: 300,
  keptReadAnswerMilliseconds: 10 * 60_000,
  finished: 20,
  pendingOfPrincipal: 20,
  pending: 50,
  textLength: 20 * 1024 * 1024,
  requestLength: 256 * 1024,
};

export interface QueueDependencies extends RunnerDependencies {
  readonly limits?: ApprovalLimits;
}

/**
 * The approvals and reads of this window, for tool calls ({@link Approver}) and for the views ({@link Approvals}). It checks what
 * it is asked and sends events to the state machine of `lifecycle.ts`, whose effects `runner.ts` runs.
 */
export class ApprovalQueue implements Approver, Approvals {
  readonly #dependencies: QueueDependencies;
  readonly #runner: ApprovalRunner;
  /** The newest change that is applied without asking. The next one is made for the files as this one leaves them. */
  #lastUnasked: Promise<unknown> = Promise.resolve();
  /** The changes that were applied, and how to undo them. */
  readonly changes: AppliedChanges;
  readonly onDidChange: Event<ApprovalsChanged>;

  constructor(dependencies: QueueDependencies) {
    this.#dependencies = dependencies;
    this.#runner = new ApprovalRunner(dependencies, dependencies.limits ?? shippedLimits);
    this.changes = new AppliedChanges(this.#runner, this.#runner.applying, dependencies);
    this.onDidChange = this.#runner.onDidChange;
  }

  get all(): readonly Approval[] {
    return shownApprovals(this.#runner.state);
  }

  get restrictions(): readonly Restriction[] {
    return shownRestrictions(this.#runner.state.restrictions);
  }

  get(id: string): Approval | undefined {
    return this.#request(id)?.approval;
  }

  #request(id: string): UserRequest | undefined {
    return this.#runner.state.requests.get(id);
  }

  // ---- Requests of tool calls ---------------------------------------------------------------------------------------

  async request(given: ApprovalRequest): Promise<ChangeOutcome> {
    const { state } = this.#runner;
    requireAdmitted(state.restrictions, given.principal, given.proposal);
    requireReadable(given.proposal, state.limits);
    const request = this.#askedIfReplacing(given);
    const { proposal, judgement, tool } = request;
    const joined = joinableRequest(state, request, proposalHashOfKnown(tool, proposal));
    if (joined === undefined && judgement.effect === 'allow') {
      if (proposal.kind === 'changes') return this.#applyUnasked(request);
      if (proposal.kind === 'action') return this.#actUnasked(request);
    }
    const { id } = (joined ?? this.#add(request, 'waiting')).approval;
    if (joined !== undefined && request.writer !== undefined) this.#runner.applying.addWriter(id, request.writer);
    request.onWaiting(id);
    return this.#wait(id, request);
  }

  async outcome(approvalId: string, waiting: Waiting): Promise<ChangeOutcome | undefined> {
    const approval = this.get(approvalId);
    if (approval === undefined || principalKey(approval.principal) !== principalKey(waiting.principal))
      return undefined;
    return this.#wait(approvalId, waiting);
  }

  /**
   * Asks about a request that would be allowed, when it takes the place of one that only the user's own decision may apply. Otherwise
   * a mode or a rule would apply with it what the user has not decided yet (threat row A41).
   */
  #askedIfReplacing(request: ApprovalRequest): ApprovalRequest {
    const { state } = this.#runner;
    const { proposal, principal, judgement } = request;
    if (judgement.effect === 'ask' || openRequestsOf(state, principal).length === 0) return request;
    const replaced = replacedBy(state, request, reviewedChanges(proposal, judgement.protectedBy));
    const isGuarded = replaced.some((id) => {
      const waiting = waitingRequest(state, id);
      return waiting !== undefined && needsOwnDecision(waiting);
    });
    if (!isGuarded) return request;
    const { rule: _, ...others } = judgement;
    const reason = 'it takes the place of a request that waits for your own decision';
    const explain = [...judgement.explain, { step: 'replaces', detail: reason }];
    return { ...request, judgement: { ...others, effect: 'ask', reason, explain } };
  }

  /** Adds a request in the place of those of the same caller that change the same lines. */
  #add(request: ApprovalRequest, state: 'waiting' | 'applying'): UserRequest {
    const { tool, proposal, judgement, principal } = request;
    const { namesIn } = this.#dependencies;
    const reviewed = reviewedChanges(proposal, judgement.protectedBy, state === 'waiting' ? namesIn : undefined);
    const replaced = replacedBy(this.#runner.state, request, reviewed);
    if (state === 'waiting') requireRoom(this.#runner.state, principal, replaced.length);
    const proposedHash = proposalHashOfKnown(tool, proposal);
    const beginning = { state, reviewed, proposedHash, repeatable: true, callReturned: false };
    const added = this.#runner.add(request, beginning, replaced);
    if (request.writer !== undefined) this.#runner.applying.addWriter(added.approval.id, request.writer);
    return added;
  }

  /**
   * Applies a change that is allowed without asking. Such changes are applied one after the other, so that a change that was made
   * for the same text as the one before is made again for the text that that one left. It may need an approval then.
   */
  async #applyUnasked(request: ApprovalRequest): Promise<ChangeOutcome> {
    const next = this.#lastUnasked.then(() => this.#applyNext(request));
    this.#lastUnasked = next.then(
      ({ applied }) => applied,
      () => undefined,
    );
    const { id } = await next;
    return this.#wait(id, request);
  }

  /** An action is made for no text, so it need not wait for others. */
  #actUnasked(request: ApprovalRequest): Promise<ChangeOutcome> {
    const { id } = this.#add(request, 'applying').approval;
    this.#start(id, request);
    return this.#wait(id, request);
  }

  async #applyNext(given: ApprovalRequest): Promise<{ readonly id: string; readonly applied?: Promise<void> }> {
    const request = this.#askedIfReplacing(await this.#forTextNow(given));
    requireAdmitted(this.#runner.state.restrictions, request.principal, request.proposal);
    if (request.judgement.effect === 'ask') {
      const { id } = this.#add(request, 'waiting').approval;
      request.onWaiting(id);
      return { id };
    }
    const { id } = this.#add(request, 'applying').approval;
    // The problems are those before the change; to note them, the editor may open the files for a moment.
    await this.#runner.applying.problemsNoted(id);
    this.#start(id, request);
    return { id, applied: this.#runner.applied(id) };
  }

  #start(id: string, request: ApprovalRequest): void {
    const note = this.#endedMeanwhile(request);
    this.#runner.send(note === undefined ? { type: 'start', id } : { type: 'doNotStart', id, note });
  }

  /** Returns why a change that is allowed without asking may not begin any more. */
  #endedMeanwhile({ signal, principal, proposal }: ApprovalRequest): string | undefined {
    if (signal.aborted) return 'The assistant cancelled its call; nothing was changed.';
    if (this.#runner.state.isSuspended) return 'The window was closed or reloaded; nothing was changed.';
    try {
      requireAdmitted(this.#runner.state.restrictions, principal, proposal);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Returns the same call for the files as they are now, when they have changed since it was made. */
  async #forTextNow(request: ApprovalRequest): Promise<ApprovalRequest> {
    const stale = await this.#dependencies.edits.findStale(request.proposal.files).catch(() => undefined);
    if (stale === undefined) return request;
    const again = await this.#dependencies.repropose(request).catch(() => undefined);
    return again === undefined ? request : { ...request, ...again };
  }

  /** Waits for the outcome, for the caller's cancel, or until the call has to be answered with `pending_approval`. */
  async #wait(id: string, waiting: Waiting): Promise<ChangeOutcome> {
    const approval = this.get(id);
    if (approval === undefined) throw new Error(`Approval ${id} was forgotten while a call waited for it`);
    const outcome = isOpen(approval) ? await this.#waitOpen(approval, waiting) : outcomeOf(approval);
    if (approval.unheard) this.#runner.send({ type: 'heard', id });
    for (const each of this.#runner.applying.mediaOf(id)) waiting.attach?.(each);
    if (outcome.status === 'pending_approval' && this.#runner.state.isSuspended) waiting.onSuspended?.(id);
    return outcome;
  }

  #waitOpen(approval: Approval, waiting: Waiting): Promise<ChangeOutcome> {
    const { id } = approval;
    const latest = (): Approval => this.get(id) ?? approval;
    const leave = (type: 'callReturned' | 'callCancelled') => (): ChangeOutcome => {
      this.#runner.send({ type, id });
      return outcomeOf(latest());
    };
    const until = this.#dependencies.clock.now() + waiting.waitMilliseconds;
    this.#runner.send({ type: 'callJoined', id, until });
    return this.#runner.calls.wait(id, waiting, {
      returned: leave('callReturned'),
      cancelled: leave('callCancelled'),
      message: () => waitingMessage(latest(), this.#dependencies.clock.now()),
    });
  }

  // ---- Selecting ----------------------------------------------------------------------------------------------------

  async texts(id: string, fileIndex: number): Promise<ApprovalTexts | undefined> {
    return textsOfFile(this.#request(id), id, fileIndex, this.#dependencies.history);
  }

  async review(id: string, fileIndex: number): Promise<Review | undefined> {
    return reviewOfFile(this.#request(id), id, fileIndex, this.#dependencies.history);
  }

  selectHunk(id: string, fileIndex: number, hunkIndex: number, included: boolean): void {
    const selected = selectHunk(this.#request(id), fileIndex, hunkIndex, included);
    if (selected !== undefined) this.#runner.send(selected);
  }

  selectFile(id: string, fileIndex: number, included: boolean): void {
    const selected = selectFile(this.#request(id), fileIndex, included);
    if (selected !== undefined) this.#runner.send(selected);
  }

  setText(id: string, fileIndex: number, text: string): boolean {
    const selected = typeText(this.#request(id), fileIndex, text);
    if (selected !== undefined) this.#runner.send(selected);
    return selected !== undefined;
  }

  groupOpened(groupId: string): void {
    this.#runner.send({ type: 'groupOpened', groupId });
  }

  displayed(id: string, armed: () => void = () => undefined): void {
    this.#runner.whenArmed(id, armed);
    this.#runner.send({ type: 'displayed', id });
  }

  endReached(id: string): void {
    this.#runner.send({ type: 'endReached', id });
  }

  warned(id: string, fileIndex: number): WarnedFile | undefined {
    const request = this.#request(id);
    const reviewed = request?.kind === 'changes' ? request.reviewed[fileIndex] : undefined;
    return reviewed && request?.kind === 'changes' ? warnedFile(reviewed, request.choices[fileIndex]) : undefined;
  }

  isWarned(id: string): boolean {
    const request = waitingRequest(this.#runner.state, id);
    return request !== undefined && isWarned(request);
  }

  placeSeen(id: string, fileIndex: number, place: WarnedPlace): void {
    this.#runner.send({ type: 'placeSeen', id, file: fileIndex, place });
  }

  unseenPlaces(id: string): readonly string[] {
    const request = waitingRequest(this.#runner.state, id);
    return request === undefined ? [] : unseenPlaces(request);
  }

  // ---- Deciding -----------------------------------------------------------------------------------------------------

  approvable(id: string, hash: string, confirmedCount?: number, withoutReading = false): DecisionResult {
    return checkApprove(this.#runner.state, id, hash, confirmedCount, withoutReading);
  }

  approve(
    id: string,
    hash: string,
    confirmedCount?: number,
    given: readonly GivenComment[] = [],
    withoutReading = false,
  ): DecisionResult {
    const result = this.approvable(id, hash, confirmedCount, withoutReading);
    const comments = this.#commentsOn(id, given);
    this.#runner.send({ type: 'approve', id, hash, confirmedCount, comments, withoutReading });
    return result;
  }

  async applyByMode(id: string, hash: string, mode: Mode): Promise<DecisionResult | 'not_allowed'> {
    const result = checkAllowed(this.#runner.state, id, hash);
    const request = this.#request(id);
    if (result !== 'accepted' || request?.kind !== 'changes' || request.proposal === undefined) return result;
    const { tool, principal } = request.approval;
    const selected = selectedProposal(request.proposal, request.choices);
    if ((await this.#dependencies.recheck(tool, selected, principal, false)) !== undefined) return 'not_allowed';
    // The user may have decided meanwhile.
    const resultNow = checkAllowed(this.#runner.state, id, hash);
    this.#runner.send({ type: 'allowed', id, hash, mode });
    return resultNow;
  }

  #commentsOn(id: string, given: readonly GivenComment[]): readonly LineComment[] {
    const request = this.#runner.state.requests.get(id);
    return request?.kind === 'changes' ? commentsOn(request, given) : [];
  }

  applyInEditor(id: string): void {
    this.#runner.applying.removeWriter(id);
  }

  answer(id: string, hash: string, answer: string): DecisionResult {
    const result = checkAnswer(this.#runner.state, id, hash, answer);
    this.#runner.send({ type: 'answer', id, hash, answer });
    return result;
  }

  decline(id: string, { pause = false, comments = [], ...words }: Decline = {}): DecisionResult {
    const result = checkDecline(this.#runner.state, id);
    const declined = this.get(id);
    this.#runner.send({ type: 'decline', id, ...words, comments: this.#commentsOn(id, comments) });
    if (pause && result === 'accepted' && declined !== undefined) this.pause(declined.principal, declined.client);
    return result;
  }

  /** Returns the id of the restriction that pauses an assistant, for `lift`; undefined when it is not paused. */
  pauseOf(principal: Principal): string | undefined {
    return pauseOf(this.#runner.state.restrictions, principal);
  }

  lift(restrictionId: string): void {
    this.#runner.send({ type: 'lifted', restrictionId });
  }

  /**
   * Ends waiting approvals for a reason other than the user's decision.
   * @param which picks them; `places` are the URIs of the files that an action works on
   */
  withdraw(which: (approval: Approval, places: readonly string[]) => boolean, note: string): void {
    for (const request of this.#runner.state.requests.values()) {
      const places = request.kind === 'action' ? (request.places ?? []) : [];
      const { id, state } = request.approval;
      if (state === 'waiting' && which(request.approval, places)) this.#runner.send({ type: 'withdraw', id, note });
    }
  }

  /** Lets the assistant read, but change nothing until the user resumes it. Withdraws what it has waiting. */
  pause(principal: Principal, client: ClientInfo | undefined): void {
    this.#runner.send({ type: 'paused', principal, client });
  }

  // ---- Reads --------------------------------------------------------------------------------------------------------

  async permitRead(request: ReadRequest): Promise<void> {
    const { state } = this.#runner;
    requireReadAdmitted(state.restrictions, request.principal);
    const key = readKeyOf(request);
    const kept = key === undefined ? undefined : state.keptReadAnswers.get(key);
    if (key !== undefined && kept !== undefined) {
      this.#runner.send({ type: 'keptReadAnswerUsed', key });
      if (this.#dependencies.clock.now() < kept.until) return finishReadCall(kept.end, request);
    }
    const joined = [...state.reads.values()].find((each) => key !== undefined && each.key === key);
    const { id } = (joined ?? this.#addRead(request)).read;
    this.#runner.send({ type: 'readCallJoined', id });
    const leave = (type: 'readCallReturned' | 'readCallCancelled', end: 'waiting' | 'cancelled') => () => {
      this.#runner.send({ type, id });
      return end;
    };
    const end = await this.#runner.readCalls.wait(id, request, {
      returned: leave('readCallReturned', 'waiting'),
      cancelled: leave('readCallCancelled', 'cancelled'),
      message: () => "Waiting for the user's permission to read",
    });
    finishReadCall(end, request);
  }

  #addRead(request: ReadRequest) {
    const id = `read-${randomBytes(12).toString('hex')}`;
    const permission = newRead(this.#runner.state, request, id, this.#dependencies.clock.now());
    this.#runner.send({ type: 'readRequested', permission });
    return permission;
  }

  get waitingReads(): readonly WaitingRead[] {
    return Array.from(this.#runner.state.reads.values(), ({ read }) => read);
  }

  readDisplayed(id: string, armed: () => void = () => undefined): void {
    this.#runner.whenArmed(id, armed);
    this.#runner.send({ type: 'readDisplayed', id });
  }

  answerRead(id: string, allow: boolean): ReadAnswerResult {
    const result = checkReadAnswer(this.#runner.state.reads.get(id), allow);
    this.#runner.send({ type: 'readAnswered', id, allow });
    return result;
  }

  /** Ends the reads of these principals, and forgets what they were allowed and have not used. */
  withdrawReads(which: (principal: Principal) => boolean): void {
    const { reads, keptReadAnswers } = this.#runner.state;
    const ids = [...reads.values()].flatMap(({ read }) => (which(read.principal) ? [read.id] : []));
    const keptKeys = [...keptReadAnswers].flatMap(([key, { principal }]) => (which(principal) ? [key] : []));
    this.#runner.send({ type: 'readsWithdrawn', ids, keptKeys });
  }

  // ---- Afterwards ---------------------------------------------------------------------------------------------------

  rebase(id: string): Promise<RebaseResult> {
    return this.#runner.fileChecks.rebase(id);
  }

  undo(id: string): Promise<UndoResult> {
    return this.#runner.applying.undo(id);
  }

  settle(id: string, way: SettleWay): Promise<UndoResult> {
    return this.#runner.applying.settle(id, way);
  }

  redo(id: string): Promise<UndoResult> {
    return this.#runner.applying.redo(id);
  }

  /**
   * Restores the approvals of earlier runs of this window, also those that wait, if their caller was told to ask again. Returns the
   * changes that a crash left half done, so that the user can be told.
   */
  restore(): Promise<readonly RecoveryNotice[]> {
    return new Restoring(this.#runner, this.#runner.fileChecks, this.#dependencies).restore();
  }

  /** Ends everything that only this run of the window can end. What is on disk comes back with the next run. */
  suspend(): void {
    this.#runner.send({ type: 'suspended' });
  }

  /** Resolves when neither the files nor the records are half written: the window must not end before. */
  settled(): Promise<void> {
    return this.#runner.records.settled();
  }

  /** Forgets finished approvals whose records were deleted. What waits or is being applied or undone stays. */
  forgetFinished(): void {
    this.#runner.send({ type: 'finishedForgotten' });
  }
}
