import type { Principal } from '#base/principal.ts';
import { principalKey } from '#base/principal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ReadRequest } from './approver.ts';
import { checkReadAnswer } from './decisions.ts';
import type { CommonEffect, ReadEffect, ReadEvent } from './events.ts';
import type { KeptReadAnswer, QueueState, ReadEnd, ReadPermission } from './requests.ts';
import type { Timed } from './steps.ts';

interface ReducedReads {
  readonly state: QueueState;
  readonly effects: readonly ReadEffect[];
}

/**
 * Returns the state after an event of a read, and its effects: none of them can apply anything. Reads live in memory: a reload
 * ends them, and their callers ask again.
 */
export function reduceReads(state: QueueState, event: Timed<ReadEvent>): ReducedReads {
  switch (event.type) {
    case 'readRequested': {
      const { permission, now } = event;
      const { id, expiresAt } = permission.read;
      const timer: ReadEffect = { type: 'startTimer', id, event: 'readExpired', milliseconds: expiresAt - now };
      return { state: withRead(state, permission), effects: [timer, auditOf(permission, 'waiting')] };
    }
    case 'keptReadAnswerUsed':
      return { state: withoutKept(state, [event.key]), effects: [] };
    case 'readsWithdrawn': {
      const ids = new Set(event.ids);
      return endReads(withoutKept(state, event.keptKeys), ({ read }) => ids.has(read.id), 'withdrawn');
    }
    case 'readDisplayed':
    case 'readArmed':
    case 'readAnswered':
    case 'readExpired':
    case 'readCallJoined':
    case 'readCallReturned':
    case 'readCallCancelled': {
      const permission = state.reads.get(event.id);
      return permission === undefined ? { state, effects: [] } : reduceRead(state, permission, event);
    }
    default:
      return event satisfies never;
  }
}

/** Withdraws the reads of some principals, and forgets their answers that no call has used. */
export function withdrawReads(state: QueueState, which: (principal: Principal) => boolean): ReducedReads {
  const kept = [...state.keptReadAnswers].flatMap(([key, { principal }]) => (which(principal) ? [key] : []));
  return endReads(withoutKept(state, kept), ({ read }) => which(read.principal), 'withdrawn');
}

function reduceRead(
  state: QueueState,
  permission: ReadPermission,
  event: Timed<Extract<ReadEvent, { readonly id: string }>>,
): ReducedReads {
  const { read, arming, waitingCalls } = permission;
  const { id } = read;
  switch (event.type) {
    case 'readDisplayed': {
      const milliseconds = state.limits.armMilliseconds;
      const timer: ReadEffect = { type: 'startTimer', id, event: 'readArmed', milliseconds };
      const arms: ReadPermission = { ...permission, arming: 'arming' };
      if (read.displayedAt !== undefined) return { state: withRead(state, arms), effects: [timer] };
      const shown = { ...arms, read: { ...read, displayedAt: event.now } };
      return { state: withRead(state, shown), effects: [timer, auditOf(shown, 'displayed')] };
    }
    case 'readArmed':
      if (arming !== 'arming') break;
      return { state: withRead(state, { ...permission, arming: 'armed' }), effects: [{ type: 'reportArmed', id }] };
    case 'readAnswered': {
      if (checkReadAnswer(permission, event.allow) !== 'accepted') break;
      const end = event.allow ? 'allowed' : 'declined';
      const after = waitingCalls === 0 ? keepAnswer(state, permission, end, event.now) : state;
      return endRead(after, permission, end);
    }
    case 'readExpired':
      return endRead(state, permission, 'expired');
    case 'readCallJoined':
      return { state: withRead(state, { ...permission, waitingCalls: waitingCalls + 1 }), effects: [] };
    case 'readCallReturned':
    case 'readCallCancelled': {
      // No later call can be recognized as one of a caller that shares its credential, so no answer is kept for it.
      const isKept = event.type === 'readCallReturned' && permission.key !== undefined;
      const left: ReadPermission = {
        ...permission,
        waitingCalls: waitingCalls - 1,
        callReturned: permission.callReturned || isKept,
      };
      if (left.waitingCalls > 0 || left.callReturned) return { state: withRead(state, left), effects: [] };
      return endRead(state, left, 'withdrawn');
    }
    default:
      event satisfies never;
  }
  return { state, effects: [] };
}

function endRead(state: QueueState, permission: ReadPermission, end: ReadEnd): ReducedReads {
  const { id } = permission.read;
  const reads = new Map([...state.reads].filter(([each]) => each !== id));
  const effects: ReadEffect[] = [{ type: 'release', id }, auditOf(permission, end), { type: 'endRead', id, end }];
  return { state: { ...state, reads }, effects };
}

function endReads(state: QueueState, which: (permission: ReadPermission) => boolean, end: ReadEnd): ReducedReads {
  const effects: ReadEffect[] = [];
  let after = state;
  for (const permission of state.reads.values()) {
    if (!which(permission)) continue;
    const ended = endRead(after, permission, end);
    effects.push(...ended.effects);
    after = ended.state;
  }
  return { state: after, effects };
}

/** Keeps an answer for the next call with the same key. Expired answers leave. */
function keepAnswer(
  state: QueueState,
  { key, read: { principal } }: ReadPermission,
  end: KeptReadAnswer['end'],
  now: number,
): QueueState {
  if (key === undefined) return state;
  const kept = new Map([...state.keptReadAnswers].filter(([, { until }]) => until > now));
  kept.set(key, { principal, end, until: now + state.limits.keptReadAnswerMilliseconds });
  return { ...state, keptReadAnswers: kept };
}

function withRead(state: QueueState, permission: ReadPermission): QueueState {
  return { ...state, reads: new Map(state.reads).set(permission.read.id, permission) };
}

function withoutKept(state: QueueState, keys: readonly string[]): QueueState {
  if (keys.length === 0) return state;
  const gone = new Set(keys);
  return { ...state, keptReadAnswers: new Map([...state.keptReadAnswers].filter(([key]) => !gone.has(key))) };
}

function auditOf({ read }: ReadPermission, state: ReadEnd | 'waiting' | 'displayed'): CommonEffect {
  const { id, tool, displayedAt } = read;
  const choice = state === 'allowed' ? 'approve' : state === 'declined' ? 'decline' : undefined;
  return {
    type: 'audit',
    event: {
      event: 'approval.state',
      approvalId: id,
      tool,
      state,
      ...(choice !== undefined && { choice }),
      ...(choice !== undefined && displayedAt !== undefined && { displayedAt }),
    },
  };
}

// ---- What a call does with it ---------------------------------------------------------------------------------------

/**
 * Returns a new read that waits for permission.
 * @param id a fresh one
 * @throws ToolError `too_many_pending`
 */
export function newRead(state: QueueState, request: ReadRequest, id: string, now: number): ReadPermission {
  const { principal, tool, client, paths, reason, explain } = request;
  requireRoomForRead(state, principal);
  const expiresAt = now + state.limits.expiryMilliseconds;
  const read = { id, tool, principal, client, paths, reason, explain, requestedAt: now, expiresAt };
  return {
    kind: 'read',
    read,
    key: readKeyOf(request),
    arming: 'not_displayed',
    waitingCalls: 0,
    callReturned: false,
  };
}

function requireRoomForRead({ reads, limits }: QueueState, principal: Principal): void {
  const own = principalKey(principal);
  const waiting = [...reads.values()].filter(({ read }) => principalKey(read.principal) === own).length;
  if (waiting < limits.pendingOfPrincipal && reads.size < limits.pending) return;
  throw new ToolError(
    'too_many_pending',
    `${waiting} of your reads wait for the user already, so the user was not asked for this one.`,
    'Wait until the user has answered some of them.',
  );
}

/** Returns the key that identifies the caller and the real paths of a read; undefined for a caller without a connection. */
export function readKeyOf({ principal, realPaths }: ReadRequest): string | undefined {
  if (principal.connectionId === undefined) return undefined;
  return JSON.stringify([principal, [...new Set(realPaths)].toSorted()]);
}

/** Ends a call that wanted to read. @throws ToolError unless the user allowed it */
export function finishReadCall(end: ReadEnd | 'waiting' | 'cancelled', { paths }: ReadRequest): void {
  if (end === 'allowed') return;
  const what = paths.join(', ');
  const later =
    'Go on without it. If the user allows it within ten minutes, your next call with exactly these paths may read.';
  const errors: Record<Exclude<typeof end, 'allowed'>, ToolError> = {
    declined: new ToolError('denied', `The user does not let you read ${what}.`, 'Go on without it; do not ask again.'),
    waiting: new ToolError('unavailable', `The user has not yet answered whether you may read ${what}.`, later),
    expired: new ToolError('unavailable', `The user did not answer whether you may read ${what}.`, 'Go on without it.'),
    withdrawn: new ToolError('denied', `The request to read ${what} was withdrawn in the window.`, 'Go on without it.'),
    cancelled: new ToolError('cancelled', `The call that wanted to read ${what} was cancelled.`, 'Nothing was read.'),
  };
  throw errors[end];
}
