import type { ApprovalQuestion, DecisionResult } from './approval.ts';
import { isSettled, waitingRequest, type QueueState, type ReadPermission } from './requests.ts';
import { selectedProposal } from './selection.ts';
import { isWarned, unseenPlaces } from './seenPlaces.ts';
import { isVeryLarge } from './veryLarge.ts';

export type ReadAnswerResult = 'accepted' | 'too_fast' | 'not_displayed' | 'already_decided';

/** UTF-16 units. */
const longestAnswer = 2000;

/**
 * Returns the result that an approve would have now.
 * @param withoutReading the user said that they approve a very large change without reading everything
 */
export function checkApprove(
  state: QueueState,
  id: string,
  hash: string,
  confirmedCount: number | undefined,
  withoutReading = false,
): DecisionResult {
  const request = waitingRequest(state, id);
  // A question is answered, and never approved.
  if (request?.proposal === undefined || request.kind === 'question') return 'already_decided';
  const { approval, arming, endReached } = request;
  if (approval.displayedAt === undefined) return 'not_displayed';
  if (arming !== 'armed') return 'too_fast';
  if (approval.mustReachEnd && !endReached) return 'end_not_reached';
  if (isVeryLarge(approval.files) && !endReached && !withoutReading) return 'end_not_reached';
  if (unseenPlaces(request).length > 0) return 'place_not_seen';
  if (hash !== approval.proposalHash) return 'changed';
  const { confirmCount } = approval.judgement;
  if (confirmCount !== undefined && confirmedCount !== confirmCount) return 'count_not_confirmed';
  // Another change is being applied to its files, so it will be checked, and perhaps computed again.
  if (!isSettled(state, request)) return 'changed';
  const isEmpty = request.kind === 'changes' && selectedProposal(request.proposal, request.choices).files.length === 0;
  return isEmpty ? 'nothing_selected' : 'accepted';
}

/** Returns the result that the mode of the user would have now for a waiting edit, whose card need not have been on screen. */
export function checkAllowed(state: QueueState, id: string, hash: string): DecisionResult | 'not_allowed' {
  const request = waitingRequest(state, id);
  if (request?.kind !== 'changes' || request.proposal === undefined) return 'already_decided';
  const { risk, mustReachEnd, judgement, proposalHash } = request.approval;
  if (isWarned(request)) return 'not_allowed';
  if (risk !== 'edit' || mustReachEnd || judgement.onceOnly || judgement.confirmCount !== undefined)
    return 'not_allowed';
  if (hash !== proposalHash || !isSettled(state, request)) return 'changed';
  return selectedProposal(request.proposal, request.choices).files.length === 0 ? 'nothing_selected' : 'accepted';
}

/** Returns the result that this answer to a question would have now. */
export function checkAnswer(state: QueueState, id: string, hash: string, answer: string): DecisionResult {
  const request = waitingRequest(state, id);
  if (request?.approval.question === undefined) return 'already_decided';
  const { question, displayedAt, proposalHash } = request.approval;
  if (displayedAt === undefined) return 'not_displayed';
  if (request.arming !== 'armed') return 'too_fast';
  return hash === proposalHash && isAnswerTo(question, answer) ? 'accepted' : 'changed';
}

/** Returns the result that a decline would have now. Nothing happens by a decline, so its card may be out of sight. */
export function checkDecline(state: QueueState, id: string): DecisionResult {
  const request = waitingRequest(state, id);
  if (request === undefined) return 'already_decided';
  return request.arming === 'arming' ? 'too_fast' : 'accepted';
}

/** Returns the result that this answer to a read would have now. Only an allowed read must have been on screen. */
export function checkReadAnswer(permission: ReadPermission | undefined, allow: boolean): ReadAnswerResult {
  if (permission === undefined) return 'already_decided';
  if (permission.arming === 'arming') return 'too_fast';
  return allow && permission.arming === 'not_displayed' ? 'not_displayed' : 'accepted';
}

function isAnswerTo({ choices, allowsText }: ApprovalQuestion, answer: string): boolean {
  return choices.includes(answer) || (allowsText && answer.trim() !== '' && answer.length <= longestAnswer);
}
