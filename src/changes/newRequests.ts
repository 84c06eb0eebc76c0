import { canonicalJson } from '#base/canonicalJson.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { textsOf, type Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Approval } from './approval.ts';
import type { ApprovalRequest } from './approver.ts';
import { overlap } from './overlap.ts';
import {
  changesFiles,
  choicesOf,
  filesOf,
  isOpen,
  judgedFacts,
  openRequestsOf,
  type ApprovalLimits,
  type Proposed,
  type QueueState,
  type UserRequest,
} from './requests.ts';
import type { ReviewedChange } from './selection.ts';

/**
 * Checks the length of a proposal.
 * @throws ToolError `too_large` when it is too much for a user to read
 */
export function requireReadable(proposal: Proposal, limits: ApprovalLimits): void {
  if (proposal.kind === 'changes') {
    const { files } = proposal;
    const lengths = files.map((change) => {
      const texts = textsOf(change);
      return texts === undefined ? 0 : texts.base.length + texts.result.length;
    });
    if (sum(lengths) <= limits.textLength) return;
    throw new ToolError(
      'too_large',
      `These ${files.length} files have too much text for one change; the change was not shown to the user.`,
      'Send the change in several calls with fewer files each.',
    );
  }
  const texts =
    proposal.kind === 'action'
      ? [proposal.title, proposal.definition, canonicalJson(proposal.arguments), ...proposal.remarks]
      : [proposal.question, ...proposal.choices];
  if (sum(texts.map(({ length }) => length)) <= limits.requestLength) return;
  throw new ToolError(
    'too_large',
    `This ${proposal.kind} is too long for the user to read; it was not shown to the user.`,
    'Send a shorter one.',
  );
}

/**
 * Checks that one more approval may wait (threat row A16).
 * @param replaced number of waiting approvals of the same caller whose place it takes
 * @throws ToolError `too_many_pending`
 */
export function requireRoom({ requests, limits }: QueueState, principal: Principal, replaced: number): void {
  const waiting = [...requests.values()].filter(({ approval }) => isOpen(approval));
  const key = principalKey(principal);
  const own = waiting.filter(({ approval }) => principalKey(approval.principal) === key).length - replaced;
  const { pending, pendingOfPrincipal } = limits;
  if (own < pendingOfPrincipal && waiting.length - replaced < pending) return;
  throw new ToolError(
    'too_many_pending',
    `${own} of your changes wait for the user already; this one was not shown to them.`,
    'Wait for the decisions with get_approval before you send more, and put related edits into one call.',
  );
}

/** Returns the open request of the same caller with the same proposal, which a new call joins. */
export function joinableRequest(
  state: QueueState,
  { principal, tool }: Pick<Proposed, 'principal' | 'tool'>,
  hash: string,
): UserRequest | undefined {
  return openRequestsOf(state, principal).find(
    ({ approval, proposedHash }) => approval.tool === tool && proposedHash === hash,
  );
}

/** Returns the ids of waiting approvals of the same caller that change the same lines, or that it names in `replaces`. */
export function replacedBy(
  state: QueueState,
  { principal, replaces }: Pick<ApprovalRequest, 'principal' | 'replaces'>,
  reviewed: readonly ReviewedChange[],
): readonly string[] {
  return openRequestsOf(state, principal).flatMap((request) => {
    const { id, state: now } = request.approval;
    if (now !== 'waiting') return [];
    const overlaps = request.kind === 'changes' && overlap(request.reviewed, reviewed);
    return id === replaces || overlaps ? [id] : [];
  });
}

/** What a new request begins with besides its proposal. Ids, hash and time are given, so that the same input gives the same request. */
export interface Beginning {
  readonly state: 'waiting' | 'applying';
  readonly id: string;
  /** The id of its group, unless it joins another one. */
  readonly newGroupId: string;
  readonly now: number;
  readonly reviewed: readonly ReviewedChange[];
  readonly proposedHash: string;
  readonly repeatable: boolean;
  readonly callReturned: boolean;
}

export function newRequest(queue: QueueState, proposed: Proposed, beginning: Beginning): UserRequest {
  const { state, id, now, reviewed, proposedHash, repeatable, callReturned } = beginning;
  const { tool, principal, client, reason, proposal, judgement } = proposed;
  const choices = choicesOf(reviewed);
  const files = filesOf({ reviewed, choices });
  const approval: Approval = {
    id,
    state,
    tool,
    arguments: proposed.arguments,
    principal,
    client,
    ...(proposed.roots && { roots: proposed.roots }),
    ...(proposed.turn && { turn: proposed.turn }),
    reason,
    ...judgedFacts(judgement, files),
    files,
    ...shownProposal(proposal),
    indivisible: proposal.kind === 'changes' && proposal.indivisible === true,
    ...(proposal.kind === 'changes' && proposal.purpose && { purpose: proposal.purpose }),
    ...(proposal.kind === 'changes' && proposal.leftOut !== undefined && { leftOut: proposal.leftOut }),
    groupId: groupFor(queue, proposed, now) ?? beginning.newGroupId,
    proposalHash: proposedHash,
    revision: 0,
    requestedAt: now,
    expiresAt: now + (proposed.staysMilliseconds ?? queue.limits.expiryMilliseconds),
    ...(state === 'applying' && { decidedAt: now }),
    callReturned,
    moved: false,
    ...(proposal.kind === 'changes' && proposal.reverts !== undefined && { reverts: proposal.reverts }),
    canUndo: false,
    canRedo: false,
    canRebase: false,
  };
  const request = { ...unfilledRequest(approval), proposedHash, repeatable };
  if (proposal.kind === 'question') return { ...request, kind: 'question', proposal };
  if (proposal.kind === 'action') {
    return { ...request, kind: 'action', proposal, places: proposal.places.map(({ uri }) => uri) };
  }
  return { ...request, kind: 'changes', proposal, reviewed, choices, meetsAppliedChange: false, seen: new Set() };
}

/** Returns the fields that every request has, as they are before anything happened to it. */
export function unfilledRequest(approval: Approval) {
  return {
    approval,
    proposedHash: approval.proposalHash,
    arming: 'not_displayed' as const,
    endReached: false,
    isStarted: false,
    waitingCalls: 0,
    kept: [],
    repeatable: true,
    isWriteDue: false,
  };
}

/** Returns the group that a change joins: only changes are decided together. */
function groupFor(state: QueueState, { proposal, principal }: Proposed, now: number): string | undefined {
  if (proposal.kind !== 'changes') return undefined;
  const latest = openRequestsOf(state, principal)
    .map(({ approval }) => approval)
    .filter((approval) => approval.state === 'waiting' && changesFiles(approval))
    .findLast(({ groupId }) => !state.openedGroups.has(groupId));
  if (latest === undefined || now - latest.requestedAt > state.limits.groupMilliseconds) return undefined;
  return latest.groupId;
}

/** Returns the fields with which the views draw a proposal that changes no file. */
function shownProposal(proposal: Proposal): Pick<Approval, 'action' | 'question'> {
  if (proposal.kind === 'action') {
    const { title, definition, remarks, places, command } = proposal;
    const paths = places.map(({ path }) => path);
    return {
      action: { title, definition, arguments: proposal.arguments, remarks, paths, ...(command && { command }) },
    };
  }
  if (proposal.kind === 'question') {
    const { question, choices, allowsText } = proposal;
    return { question: { text: question, choices, allowsText } };
  }
  return {};
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
