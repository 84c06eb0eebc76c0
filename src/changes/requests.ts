import { principalKey, type Principal } from '#base/principal.ts';
import type { ActionProposal, ChangesProposal, QuestionProposal } from '#base/proposal.ts';
import type { Judgement } from '#policy/decision.ts';
import type { Approval, WaitingRead } from './approval.ts';
import type { ApprovalRequest } from './approver.ts';
import { awaitsUser } from './halfDone.ts';
import { sharePath } from './overlap.ts';
import type { KeptChange, PendingTurn } from './record.ts';
import { noRestrictions, type Restrictions } from './restrictions.ts';
import { asProposed, describeFile, type Choice, type ReviewedChange } from './selection.ts';

/** The proposal of a tool call with the decision of the policy on it. */
export type Proposed = Pick<
  ApprovalRequest,
  | 'tool'
  | 'arguments'
  | 'principal'
  | 'client'
  | 'roots'
  | 'reason'
  | 'proposal'
  | 'judgement'
  | 'turn'
  | 'staysMilliseconds'
>;

export interface ApprovalLimits {
  /** Milliseconds after which an undecided request ends. */
  readonly expiryMilliseconds: number;
  /** Milliseconds that a card must be on screen, in one place, before a decision on it counts (threat row A17). */
  readonly armMilliseconds: number;
  /** Approvals of one assistant that arrive within this many milliseconds form a group. */
  readonly groupMilliseconds: number;
  /** Milliseconds for which an answer to a read counts for the next such call, when its own call had returned. */
  readonly keptReadAnswerMilliseconds: number;
  /** Number of finished approvals that the views show. */
  readonly finished: number;
  /** Largest number of approvals that may wait at a time, and of reads, of one principal and in all (threat row A16). */
  readonly pendingOfPrincipal: number;
  readonly pending: number;
  /** UTF-16 units of all texts of one proposal, before and after. */
  readonly textLength: number;
  /** UTF-16 units of the arguments of an action, or of a question with its choices. */
  readonly requestLength: number;
}

/** A decision counts only once the card is `armed`: it was on screen in one place for long enough (threat row A17). */
export type Arming = 'not_displayed' | 'arming' | 'armed';

interface RequestFacts {
  readonly approval: Approval;
  /** The hash of the proposal as the assistant sent it, whatever the user selected since. */
  readonly proposedHash: string;
  readonly arming: Arming;
  readonly endReached: boolean;
  /** The change or action was handed over to be carried out, which happens once. */
  readonly isStarted: boolean;
  /** Number of calls that wait for the outcome. Identical proposals of one principal share an approval. */
  readonly waitingCalls: number;
  /** The contents in the history that belong to each file. Empty until they were written. */
  readonly kept: readonly KeptChange[];
  /** Calling the tool again with the same arguments gives the same change. That is not so after a rebase. */
  readonly repeatable: boolean;
  /** A selection of the user is not in the record yet. */
  readonly isWriteDue: boolean;
}

/** Files to change. The only kind of request that can be applied. */
export interface ChangeRequest extends RequestFacts {
  readonly kind: 'changes';
  /** The proposal as the assistant sent it; undefined once the approval has ended and its texts are in the history. */
  readonly proposal: ChangesProposal | undefined;
  readonly reviewed: readonly ReviewedChange[];
  readonly choices: readonly Choice[];
  /** Another change of Drawbridge was applied to one of its files since the proposal was computed. */
  readonly meetsAppliedChange: boolean;
  /** Keys of the places with a warning that were on screen. */
  readonly seen: ReadonlySet<string>;
  /** An undo or a redo has begun and not ended. After a crash its files are examined. */
  readonly pending?: PendingTurn;
}

/** An action to carry out. */
export interface ActionRequest extends RequestFacts {
  readonly kind: 'action';
  readonly proposal: ActionProposal | undefined;
  /** URIs of the files that the action works on. */
  readonly places?: readonly string[];
}

/** A question to the user. An answer approves nothing. */
export interface QuestionRequest extends RequestFacts {
  readonly kind: 'question';
  readonly proposal: QuestionProposal | undefined;
}

/** A request that the views show as an approval, from its arrival to its end and afterwards. */
export type UserRequest = ChangeRequest | ActionRequest | QuestionRequest;

export type ReadEnd = 'allowed' | 'declined' | 'expired' | 'withdrawn';

/** A read that waits for the permission of the user. It is removed when it ends, and a reload forgets it. */
export interface ReadPermission {
  readonly kind: 'read';
  readonly read: WaitingRead;
  /** Identifies the principal and the paths; undefined when the caller shares its credential with other assistants. */
  readonly key: string | undefined;
  readonly arming: Arming;
  readonly waitingCalls: number;
  /** A call was told that the user had not answered; a later answer still counts. */
  readonly callReturned: boolean;
}

/** An answer to a read whose call had returned. It counts for the next call with the same key. */
export interface KeptReadAnswer {
  readonly principal: Principal;
  readonly end: 'allowed' | 'declined';
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Everything that waits for the user in this window, and the approvals that ended, as one immutable value. */
export interface QueueState {
  readonly limits: ApprovalLimits;
  /** By id of the approval, in the order in which they arrived. */
  readonly requests: ReadonlyMap<string, UserRequest>;
  readonly reads: ReadonlyMap<string, ReadPermission>;
  readonly keptReadAnswers: ReadonlyMap<string, KeptReadAnswer>;
  /** Groups whose cards were on screen: no further approval joins them. */
  readonly openedGroups: ReadonlySet<string>;
  readonly restrictions: Restrictions;
  /** The window is being closed or reloaded. */
  readonly isSuspended: boolean;
}

export function emptyQueue(limits: ApprovalLimits): QueueState {
  return {
    limits,
    requests: new Map(),
    reads: new Map(),
    keptReadAnswers: new Map(),
    openedGroups: new Set(),
    restrictions: noRestrictions,
    isSuspended: false,
  };
}

/** Returns whether the approval waits for a decision or is being carried out. */
export function isOpen({ state }: Approval): boolean {
  return state === 'waiting' || state === 'applying';
}

/** Returns whether the approval is open, or a half-done change that the user has not settled. */
export function isUnfinished(approval: Approval): boolean {
  return isOpen(approval) || awaitsUser(approval);
}

/** Returns whether the approval is one of file changes, not of an action or a question. */
export function changesFiles({ action, question }: Approval): boolean {
  return action === undefined && question === undefined;
}

/** Returns the request while the user can still decide it. */
export function waitingRequest({ requests }: QueueState, id: string): UserRequest | undefined {
  const request = requests.get(id);
  return request?.approval.state === 'waiting' ? request : undefined;
}

/** Returns the open requests of one caller. Callers that share a bare credential are different assistants. */
export function openRequestsOf({ requests }: QueueState, principal: Principal): readonly UserRequest[] {
  if (principal.connectionId === undefined) return [];
  const key = principalKey(principal);
  return [...requests.values()].filter(({ approval }) => isOpen(approval) && principalKey(approval.principal) === key);
}

/** Returns the unfinished approvals, oldest first, then at most `limits.finished` finished ones, newest first. */
export function shownApprovals({ requests, limits }: QueueState): readonly Approval[] {
  const all = Array.from(requests.values(), ({ approval }) => approval);
  const open = all.filter(isUnfinished).toSorted((a, b) => a.requestedAt - b.requestedAt);
  return [...open, ...newestFirst(all.filter((approval) => !isUnfinished(approval))).slice(0, limits.finished)];
}

/** Returns finished approvals in the order of their end, newest first. */
export function newestFirst(finished: readonly Approval[]): Approval[] {
  const endOf = ({ decidedAt, requestedAt }: Approval): number => decidedAt ?? requestedAt;
  return finished.toSorted((a, b) => endOf(b) - endOf(a));
}

export function filesOf({ reviewed, choices }: Pick<ChangeRequest, 'reviewed' | 'choices'>): Approval['files'] {
  return reviewed.map((each, index) => describeFile(each, choices[index]));
}

/** Returns whether the user left the proposal as it is. */
export function isAsProposed({ choices }: Pick<ChangeRequest, 'choices'>): boolean {
  return choices.every(({ included, text }) => included && text === undefined);
}

/**
 * Returns whether a request waits while no change to its files is being applied. When one is, the request is checked
 * afterwards, and perhaps computed again.
 */
export function isSettled({ requests }: QueueState, { approval, proposal }: UserRequest): boolean {
  if (approval.state !== 'waiting' || proposal === undefined) return false;
  return ![...requests.values()].some(
    (other) =>
      other.approval.state === 'applying' && other.proposal !== undefined && sharePath(other.proposal, proposal),
  );
}

/**
 * Returns the fields of an approval that follow from the decision of the policy. A delete, an action and a change of a protected
 * file must be scrolled to their end before they can be approved (threat row A4). A move loses nothing, so that it needs no
 * scrolling, although the policy judges it as a delete.
 */
export function judgedFacts(
  { risk, protectedBy, ...judgement }: Judgement,
  files: Approval['files'],
): Pick<Approval, 'risk' | 'judgement' | 'mustReachEnd'> {
  const isMove = files.some(({ change }) => change === 'move') && files.every(isMoveOrEdit);
  return {
    risk,
    judgement,
    mustReachEnd:
      (risk === 'delete' && !isMove) || risk === 'execute' || protectedBy.some((pattern) => pattern !== undefined),
  };
}

function isMoveOrEdit({ change, overwrites }: Approval['files'][number]): boolean {
  return change === 'move' || (change === 'edit' && !overwrites);
}

/** Returns the choices with which a proposal begins: nothing is left out. */
export function choicesOf(files: readonly unknown[]): readonly Choice[] {
  return files.map(() => asProposed);
}
