import type { FileOutcome } from '../ports/approver.ts';
import type { Event } from '../ports/event.ts';
import type { ClientInfo, Principal } from '../ports/principal.ts';

/**
 * `waiting` -> `applying` -> `applied` | `failed` | `stale`; `waiting` -> `declined` | `expired` | `withdrawn` | `stale`;
 * `applied` -> `undone`. Every state but the first two is final, save that an applied change can be undone.
 */
export type ApprovalState =
  'waiting' | 'applying' | 'applied' | 'undone' | 'declined' | 'expired' | 'withdrawn' | 'stale' | 'failed';

export interface ApprovalFile {
  readonly path: string;
  readonly uri: string;
  /** Absolute path of the real file. */
  readonly realPath: string;
  /** The address led through a link (or another spelling) to `realPath`. */
  readonly viaLink: boolean;
  /** The base is unsaved text of an editor. */
  readonly unsaved: boolean;
  /** Names of the file; more than 1 when it is hard-linked, and the other names keep the old text (threat row P10). */
  readonly hardLinks: number;
  /** Saving unifies mixed line ends: this many lines besides the approved ones change on disk. 0 when none. */
  readonly unifiedLineEnds: number;
  /** The pattern that protects the path. */
  readonly protectedBy?: string;
  readonly addedLines: number;
  readonly removedLines: number;
}

/** One request to the human, as the views draw it. A snapshot: every change makes a new object. */
export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly tool: string;
  /** As the assistant sent them; absent after a reload. */
  readonly arguments?: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** The assistant's own words: not trusted, plain text. */
  readonly reason: string | undefined;
  readonly files: readonly ApprovalFile[];
  /** Hex SHA-256 of exactly what would be applied; the view sends it back with the decision. */
  readonly proposalHash: string;
  /** Milliseconds since the epoch, as are the others. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly displayedAt?: number;
  readonly decidedAt?: number;
  /** The call has been answered `pending_approval`; a decision still counts. */
  readonly callReturned: boolean;
  /** Approve is refused until the end of the change has been on screen (protected files, threat row A4). */
  readonly mustReachEnd: boolean;
  /** What the human told the assistant. */
  readonly userMessage?: string;
  /** After `applying`: what became of each file, in the order of `files`. */
  readonly outcomes?: readonly FileOutcome[];
  /** Why it ended, in a sentence for the human (stale, failed, withdrawn). */
  readonly note?: string;
  readonly canUndo: boolean;
}

export type DecisionResult =
  | 'accepted'
  /** Less than 500 ms since the card appeared or moved (threat row A17). */
  | 'too_fast'
  | 'not_displayed'
  | 'end_not_reached'
  /** Another click, a cancel or an expiry was first. */
  | 'already_decided'
  /** The hash sent is not the proposal's. */
  | 'changed';

export interface UndoResult {
  readonly status: 'undone' | 'changed_since' | 'failed' | 'not_possible';
  /** A sentence for the human when it is not `undone`, or not exactly. */
  readonly message?: string;
}

/** What the views may do with the queue. Only the approvals page, on a trusted click, calls `approve` and `undo`. */
export interface Approvals {
  /** Waiting ones first, oldest first; then finished ones, newest first, at most 20. */
  readonly all: readonly Approval[];
  readonly onDidChange: Event<void>;
  get(id: string): Approval | undefined;
  /** Both texts of a file, line ends as they are. Works for finished approvals after a reload too. */
  texts(id: string, fileIndex: number): Promise<{ readonly base: string; readonly result: string }>;
  /** The card is on screen, or moved: its buttons work 500 ms from now. */
  displayed(id: string): void;
  /** The last line of the change has been on screen. */
  endReached(id: string): void;
  approve(id: string, proposalHash: string): DecisionResult;
  decline(id: string, message?: string): DecisionResult;
  undo(id: string): Promise<UndoResult>;
}
