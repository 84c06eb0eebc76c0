import type { ClientInfo, Principal } from './principal.ts';
import type { Proposal } from './proposal.ts';

export interface ApprovalRequest {
  readonly proposal: Proposal;
  readonly tool: string;
  readonly arguments: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** The assistant's words, plain text, not trusted. */
  readonly reason: string | undefined;
  /** Per file of the proposal, the pattern that protects it. */
  readonly protectedBy: readonly (string | undefined)[];
  /** How long the call may wait for the human, in milliseconds. */
  readonly waitMilliseconds: number;
  /** Aborted when the caller cancels; an approval can no longer apply then. */
  readonly signal: AbortSignal;
  /** Called once, at once, with the id under which the human is asked. */
  readonly onWaiting: (approvalId: string) => void;
  /** Called every ten seconds while waiting. */
  readonly progress: (message: string) => void;
}

export type FileState = 'applied' | 'not_applied' | 'rolled_back' | 'unknown';

export interface FileOutcome {
  readonly path: string;
  readonly uri: string;
  readonly change: 'edit';
  readonly state: FileState;
  readonly version?: string;
  readonly saved?: boolean;
  readonly dirty?: boolean;
  /** A unified diff from the approved text to the saved one. */
  readonly changedOnSave?: string;
  /** ISO 8601; of the file on disk, after an apply. */
  readonly lastModified?: string;
  /** Bytes on disk, after an apply. */
  readonly size?: number;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly reason?: string;
}

export type OutcomeStatus =
  'applied' | 'pending_approval' | 'declined' | 'expired' | 'withdrawn' | 'superseded' | 'stale' | 'failed';

/** What every tool that proposes answers (product.md, "Outcomes are results"). */
export interface ChangeOutcome {
  readonly status: OutcomeStatus;
  readonly approvalId: string;
  /** ISO 8601; only while pending. */
  readonly expiresAt?: string;
  /** Whether the human has had the card on screen. */
  readonly displayed: boolean;
  readonly files: readonly FileOutcome[];
  readonly userMessage?: string;
  /** One sentence: what the model should do now. */
  readonly next: string;
}

/** Asks the human, and applies exactly what was approved. */
export interface Approver {
  /** Resolves with the outcome, or with `pending_approval` when the wait is over and the card stays. */
  request(request: ApprovalRequest): Promise<ChangeOutcome>;
}
