import { isNativeTool } from '#base/nativeEdit.ts';
import type { Approval, ApprovalState } from './approval.ts';
import { appliedFiles, approvalFields } from './auditFields.ts';
import { checkDecline } from './decisions.ts';
import type { CommonEffect, QuestionEffect, RequestEvent } from './events.ts';
import {
  changesFiles,
  isOpen,
  type ActionRequest,
  type ChangeRequest,
  type QueueState,
  type UserRequest,
} from './requests.ts';

/** An event and its time, in milliseconds since the epoch. */
export type Timed<E> = E & { readonly now: number };

/** What follows from an event for one request. */
export interface Step<R, E> {
  readonly request: R;
  readonly effects: readonly E[];
}

export function step<R, E = never>(request: R, ...effects: readonly E[]): Step<R, E> {
  return { request, effects };
}

export function withEffects<R, E, More>({ request, effects }: Step<R, E>, ...more: readonly More[]): Step<R, E | More> {
  return { request, effects: [...effects, ...more] };
}

/** Runs an effect before those of the step. */
export function withFirst<R, E>(first: E, { request, effects }: Step<R, E>): Step<R, E> {
  return { request, effects: [first, ...effects] };
}

export function update<R extends UserRequest>(request: R, facts: Partial<Approval>): R {
  return { ...request, approval: { ...request.approval, ...facts } };
}

/** What every kind of request does with an event while it waits for a decision. */
export function reduceWaiting<R extends UserRequest>(
  state: QueueState,
  request: R,
  event: Timed<RequestEvent>,
): Step<R, QuestionEffect> {
  const { approval, arming } = request;
  const { id } = approval;
  const { now } = event;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other events are ignored or handled below
  switch (event.type) {
    case 'displayed': {
      const milliseconds = state.limits.armMilliseconds;
      const timer: CommonEffect = { type: 'startTimer', id, event: 'armed', milliseconds };
      const arms: R = { ...request, arming: 'arming' };
      if (approval.displayedAt !== undefined) return step(arms, timer);
      const shown = update(arms, { displayedAt: now });
      return step<R, QuestionEffect>(shown, timer, ...audits(shown, 'displayed'));
    }
    case 'armed':
      return arming === 'arming' ? step({ ...request, arming: 'armed' }, { type: 'reportArmed', id }) : step(request);
    case 'endReached':
      return step({ ...request, endReached: true });
    case 'decline': {
      if (checkDecline(state, id) !== 'accepted') return step(request);
      const { message = '', reasonCode, comments = [] } = event;
      const words = {
        ...(message !== '' && { userMessage: message }),
        ...(reasonCode && { reasonCode }),
        ...(comments.length > 0 && { comments }),
      };
      return finish(request, 'declined', words, now);
    }
    case 'expire':
      return finish(request, 'expired', {}, now);
    case 'withdraw':
      return finish(request, 'withdrawn', { note: event.note }, now);
    case 'callCancelled': {
      const left = reduceRunning(request, event);
      if (left.request.waitingCalls > 0 || approval.callReturned) return left;
      const note = 'The assistant cancelled its call; nothing was changed.';
      return finish(left.request, 'withdrawn', { note }, now);
    }
    default:
      return reduceRunning(request, event);
  }
}

/** What every kind of request does with an event while it waits or is carried out. */
export function reduceRunning<R extends UserRequest>(request: R, event: Timed<RequestEvent>): Step<R, QuestionEffect> {
  const { approval, waitingCalls } = request;
  const { id } = approval;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other events change nothing in this state
  switch (event.type) {
    case 'callJoined':
      return step({
        ...update(request, { waitsUntil: Math.max(approval.waitsUntil ?? 0, event.until) }),
        waitingCalls: waitingCalls + 1,
      });
    case 'callCancelled':
      return step({ ...request, waitingCalls: waitingCalls - 1 });
    case 'callReturned': {
      const left: R = { ...request, waitingCalls: waitingCalls - 1 };
      if (approval.callReturned) return step(left);
      return step(update(left, { callReturned: true }), { type: 'writeRecord', id, contents: false });
    }
    case 'doNotStart':
      if (approval.state !== 'applying' || request.isStarted) return step(request);
      return finish(request, 'withdrawn', { note: event.note }, event.now);
    default:
      return step(request);
  }
}

/** Returns whether a change or action that is allowed without asking may begin: once, and only then. */
export function mayStart({ approval, isStarted }: UserRequest): boolean {
  return approval.state === 'applying' && approval.judgement.effect === 'allow' && !isStarted;
}

/**
 * Starts a request that waited; it is written down before it is carried out.
 * @param by `approved` by the user, or `allowed` by the mode that the user set meanwhile
 */
export function approve<R extends ChangeRequest | ActionRequest>(
  request: R,
  now: number,
  by: 'approved' | 'allowed' = 'approved',
): Step<R, QuestionEffect> {
  const { id } = request.approval;
  const started: R = { ...request, isStarted: true, isWriteDue: false };
  const approved = update(started, { state: 'applying', decidedAt: now });
  return step<R, QuestionEffect>(approved, { type: 'release', id }, ...audits(approved, by), {
    type: 'writeRecord',
    id,
    contents: request.isWriteDue,
  });
}

/** Ends a request and answers its calls. */
export function finish<R extends UserRequest>(
  request: R,
  state: ApprovalState,
  facts: Partial<Approval>,
  now: number,
): Step<R, QuestionEffect> {
  return withEffects(end(request, state, facts, now), { type: 'answerCalls', id: request.approval.id } as const);
}

/** Returns whether the assistant does not learn of a decision by itself. One that makes its own edits asks again when it tries them. */
function isUnheard({ approval, waitingCalls }: UserRequest, state: ApprovalState): boolean {
  const { callReturned, tool } = approval;
  const isDecision = state === 'applied' || state === 'declined' || state === 'failed';
  return isDecision && isOpen(approval) && callReturned && waitingCalls === 0 && !isNativeTool(tool);
}

/** Ends a request. Its calls are answered later. */
export function end<R extends UserRequest>(
  request: R,
  state: ApprovalState,
  facts: Partial<Approval>,
  now: number,
): Step<R, QuestionEffect> {
  const { id } = request.approval;
  const times = { decidedAt: now, ...(state === 'applied' && { appliedAt: now }) };
  const late = isUnheard(request, state) ? ({ unheard: true } as const) : {};
  const ended = update({ ...request, isWriteDue: false }, { ...times, ...late, ...facts, state });
  return step<R, QuestionEffect>(
    ended,
    { type: 'release', id },
    ...audits(ended, state),
    { type: 'writeRecord', id, contents: request.isWriteDue },
    { type: 'awaitRecord', id },
  );
}

export function expiryOf({ id, expiresAt }: Approval, now: number): CommonEffect {
  return { type: 'startTimer', id, event: 'expire', milliseconds: Math.max(0, expiresAt - now) };
}

/** Returns the entries of the audit log for a request that reaches a state. */
export function audits({ approval, kept }: UserRequest, state: string): readonly CommonEffect[] {
  const { id: approvalId, tool, proposalHash } = approval;
  const entry: CommonEffect = {
    type: 'audit',
    event: { event: 'approval.state', approvalId, state, tool, proposalHash, ...approvalFields(approval, state) },
  };
  const isApply =
    state === 'applied' || state === 'partly_applied' || (state === 'failed' && approval.outcomes !== undefined);
  if (!isApply || !changesFiles(approval)) return [entry];
  return [entry, { type: 'audit', event: { event: 'apply', approvalId, files: appliedFiles({ approval, kept }) } }];
}
