import type { Subscription } from '#base/event.ts';
import type { Media } from '#base/media.ts';
import type { Proposal } from '#base/proposal.ts';
import type { Problems, ProblemsSnapshot } from '#language/problems.ts';
import type { Judgement } from '#policy/decision.ts';
import type { Approval } from './approval.ts';
import type { ApprovalRequest, ChangeOutcome } from './approver.ts';
import type { ArmingDelay } from './armingDelay.ts';
import { addressAfter, realMovesOf } from './moves.ts';
import type { KeptChange, PendingTurn } from './record.ts';
import { asProposed, describeFile, type Choice, type ReviewedChange } from './selection.ts';

/** What a call of a tool proposes, with what the policy said about it. */
export type Proposed = Pick<
  ApprovalRequest,
  'tool' | 'arguments' | 'principal' | 'client' | 'roots' | 'reason' | 'proposal' | 'judgement'
>;

/** One approval with what the views must not see. */
export interface Entry {
  approval: Approval;
  /** As the assistant sent it; absent once it is finished. */
  proposal?: Proposal;
  /** Hash of `proposal`, whatever the human made of it. */
  proposedHash: string;
  reviewed: readonly ReviewedChange[];
  choices: readonly Choice[];
  kept: readonly KeptChange[];
  /** URIs of what an action is done to; absent of everything else. */
  places?: readonly string[];
  /** What `kept` was made of in this run. */
  keptFrom?: { readonly proposal: Proposal; readonly choices: readonly Choice[] };
  /** An undo or a redo has begun and not ended: what its files hold is looked at after a crash. */
  pending?: PendingTurn;
  /** Calling the tool again with the same arguments gives the same change; not so after a rebase. */
  repeatable: boolean;
  /** Contents and record are on disk as they were when this began. */
  writing: Promise<void>;
  /** Calls that wait for the outcome; identical proposals of one principal share a card. */
  readonly callers: Set<(outcome: ChangeOutcome) => void>;
  /** Absent before the card was on screen. */
  arming?: ArmingDelay;
  endReached: boolean;
  /** Another change of ours landed on one of its files since it was computed. */
  hasCompany: boolean;
  problems?: Promise<ProblemsSnapshot | undefined>;
  /** An action is being done; aborts it. */
  acting?: AbortController;
  /** What an action returned besides text; in memory only, and not for long. */
  media?: readonly Media[];
  /** Expiry, watching of its base, a write of the record that is due. */
  expiry?: Subscription;
  watch?: Subscription;
  dueWrite?: Subscription;
}

export function newEntry(approval: Approval, facts: Partial<Entry> = {}): Entry {
  return {
    approval,
    proposedHash: approval.proposalHash,
    reviewed: [],
    choices: approval.files.map(() => asProposed),
    kept: [],
    repeatable: true,
    writing: Promise.resolve(),
    callers: new Set(),
    endReached: false,
    hasCompany: false,
    ...facts,
  };
}

export function isOpen({ state }: Approval): boolean {
  return state === 'waiting' || state === 'applying';
}

/** It is no action and no question. */
export function changesFiles({ action, question }: Approval): boolean {
  return action === undefined && question === undefined;
}

export function filesOf({ reviewed, choices }: Pick<Entry, 'reviewed' | 'choices'>): Approval['files'] {
  return reviewed.map((each, index) => describeFile(each, choices[index]));
}

/** Nothing was taken out or typed over. */
export function isAsProposed({ choices }: Entry): boolean {
  return choices.every(({ included, text }) => included && text === undefined);
}

/** For the assistant that waits. */
export function waitingMessage(approval: Approval, now: number): string {
  const { action, question, state, decidedAt, displayedAt, requestedAt } = approval;
  const seconds = (since: number): string => `${Math.round((now - since) / 1000)} s`;
  if (action !== undefined && state === 'applying') return `Being done for ${seconds(decidedAt ?? requestedAt)}`;
  const awaited = question === undefined ? 'approval' : 'answer';
  return displayedAt === undefined
    ? `Waiting for the user's ${awaited} for ${seconds(requestedAt)}; they have not seen it yet`
    : `Waiting for the user's ${awaited}, on their screen for ${seconds(displayedAt)}`;
}

/** What an approval says of the policy's judgement. What is easily regretted is looked at to its end first (threat row A4). */
export function judgedFacts({
  risk,
  protectedBy,
  ...judgement
}: Judgement): Pick<Approval, 'risk' | 'judgement' | 'mustReachEnd'> {
  return {
    risk,
    judgement,
    mustReachEnd: risk === 'delete' || risk === 'execute' || protectedBy.some((pattern) => pattern !== undefined),
  };
}

/** The problems of the files that a change may alter, named as they are before it; undefined when they cannot be told. */
export async function problemsBefore(problems: Problems, { files }: Proposal): Promise<ProblemsSnapshot | undefined> {
  if (files.length === 0) return undefined;
  const paths = files.flatMap(({ kind, path }) => (kind === 'delete' ? [] : [path.realPath]));
  return problems.snapshot(paths).catch(() => undefined);
}

/** The same files in the same order, as they are named after it. */
export function textPathsNow(proposal: Proposal): string[] {
  const moves = realMovesOf(proposal);
  return proposal.files.flatMap(({ kind, path }) => (kind === 'delete' ? [] : [addressAfter(path.realPath, moves)]));
}
