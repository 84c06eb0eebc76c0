import { nativeCommandTool } from '#base/nativeCommand.ts';
import { isNativeTool } from '#base/nativeEdit.ts';
import { outlivesWindow, principalKey } from '#base/principal.ts';
import type { Approval } from './approval.ts';
import type { ApprovalEvent, Effect, QueueEvent, RequestEvent } from './events.ts';
import { progressOf } from './halfDone.ts';
import { outcomeOf } from './outcome.ts';
import { sharePath } from './overlap.ts';
import { reduceReads, withdrawReads } from './reads.ts';
import { reduceKind } from './requestLifecycle.ts';
import { isOpen, isUnfinished, newestFirst, type QueueState, type UserRequest } from './requests.ts';
import { afterApproval, afterDecline, withoutRestriction, withPause } from './restrictions.ts';
import { audits, expiryOf, finish, update, type Timed } from './steps.ts';

export interface Reduced {
  readonly state: QueueState;
  readonly effects: readonly Effect[];
}

/** Finished approvals that the views, `get_approval` and `list_changes` can still open. */
const keptFinished = 500;
const windowEnded = 'The window was closed or reloaded; nothing was changed.';

/**
 * Returns the state after an event, and the effects to run in this order. It is the whole life of approvals and reads: nothing
 * else decides what happens to them. The first event that ends a request wins (threat row A15): a request that has ended
 * ignores every later decision. Pure: time, ids and hashes come with the event.
 *
 * Here is what concerns several requests. `requestLifecycle.ts` has the branches of changes, actions and questions, `reads.ts` the
 * branch of reads, and `steps.ts` what the branches share. `runner.ts` runs the effects.
 */
export function reduce(state: QueueState, event: Timed<ApprovalEvent>): Reduced {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other events are of one request
  switch (event.type) {
    case 'requested':
      return addRequest(state, event);
    case 'restored':
      return { state: withRequest(state, event.request), effects: [] };
    case 'groupOpened':
      return { state: openGroup(state, event.groupId), effects: [] };
    case 'paused':
      return pause(state, event);
    case 'lifted': {
      const audit = { event: 'restriction', restrictionId: event.restrictionId, state: 'lifted' } as const;
      const restrictions = withoutRestriction(state.restrictions, event.restrictionId);
      return { state: { ...state, restrictions }, effects: [{ type: 'audit', event: audit }] };
    }
    case 'restrictionExpired':
      return { state: { ...state, restrictions: withoutRestriction(state.restrictions, event.id) }, effects: [] };
    case 'finishedForgotten': {
      const stays = (request: UserRequest): boolean =>
        isUnfinished(request.approval) || (request.kind === 'changes' && request.pending !== undefined);
      const requests = new Map([...state.requests].filter(([, request]) => stays(request)));
      return { state: { ...state, requests }, effects: [] };
    }
    case 'suspended':
      return suspend(state, event.now);
    case 'readRequested':
    case 'readDisplayed':
    case 'readArmed':
    case 'readAnswered':
    case 'readExpired':
    case 'readCallJoined':
    case 'readCallReturned':
    case 'readCallCancelled':
    case 'keptReadAnswerUsed':
    case 'readsWithdrawn':
      return reduceReads(state, event);
    default:
      return reduceRequest(state, event);
  }
}

function reduceRequest(state: QueueState, event: Timed<RequestEvent>): Reduced {
  const request = state.requests.get(event.id);
  if (request === undefined) return { state, effects: [] };
  if (event.type === 'heard') return heard(state, request);
  const step = reduceKind(state, request, event);
  if (step.request === request && step.effects.length === 0) return { state, effects: [] };
  const after = withRequest(state, step.request);
  const followed = followUp(after, request, step.request, event);
  return { state: withoutOldest(followed.state, request.approval.id), effects: [...step.effects, ...followed.effects] };
}

/** The assistant has got the outcome. */
function heard(state: QueueState, request: UserRequest): Reduced {
  const { unheard, ...approval } = request.approval;
  if (unheard === undefined) return unchanged(state);
  const write = { type: 'writeRecord', id: approval.id, contents: false } as const;
  return { state: withRequest(state, { ...request, approval }), effects: [write] };
}

/** Returns what an event of one request changes for the others, and for the restrictions. */
function followUp(state: QueueState, before: UserRequest, after: UserRequest, event: Timed<RequestEvent>): Reduced {
  if (event.type === 'approve' && after.approval.state === 'applying') {
    return { state: { ...state, restrictions: afterApproval(state.restrictions, before.approval) }, effects: [] };
  }
  if (event.type === 'decline' && after.approval.state === 'declined') {
    const { restrictions, started } = afterDecline(state.restrictions, before.approval, event.now);
    const effects = started.map(({ id, until }): Effect => {
      return { type: 'startTimer', id, event: 'restrictionExpired', milliseconds: until - event.now };
    });
    return { state: { ...state, restrictions }, effects };
  }
  if (event.type !== 'applyEnded' && event.type !== 'reversalEnded' && event.type !== 'recovered')
    return unchanged(state);
  const reverted = followReverted(state, after.approval);
  if (event.type !== 'applyEnded' || after.approval.state !== 'applied') return reverted;
  const met = meetApplied(reverted.state, after);
  return { state: met.state, effects: [...reverted.effects, ...met.effects] };
}

/**
 * A change that undoes another one decides whether that one counts as applied: it does again when this one is undone, and it
 * stays applied when the user left out a part of this one.
 */
function followReverted(state: QueueState, approval: Approval): Reduced {
  const { id, reverts } = approval;
  const reverted = reverts === undefined ? undefined : state.requests.get(reverts);
  if (reverted === undefined) return unchanged(state);
  const settle = (request: UserRequest, facts: Partial<Approval>): Reduced => ({
    state: withRequest(state, update(request, facts)),
    effects: [{ type: 'writeRecord', id: request.approval.id, contents: false }],
  });
  const isWhole = approval.state === 'applied' && outcomeOf(approval).status === 'applied';
  if (isWhole && (reverted.approval.state === 'applied' || reverted.approval.state === 'partly_applied')) {
    return settle(reverted, { state: 'undone', canUndo: false, canRedo: false, replacedBy: id });
  }
  if (approval.state !== 'undone' || reverted.approval.replacedBy !== id) return unchanged(state);
  const { replacedBy: _replacedBy, ...standing } = reverted.approval;
  const { done, all } = progressOf(standing);
  return settle(
    { ...reverted, approval: standing },
    { state: done < all ? 'partly_applied' : 'applied', canUndo: true },
  );
}

/** Other waiting changes of the same files are checked, since those files have just changed. */
function meetApplied(state: QueueState, applied: UserRequest): Reduced {
  const requests = new Map(state.requests);
  const effects: Effect[] = [];
  for (const [id, request] of state.requests) {
    if (request === applied || request.kind !== 'changes' || request.approval.state !== 'waiting') continue;
    if (request.proposal === undefined || applied.proposal === undefined) continue;
    if (!sharePath(request.proposal, applied.proposal)) continue;
    requests.set(id, { ...request, meetsAppliedChange: true });
    effects.push({ type: 'checkFiles', id });
  }
  return { state: { ...state, requests }, effects };
}

/** Only the newest finished approvals stay, and always the one that has just ended. */
function withoutOldest(state: QueueState, ended: string): QueueState {
  if (state.requests.size <= keptFinished) return state;
  const finished = Array.from(state.requests.values(), ({ approval }) => approval).filter(
    (each) => !isUnfinished(each),
  );
  const oldest = newestFirst(finished).slice(keptFinished);
  if (oldest.length === 0) return state;
  const requests = new Map(state.requests);
  for (const { id } of oldest) if (id !== ended) requests.delete(id);
  return { ...state, requests };
}

// ---- The queue ------------------------------------------------------------------------------------------------------

function addRequest(
  state: QueueState,
  { request, replaced, now }: Timed<Extract<QueueEvent, { type: 'requested' }>>,
): Reduced {
  const { approval } = request;
  const { id } = approval;
  const requests = new Map(state.requests);
  const effects: Effect[] = [];
  if (request.kind === 'changes' && request.proposal !== undefined) {
    effects.push({ type: 'noteProblems', id, proposal: request.proposal });
  }
  requests.set(id, request);
  effects.push({ type: 'writeRecord', id, contents: true });
  for (const old of replaced) {
    const waiting = requests.get(old);
    if (waiting?.approval.state !== 'waiting') continue;
    const note = 'The assistant sent another change in its place.';
    const superseded = finish(waiting, 'superseded', { note, replacedBy: id }, now);
    requests.set(old, superseded.request);
    effects.push(...superseded.effects);
  }
  if (approval.state === 'waiting') {
    effects.push(expiryOf(approval, now));
    if (request.kind === 'changes' && request.proposal !== undefined) {
      effects.push({ type: 'watchFiles', id, proposal: request.proposal });
    }
  }
  effects.push(...audits(request, approval.state));
  return { state: withoutOldest({ ...state, requests }, id), effects };
}

function openGroup(state: QueueState, groupId: string): QueueState {
  const open = new Set(
    [...state.requests.values()].flatMap(({ approval }) => (isOpen(approval) ? [approval.groupId] : [])),
  );
  const opened = [...state.openedGroups, groupId].filter((group) => open.has(group));
  return { ...state, openedGroups: new Set(opened) };
}

/** The assistant can read, but change nothing until the user resumes it. What it has waiting is withdrawn. */
function pause(state: QueueState, { principal, client, now }: Timed<Extract<QueueEvent, { type: 'paused' }>>): Reduced {
  const restrictions = withPause(state.restrictions, principal, client);
  const key = principalKey(principal);
  const audit = { event: 'restriction', state: 'paused', client: client?.name ?? '' } as const;
  const isOwn = ({ approval }: UserRequest): boolean => principalKey(approval.principal) === key;
  const ended = endRequests({ ...state, restrictions }, isOwn, () => true, 'You paused this assistant.', now);
  const reads = withdrawReads(ended.state, (each) => principalKey(each) === key);
  return { state: reads.state, effects: [{ type: 'audit', event: audit }, ...ended.effects, ...reads.effects] };
}

/**
 * The window closes or reloads. Requests are on disk and are restored; the calls that wait for them are answered with their ids, so
 * that they can ask the next run of the window. A request whose caller could not do so is withdrawn.
 */
function suspend(state: QueueState, now: number): Reduced {
  const isLost = (request: UserRequest): boolean => !request.approval.callReturned && !canAskAgain(request);
  const ended = endRequests({ ...state, isSuspended: true }, () => true, isLost, windowEnded, now);
  const reads = withdrawReads(ended.state, () => true);
  // The connections of these calls close, and their callers ask for the read again.
  const readEffects = reads.effects.filter(({ type }) => type !== 'endRead');
  const requests = new Map(reads.state.requests);
  const left: Effect[] = [];
  for (const [id, request] of reads.state.requests) {
    const { approval, isWriteDue } = request;
    const isKept = isOpen(approval) && canAskAgain(request);
    const isNew = isKept && !approval.callReturned;
    if (isNew) requests.set(id, update(request, { callReturned: true }));
    const contents = isWriteDue && isOpen(approval);
    if (contents || isNew) left.push({ type: 'writeRecord', id, contents });
    if (isKept) left.push({ type: 'answerCalls', id });
    left.push({ type: 'release', id });
  }
  return { state: { ...reads.state, requests }, effects: [...ended.effects, ...readEffects, ...left] };
}

/**
 * Returns whether the caller can ask the next run of the window for a request. An assistant whose own tool is asked about brings the
 * same call to the next run by itself.
 */
export function canAskAgain({ approval: { principal, tool } }: UserRequest): boolean {
  return outlivesWindow(principal) && !isNativeTool(tool) && tool !== nativeCommandTool;
}

/** Withdraws waiting requests, and asks actions that are being carried out to stop. */
function endRequests(
  state: QueueState,
  which: (request: UserRequest) => boolean,
  isWithdrawn: (request: UserRequest) => boolean,
  note: string,
  now: number,
): Reduced {
  const requests = new Map(state.requests);
  const effects: Effect[] = [];
  for (const [id, request] of state.requests) {
    if (!which(request)) continue;
    if (request.approval.state === 'waiting' && isWithdrawn(request)) {
      const ended = finish(request, 'withdrawn', { note }, now);
      requests.set(id, ended.request);
      effects.push(...ended.effects);
    }
    if (request.approval.state === 'applying' && request.kind === 'action') effects.push({ type: 'abortAction', id });
  }
  return { state: { ...state, requests }, effects };
}

function withRequest(state: QueueState, request: UserRequest): QueueState {
  return { ...state, requests: new Map(state.requests).set(request.approval.id, request) };
}

function unchanged(state: QueueState): Reduced {
  return { state, effects: [] };
}
