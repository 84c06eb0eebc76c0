import type { Media } from '#base/media.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ChangeKind, Proposal } from '#base/proposal.ts';
import type { ProblemsChange } from '#language/problems.ts';
import type { DecisionStep, Judgement } from '#policy/decision.ts';

/** How long, and for whom, an answer is waited for. */
export interface Waiting {
  readonly principal: Principal;
  /** How long the call may wait for the human, in milliseconds. */
  readonly waitMilliseconds: number;
  /** Aborted when the caller cancels; before its call has been answered, an approval can no longer apply then. */
  readonly signal: AbortSignal;
  /** Called every ten seconds while waiting. */
  readonly progress: (message: string) => void;
  /** Called with each image and sound that an action returned, right before its outcome is told. */
  readonly attach?: (media: Media) => void;
}

/** A read of what is closed unless the human opens it for this once (a user's `ask` rule). */
export interface ReadRequest extends Waiting {
  readonly tool: string;
  readonly client: ClientInfo | undefined;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  /** Real paths, in the same order: what a permission is for. */
  readonly realPaths: readonly string[];
  readonly reason: string;
  readonly explain: readonly DecisionStep[];
}

export interface ApprovalRequest extends Waiting {
  readonly judgement: Judgement;
  readonly proposal: Proposal;
  readonly tool: string;
  readonly arguments: unknown;
  readonly client: ClientInfo | undefined;
  /** `file:` URIs of what the client works on, which the same call made again is kept to. */
  readonly roots?: readonly string[];
  /** The assistant's words, plain text, not trusted. */
  readonly reason: string | undefined;
  /** An approval of the same principal whose place this proposal takes. */
  readonly replaces: string | undefined;
  /** Called once, at once, with the id under which the human is asked. */
  readonly onWaiting: (approvalId: string) => void;
}

export const fileStates = ['applied', 'not_applied', 'rolled_back', 'unknown'] as const;
export type FileState = (typeof fileStates)[number];

export interface FileOutcome {
  /** Where the file is now, or was before its delete. */
  readonly path: string;
  readonly uri: string;
  readonly change: ChangeKind;
  /** Of a move. */
  readonly movedFrom?: string;
  readonly state: FileState;
  readonly version?: string;
  readonly saved?: boolean;
  readonly dirty?: boolean;
  /** A unified diff from the approved text to the saved one. */
  readonly changedOnSave?: string;
  /** A unified diff from what was proposed to what was applied, when the human took parts out or changed them. */
  readonly differenceFromProposal?: string;
  /** How many of the proposed hunks were applied as they were, of how many; only when not all were. */
  readonly hunksApplied?: number;
  readonly hunksProposed?: number;
  /** ISO 8601; of the file on disk, after an apply. */
  readonly lastModified?: string;
  /** Bytes on disk, after an apply. */
  readonly size?: number;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly reason?: string;
}

export type OutcomeStatus =
  | 'applied'
  | 'partially_applied'
  | 'applied_modified'
  /** Of a question. */
  | 'answered'
  | 'dismissed'
  | 'pending_approval'
  | 'declined'
  | 'expired'
  | 'withdrawn'
  | 'superseded'
  | 'stale'
  | 'failed';

export const declineReasons = ['wrong_file', 'too_broad', 'do_it_differently', 'stop'] as const;
/** Why the human declined, in a word of ours. */
export type DeclineReason = (typeof declineReasons)[number];

/** The answer of every tool that proposes a change (docs/tools.md). */
export interface ChangeOutcome {
  readonly status: OutcomeStatus;
  readonly approvalId: string;
  /** ISO 8601; only while pending. */
  readonly expiresAt?: string;
  /** Whether the human has had the card on screen. */
  readonly displayed: boolean;
  readonly files: readonly FileOutcome[];
  /** How many further files a result does not name, because it would be too long. */
  readonly moreFiles?: number;
  readonly problems?: ProblemsChange;
  /** What an action that was carried out returned, as text. */
  readonly output?: string;
  /** The action itself says that it failed. */
  readonly outputIsError?: boolean;
  /** What the human answered to a question. */
  readonly answer?: string;
  readonly reasonCode?: DeclineReason;
  readonly userMessage?: string;
  /** The approval that took the place of this one. */
  readonly replacedBy?: string;
  /** Secrets that the texts here do not show; told by the pipeline, never kept. */
  readonly redactedSecrets?: number;
  /** One sentence: what the model should do now. */
  readonly next: string;
}

/** Asks the human, and applies exactly what was approved. */
export interface Approver {
  /**
   * Resolves with the outcome, or with `pending_approval` when the wait is over and the card stays. What the policy allows is
   * applied at once.
   * @throws ToolError `denied` (the human paused the caller, or declined this too often), `too_many_pending`
   */
  request(request: ApprovalRequest): Promise<ChangeOutcome>;
  /**
   * Resolves when the human lets these paths be read this once.
   * @throws ToolError `denied` (they said no), `unavailable` (they have not answered in time; a later yes counts for the next call)
   */
  permitRead(request: ReadRequest): Promise<void>;
  /** The outcome of an approval that its caller was answered `pending_approval` for; undefined when the id is not one of that caller's. */
  outcome(approvalId: string, waiting: Waiting): Promise<ChangeOutcome | undefined>;
}

/** An {@link Approver} as one call may use it: the outcomes of its own principal's approvals. */
export interface Tickets {
  outcome(approvalId: string): Promise<ChangeOutcome | undefined>;
}
