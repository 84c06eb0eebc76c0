import type { Media } from '#base/media.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ChangeKind, FileChange, Proposal } from '#base/proposal.ts';
import type { ProblemsChange } from '#language/problems.ts';
import type { DecisionStep, Judgement } from '#policy/decision.ts';
import type { LineComment } from './comments.ts';
import type { ApplyOutcome } from './edits.ts';

/** A call that waits for the user. */
export interface Waiting {
  readonly principal: Principal;
  /** How long the call may wait for the user, in milliseconds. */
  readonly waitMilliseconds: number;
  /** Aborted when the caller cancels. Before the call was answered, that withdraws its request. */
  readonly signal: AbortSignal;
  /** Called every ten seconds while waiting. */
  readonly progress: (message: string) => void;
  /** Called with each image and sound that an action returned, right before the outcome is returned. */
  readonly attach?: (media: Media) => void;
  /** Called right before the outcome is returned because the window closes or reloads. The approval waits for its next run. */
  readonly onSuspended?: (approvalId: string) => void;
}

/** A read that an `ask` rule of the user closes, unless the user permits it this once. */
export interface ReadRequest extends Waiting {
  readonly tool: string;
  readonly client: ClientInfo | undefined;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  /** The real paths, in the same order. A permission is for these. */
  readonly realPaths: readonly string[];
  readonly reason: string;
  readonly explain: readonly DecisionStep[];
}

/** An assistant that writes an approved change by itself, because the change is a call of its own edit tool. */
export interface Writer {
  /**
   * Lets the assistant write the change, and finds out what it wrote.
   * @returns undefined when the assistant cannot write it or does not wait any more, so that Drawbridge must write it
   */
  apply(changes: readonly FileChange[]): Promise<ApplyOutcome | undefined>;
  /**
   * Lets the assistant make a call that Drawbridge does not make itself: an edit that no card can show, or a command. Returns false when
   * the assistant no longer waits, and `later` when the same call is let through when it is made again.
   */
  permit(): boolean | 'later';
  /** Resolves when nothing more is to be expected of the assistant. */
  readonly ended: Promise<void>;
}

/** The turn in which an assistant edits with a tool of its own: its work on one prompt of the user. */
export interface AssistantTurn {
  readonly id: string;
  /** The number of the edit in its turn, from 1. */
  readonly edit: number;
}

export interface ApprovalRequest extends Waiting {
  readonly judgement: Judgement;
  readonly proposal: Proposal;
  readonly tool: string;
  readonly arguments: unknown;
  readonly client: ClientInfo | undefined;
  /** `file:` URIs of the folders that the client works on. The same call made again is limited to them. */
  readonly roots?: readonly string[];
  /** The words of the assistant: untrusted plain text. */
  readonly reason: string | undefined;
  /** Id of an approval of the same principal whose place this proposal takes. */
  readonly replaces: string | undefined;
  /** The assistant that writes the approved change by itself; absent when Drawbridge writes it. */
  readonly writer?: Writer;
  /** Milliseconds for which the user can decide; the limit of the queue when absent. */
  readonly staysMilliseconds?: number;
  /** Absent when the assistant names no turn. */
  readonly turn?: AssistantTurn;
  /** Called once, at once, with the id of the approval when the user is asked. */
  readonly onWaiting: (approvalId: string) => void;
}

export const fileStates = ['applied', 'not_applied', 'rolled_back', 'unknown'] as const;
export type FileState = (typeof fileStates)[number];

export interface FileOutcome {
  /** The path of the file now, or before its delete. */
  readonly path: string;
  readonly uri: string;
  readonly change: ChangeKind;
  /** The former path of a moved file. */
  readonly movedFrom?: string;
  readonly state: FileState;
  readonly version?: string;
  readonly saved?: boolean;
  readonly dirty?: boolean;
  /** A unified diff from the approved text to the saved text. */
  readonly changedOnSave?: string;
  /** A unified diff from the proposed text to the applied text, when the user left out or changed parts. */
  readonly differenceFromProposal?: string;
  /** Number of proposed hunks that were applied unchanged, and of all proposed hunks; only when they differ. */
  readonly hunksApplied?: number;
  readonly hunksProposed?: number;
  /** ISO 8601: when the file on disk was last modified, after an apply. */
  readonly lastModified?: string;
  /** Number of bytes on disk, after an apply. */
  readonly size?: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** Number of files in a deleted or moved folder. */
  readonly folderFiles?: number;
  readonly reason?: string;
}

export type OutcomeStatus =
  | 'applied'
  | 'partially_applied'
  | 'applied_modified'
  /** For a question, as is `dismissed`. */
  | 'answered'
  | 'dismissed'
  | 'pending_approval'
  | 'declined'
  | 'expired'
  | 'withdrawn'
  | 'superseded'
  | 'stale'
  /** A crash left some files changed and others not. */
  | 'partly_applied'
  | 'failed';

export const declineReasons = ['wrong_file', 'too_broad', 'do_it_differently', 'stop'] as const;
/** Why the user declined. */
export type DeclineReason = (typeof declineReasons)[number];

/** The result of every tool that proposes a change (docs/tools.md). */
export interface ChangeOutcome {
  readonly status: OutcomeStatus;
  readonly approvalId: string;
  /** ISO 8601; only while pending. */
  readonly expiresAt?: string;
  /** Whether the card was on screen. */
  readonly displayed: boolean;
  readonly files: readonly FileOutcome[];
  /** Number of further files that the result does not name, because it would be too long. */
  readonly moreFiles?: number;
  readonly problems?: ProblemsChange;
  /** The text that an action returned. */
  readonly output?: string;
  /** The action itself reports a failure. */
  readonly outputIsError?: boolean;
  /** The answer of the user to a question. */
  readonly answer?: string;
  readonly reasonCode?: DeclineReason;
  readonly userMessage?: string;
  /** The comments of the user on lines of the change. */
  readonly comments?: readonly LineComment[];
  /** Id of the approval that took the place of this one. */
  readonly replacedBy?: string;
  /** Number of secrets that these texts do not show. The call pipeline sets it; it is never stored. */
  readonly redactedSecrets?: number;
  /** One sentence for the model: what to do now. */
  readonly next: string;
}

/** Asks the user, and applies exactly what was approved. */
export interface Approver {
  /**
   * Resolves with the outcome, or with `pending_approval` when the wait is over and the approval stays. A proposal that the
   * policy allows is applied at once.
   * @throws ToolError `denied` (the user paused the caller, or declined this repeatedly), `too_many_pending`, `too_large`
   */
  request(request: ApprovalRequest): Promise<ChangeOutcome>;
  /**
   * Resolves when the user permits the read of these paths this once.
   * @throws ToolError `denied`, `unavailable` (not answered in time; a later permission counts for the next call), `cancelled`,
   *   `too_many_pending`
   */
  permitRead(request: ReadRequest): Promise<void>;
  /** Resolves with the outcome of an approval of this caller, or with `pending_approval`; undefined for any other id. */
  outcome(approvalId: string, waiting: Waiting): Promise<ChangeOutcome | undefined>;
}

/** The part of an {@link Approver} that one call may use: the outcomes of the approvals of its own principal. */
export interface Tickets {
  outcome(approvalId: string): Promise<ChangeOutcome | undefined>;
}
