import { modeReason } from '#policy/decide.ts';
import type { Approval, UndoResult } from './approval.ts';
import type { FileOutcome } from './approver.ts';
import { checkAllowed, checkAnswer, checkApprove } from './decisions.ts';
import type { ActionEffect, ChangeEffect, Effect, QuestionEffect, RequestEvent } from './events.ts';
import type { PendingTurn } from './record.ts';
import {
  choicesOf,
  filesOf,
  isAsProposed,
  isOpen,
  isUnfinished,
  judgedFacts,
  type ActionRequest,
  type ChangeRequest,
  type QuestionRequest,
  type QueueState,
  type UserRequest,
} from './requests.ts';
import { namesOfSeen, withSeen } from './seenPlaces.ts';
import { describeFile } from './selection.ts';
import {
  approve,
  audits,
  end,
  expiryOf,
  finish,
  mayStart,
  reduceRunning,
  reduceWaiting,
  step,
  update,
  withEffects,
  withFirst,
  type Step,
  type Timed,
} from './steps.ts';
import { isVeryLarge } from './veryLarge.ts';

/** Milliseconds after which a selection of the user is written to the record. */
const writeDelay = 500;

/**
 * Returns what follows from an event for one request. Only the branch of a change can emit an `apply` effect, and only the branch
 * of an action a `carryOut` effect.
 */
export function reduceKind(
  state: QueueState,
  request: UserRequest,
  event: Timed<RequestEvent>,
): Step<UserRequest, Effect> {
  switch (request.kind) {
    case 'changes':
      return reduceChange(state, request, event);
    case 'action':
      return reduceAction(state, request, event);
    case 'question':
      return reduceQuestion(state, request, event);
    default:
      return request satisfies never;
  }
}

function reduceChange(
  state: QueueState,
  request: ChangeRequest,
  event: Timed<RequestEvent>,
): Step<ChangeRequest, ChangeEffect> {
  const { approval, proposal, choices } = request;
  const { id } = approval;
  if (event.type === 'contentsKept') return step({ ...request, kept: event.kept });
  if (event.type === 'recovered' && (isUnfinished(approval) || request.pending !== undefined)) {
    const { pending: _pending, ...settled } = request;
    return finish({ ...settled, kept: event.kept ?? request.kept }, event.state, event.facts, event.now);
  }
  if (approval.state === 'waiting') return reduceWaitingChange(state, request, event);
  if (approval.state !== 'applying') return reduceFinishedChange(request, event);
  if (event.type === 'start' && mayStart(request) && proposal !== undefined) {
    const { proposalHash: hash } = approval;
    return step({ ...request, isStarted: true }, { type: 'apply', id, proposal, choices, hash });
  }
  if (event.type === 'applyEnded' && request.isStarted) {
    const { result, now } = event;
    if (result.state === 'applied') {
      const facts = { outcomes: result.outcomes, canUndo: result.kept !== undefined };
      const applied: ChangeRequest = { ...request, kept: result.kept ?? request.kept };
      if (proposal === undefined) return finish(applied, 'applied', facts, now);
      // The calls are answered when it is known what the change did to the problems.
      return withEffects(end(applied, 'applied', facts, now), { type: 'compareProblems', id, proposal });
    }
    const { outcomes, note } = result;
    const ended = finish(request, result.state, { ...(outcomes && { outcomes }), note }, now);
    if (result.state !== 'stale' || proposal === undefined) return ended;
    return withEffects(ended, { type: 'findRebase', id, proposal, choices });
  }
  return reduceRunning(request, event);
}

function reduceWaitingChange(
  state: QueueState,
  request: ChangeRequest,
  event: Timed<RequestEvent>,
): Step<ChangeRequest, ChangeEffect> {
  const { approval, proposal, choices } = request;
  const { id, revision } = approval;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other events are handled below
  switch (event.type) {
    case 'approve': {
      const { hash, confirmedCount, comments = [], withoutReading = false, now } = event;
      const result = checkApprove(state, id, hash, confirmedCount, withoutReading);
      if (result !== 'accepted' || proposal === undefined) break;
      const seenPlaces = namesOfSeen(request);
      const isUnread = isVeryLarge(approval.files) && !request.endReached;
      const decided = update(request, {
        ...(comments.length > 0 && { comments }),
        ...(seenPlaces.length > 0 && { seenPlaces }),
        ...(isUnread && { withoutReading: true }),
      });
      return withEffects(approve(decided, now), { type: 'apply', id, proposal, choices, hash });
    }
    case 'placeSeen':
      return step(withSeen(request, event.file, event.place));
    case 'allowed': {
      const { hash, mode, now } = event;
      if (checkAllowed(state, id, hash) !== 'accepted' || proposal === undefined) break;
      const judgement = { ...approval.judgement, effect: 'allow', mode, reason: modeReason('edit', mode) } as const;
      const allowed = approve(update(request, { judgement }), now, 'allowed');
      return withEffects(allowed, { type: 'apply', id, proposal, choices, hash });
    }
    case 'selected': {
      const files = approval.files.map((file, index) => {
        const reviewed = request.reviewed[index];
        const isSame = event.choices[index] === choices[index];
        return isSame || reviewed === undefined ? file : describeFile(reviewed, event.choices[index]);
      });
      const facts = { files, proposalHash: event.proposalHash, revision: revision + 1 };
      return step(update({ ...request, choices: event.choices, isWriteDue: true }, facts), {
        type: 'startTimer',
        id,
        event: 'writeDue',
        milliseconds: writeDelay,
      });
    }
    case 'writeDue':
      return step({ ...request, isWriteDue: false }, { type: 'writeRecord', id, contents: true });
    case 'becameStale': {
      if (proposal !== event.proposal) break;
      const ended = finish(request, 'stale', { note: event.note }, event.now);
      return withEffects(ended, { type: 'findRebase', id, proposal, choices });
    }
    case 'recomputed': {
      // A selection that the user made meanwhile is not thrown away.
      if (proposal !== event.before || !isAsProposed(request)) break;
      const { proposal: fresh, proposedHash, reviewed, judgement } = event;
      const facts = { proposal: fresh, proposedHash, reviewed, choices: choicesOf(fresh.files) };
      const reset = { arming: 'not_displayed', endReached: false, meetsAppliedChange: false } as const;
      const seen: ReadonlySet<string> = new Set();
      const computed: ChangeRequest = { ...request, ...facts, ...reset, seen };
      const files = filesOf(computed);
      const next = update(computed, {
        files,
        proposalHash: proposedHash,
        ...judgedFacts(judgement, files),
        moved: true,
        revision: revision + 1,
      });
      return step<ChangeRequest, ChangeEffect>(
        next,
        { type: 'stopTimer', id, event: 'armed' },
        { type: 'noteProblems', id, proposal: fresh },
        ...audits(next, 'moved'),
        { type: 'writeRecord', id, contents: true },
        { type: 'watchFiles', id, proposal: fresh },
      );
    }
    case 'reopened': {
      if (event.proposal.kind !== 'changes' || proposal !== undefined) break;
      const { proposal: restored, proposedHash, reviewed } = event;
      const opened = { ...request, proposal: restored, proposedHash, reviewed, choices: event.choices };
      return step<ChangeRequest, ChangeEffect>(
        opened,
        { type: 'noteProblems', id, proposal: restored },
        expiryOf(approval, event.now),
        { type: 'watchFiles', id, proposal: restored },
      );
    }
    default:
  }
  return reduceWaiting(state, request, event);
}

/** An applied change can be undone and applied again. A stale one can be made again for the files as they are now. */
function reduceFinishedChange(request: ChangeRequest, event: Timed<RequestEvent>): Step<ChangeRequest, ChangeEffect> {
  const { approval, pending } = request;
  const { id } = approval;
  const write = { type: 'writeRecord', id, contents: false } as const;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other events change nothing in this state
  switch (event.type) {
    case 'textsKept':
      return step({ ...request, proposal: undefined, reviewed: [] });
    case 'problemsCompared': {
      const { problems } = event;
      if (problems === undefined || approval.state !== 'applied') return step(request, { type: 'answerCalls', id });
      return step<ChangeRequest, ChangeEffect>(update(request, { problems }), write, { type: 'answerCalls', id });
    }
    case 'rebaseFound':
      if (approval.state !== 'stale' || approval.replacedBy !== undefined) break;
      return step(update(request, { canRebase: true }), write);
    case 'rebased':
      if (approval.state !== 'stale' || approval.replacedBy !== undefined) break;
      return step(update(request, { replacedBy: event.replacedBy, canRebase: false }), write);
    case 'rebaseFailed':
      if (approval.state !== 'stale') break;
      return step(update(request, { canRebase: false }));
    case 'foundUndone':
      if (!approval.canUndo) break;
      return finish(request, 'undone', { canUndo: false, canRedo: false }, event.now);
    case 'reversalBegan': {
      if (!mayReverse(approval, event.reversal)) break;
      return step(update({ ...request, pending: event.reversal }, { canUndo: false, canRedo: false }), write);
    }
    case 'reversalEnded':
      if (pending !== undefined) return endReversal(request, event);
      break;
    default:
  }
  return step(request);
}

function mayReverse({ state, canUndo, canRedo }: Approval, { direction }: PendingTurn): boolean {
  return state === 'partly_applied' || (direction === 'undo' ? canUndo : canRedo);
}

function endReversal(
  { pending, ...request }: ChangeRequest,
  { result, kept, isPart, outcomes, now }: Timed<Extract<RequestEvent, { type: 'reversalEnded' }>>,
): Step<ChangeRequest, ChangeEffect> {
  const { direction = 'undo', files = [] } = pending ?? {};
  const { id } = request.approval;
  const audit: ChangeEffect = {
    type: 'audit',
    event: { event: 'revert', approvalId: id, direction, outcome: result.status },
  };
  const note = result.message === undefined ? {} : { note: result.message };
  const turned: ChangeRequest = { ...request, kept };
  if (outcomes !== undefined) return withFirst(audit, settle(turned, result, outcomes, now));
  if (result.status === 'undone' && !isPart) {
    const whole = { ...turned, kept: kept.map(({ takenBack: _takenBack, ...each }) => each) };
    return withFirst(audit, finish(whole, 'undone', { canRedo: true, ...note }, now));
  }
  if (result.status === 'redone') {
    const { note: _note, ...approval } = request.approval;
    return withFirst(audit, finish({ ...turned, approval }, 'applied', { canUndo: true, ...note }, now));
  }
  const takenBack = new Set(result.status === 'undone' ? files : []);
  const marked = kept.map((each, index) => (takenBack.has(index) ? { ...each, takenBack: true as const } : each));
  const facts = direction === 'undo' ? { canUndo: true } : { canRedo: true };
  return step<ChangeRequest, ChangeEffect>(update({ ...turned, kept: marked }, facts), audit, {
    type: 'writeRecord',
    id,
    contents: false,
  });
}

/** The user finished a half-done change, or took it back; otherwise it stays half done. Files that hold neither text are named. */
function settle(
  request: ChangeRequest,
  { status, message }: UndoResult,
  outcomes: readonly FileOutcome[],
  now: number,
): Step<ChangeRequest, ChangeEffect> {
  const left = outcomes.filter((outcome) => outcome.state === 'unknown').map(({ path }) => path);
  const conflicts = `These files hold neither the text from before the change nor the approved one, so they were left alone: ${left.join(', ')}`;
  const notes = [...(message === undefined ? [] : [message]), ...(left.length > 0 ? [conflicts] : [])];
  const { note: _note, ...approval } = request.approval;
  const settled = { ...request, approval };
  const facts = { outcomes, ...(notes.length > 0 && { note: notes.join(' ') }) };
  if (status === 'undone') return finish(settled, 'undone', facts, now);
  if (status === 'redone')
    return finish(settled, left.length > 0 ? 'failed' : 'applied', { ...facts, canUndo: true }, now);
  return step<ChangeRequest, ChangeEffect>(update(request, { outcomes, canUndo: true }), {
    type: 'writeRecord',
    id: approval.id,
    contents: false,
  });
}

function reduceAction(
  state: QueueState,
  request: ActionRequest,
  event: Timed<RequestEvent>,
): Step<ActionRequest, ActionEffect> {
  const { approval, proposal } = request;
  const { id } = approval;
  if (event.type === 'recovered' && isOpen(approval)) return finish(request, event.state, event.facts, event.now);
  if (approval.state === 'waiting') {
    if (event.type === 'approve' && proposal !== undefined) {
      const { hash, confirmedCount, now } = event;
      if (checkApprove(state, id, hash, confirmedCount) !== 'accepted') return step(request);
      return withEffects(approve(request, now), { type: 'carryOut', id, proposal, hash });
    }
    if (event.type === 'reopened' && event.proposal.kind === 'action' && proposal === undefined) {
      const { proposal: restored, proposedHash } = event;
      return step({ ...request, proposal: restored, proposedHash }, expiryOf(approval, event.now));
    }
    return reduceWaiting(state, request, event);
  }
  if (approval.state !== 'applying')
    return event.type === 'textsKept' ? step({ ...request, proposal: undefined }) : step(request);
  if (event.type === 'start' && mayStart(request) && proposal !== undefined) {
    const { proposalHash: hash } = approval;
    return step({ ...request, isStarted: true }, { type: 'carryOut', id, proposal, hash });
  }
  if (event.type === 'actionEnded' && request.isStarted) {
    const { state: ended, ...facts } = event.result;
    return finish(request, ended, facts, event.now);
  }
  const next: Step<ActionRequest, ActionEffect> = reduceRunning(request, event);
  const isLastCancelled = event.type === 'callCancelled' && next.request.waitingCalls === 0;
  return isLastCancelled && !approval.callReturned ? withEffects(next, { type: 'abortAction', id }) : next;
}

function reduceQuestion(
  state: QueueState,
  request: QuestionRequest,
  event: Timed<RequestEvent>,
): Step<QuestionRequest, QuestionEffect> {
  const { approval } = request;
  const { id } = approval;
  if (event.type === 'recovered' && isOpen(approval)) return finish(request, event.state, event.facts, event.now);
  if (approval.state !== 'waiting')
    return event.type === 'textsKept' ? step({ ...request, proposal: undefined }) : step(request);
  if (event.type === 'answer') {
    const { hash, answer, now } = event;
    if (checkAnswer(state, id, hash, answer) !== 'accepted') return step(request);
    return finish(request, 'applied', { answer }, now);
  }
  if (event.type === 'reopened' && event.proposal.kind === 'question' && request.proposal === undefined) {
    const { proposal, proposedHash } = event;
    return step({ ...request, proposal, proposedHash }, expiryOf(approval, event.now));
  }
  return reduceWaiting(state, request, event);
}
