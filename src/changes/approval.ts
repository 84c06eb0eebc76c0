import type { Event } from '#base/event.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ChangeKind, Recovery } from '#base/proposal.ts';
import type { ProblemsChange } from '#language/problems.ts';
import type { DecisionStep, Judgement, ProposalRisk } from '#policy/decision.ts';
import type { DeclineReason, FileOutcome } from './approver.ts';
import type { Review } from './review.ts';

export const approvalStates = [
  'waiting',
  'applying',
  'applied',
  'undone',
  'declined',
  'expired',
  'withdrawn',
  'superseded',
  'stale',
  'failed',
] as const;
/**
 * `waiting` -> `applying` -> `applied` | `failed` | `stale`; `waiting` -> `declined` | `expired` | `withdrawn` |
 * `superseded` | `stale`; `applied` -> `undone` -> `applied`. What is allowed without asking begins with `applying`. Every
 * state but the first two is final, save that an applied change can be undone and made again; of one that failed, what was
 * applied can be undone.
 */
export type ApprovalState = (typeof approvalStates)[number];

export interface ApprovalFile {
  readonly change: ChangeKind;
  readonly path: string;
  readonly uri: string;
  /** Absolute path of the real file. */
  readonly realPath: string;
  /** Where a move leads. */
  readonly to?: { readonly path: string; readonly uri: string; readonly realPath: string };
  /** A folder is deleted or moved, with this many files in it. */
  readonly folderFiles?: number;
  /** Bytes that are deleted or moved. */
  readonly size?: number;
  /** Of a delete: into the system's trash, otherwise only Undo brings it back. */
  readonly toTrash?: boolean;
  /** Of a delete: what version control could bring back. */
  readonly recovery?: Recovery;
  /** The file is replaced as a whole. */
  readonly overwrites?: true;
  /** There are two texts to compare. */
  readonly hasText: boolean;
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
  /** Of what would be applied now, or was. */
  readonly addedLines: number;
  readonly removedLines: number;
  /** The human has not taken the whole file out. */
  readonly included: boolean;
  /** Hunks as proposed, and how many of them would be applied as they are. 0 without a text. */
  readonly proposedHunks: number;
  readonly includedHunks: number;
  /** The human typed over it: what would be applied is not a selection of the proposed hunks. */
  readonly edited: boolean;
}

/** {@link ActionProposal}, as the views draw it. */
export interface ApprovalAction {
  readonly title: string;
  readonly definition: string;
  readonly arguments: unknown;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  readonly remarks: readonly string[];
}

/** {@link QuestionProposal}, as the views draw it. */
export interface ApprovalQuestion {
  readonly text: string;
  readonly choices: readonly string[];
  readonly allowsText: boolean;
}

/** One request to the human, as the views draw it. A snapshot: every change makes a new object. */
export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly tool: string;
  /** As the assistant sent them. */
  readonly arguments?: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** `file:` URIs of what the client worked on. */
  readonly roots?: readonly string[];
  /** The assistant's own words: not trusted, plain text. */
  readonly reason: string | undefined;
  readonly risk: ProposalRisk;
  /** Why the human was asked, or why not. */
  readonly judgement: Omit<Judgement, 'risk' | 'protectedBy'>;
  /** Empty for an action and a question. */
  readonly files: readonly ApprovalFile[];
  /** What will be done, when it is no change of files. */
  readonly action?: ApprovalAction;
  readonly question?: ApprovalQuestion;
  /** Neither files nor hunks can be left out. */
  readonly indivisible: boolean;
  /** Approvals of one assistant that arrived together share it; only while they wait. */
  readonly groupId: string;
  /** Hex SHA-256 of exactly what would be applied, the human's selection and edits included; the view sends it back with the decision. */
  readonly proposalHash: string;
  /** Rises with each new selection or edit of the human's, and when the proposal was recomputed. */
  readonly revision: number;
  /** Milliseconds since the epoch, as are the others. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly displayedAt?: number;
  readonly decidedAt?: number;
  /** When its change last came into the files: applied, or made again after an undo. */
  readonly appliedAt?: number;
  /** The call has been answered `pending_approval`; a decision still counts. */
  readonly callReturned: boolean;
  /** Approve is refused until the end of the change has been on screen (protected files and deletes, threat row A4). */
  readonly mustReachEnd: boolean;
  /** Another change landed on the same file meanwhile, and this one was recomputed on top of it. */
  readonly moved: boolean;
  readonly reasonCode?: DeclineReason;
  /** What the human told the assistant. */
  readonly userMessage?: string;
  /** After `applying`: what became of each file, in the order of `files`. */
  readonly outcomes?: readonly FileOutcome[];
  /** What the action returned, as text. */
  readonly output?: string;
  readonly outputIsError?: true;
  /** What the human answered. */
  readonly answer?: string;
  readonly problems?: ProblemsChange;
  /** Why it ended, in a sentence for the human (stale, failed, withdrawn). */
  readonly note?: string;
  /** The approval that took its place: superseded, or stale and rebased. */
  readonly replacedBy?: string;
  /** The approval whose change this one takes back, all of it. */
  readonly reverts?: string;
  readonly canUndo: boolean;
  /** It was undone, and can be made again. */
  readonly canRedo: boolean;
  /** It is out of date, and the same change can be made to the files as they are now. */
  readonly canRebase: boolean;
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
  | 'changed'
  /** The human took everything out: that is a decline, and must be said as one. */
  | 'nothing_selected'
  /** The number of files was not typed, or not rightly. */
  | 'count_not_confirmed';

export interface UndoResult {
  readonly status: 'undone' | 'redone' | 'changed_since' | 'failed' | 'not_possible';
  /** A sentence for the human when it was not done, or not exactly. */
  readonly message?: string;
}

export interface RebaseResult {
  readonly status: 'rebased' | 'conflict' | 'not_possible';
  /** The new approval. */
  readonly id?: string;
  readonly message?: string;
}

export interface Decline {
  readonly message?: string;
  readonly reasonCode?: DeclineReason;
  /** The assistant may change nothing more until the human resumes it. */
  readonly pause?: boolean;
}

export interface ApprovalTexts {
  /** Frozen when the change was proposed. */
  readonly base: string;
  /** As the assistant sent it. */
  readonly proposed: string;
  /** What would be applied, or was: `proposed` less what the human took out, with what they typed. */
  readonly current: string;
}

/** An assistant wants to read what is closed unless the human opens it for this once. */
export interface WaitingRead {
  readonly id: string;
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  readonly reason: string;
  readonly explain: readonly DecisionStep[];
  /** Milliseconds since the epoch, as are the others. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly displayedAt?: number;
}

/** An assistant that the human paused, or whose edits of one file, or one action, are declined by themselves for a while. */
export interface Restriction {
  readonly id: string;
  readonly kind: 'paused' | 'declined_repeatedly';
  readonly client: ClientInfo | undefined;
  /** Workspace-relative path of the file; absent when paused, and of an action. */
  readonly path?: string;
  /** The definition of the action. */
  readonly action?: string;
  /** Milliseconds since the epoch; absent when it lasts until the human lifts it. */
  readonly until?: number;
}

/** What the views may do with the queue. Only the approvals page, on a trusted click, calls `approve`, `undo` and `rebase`. */
export interface Approvals {
  /** Waiting ones first, oldest first; then finished ones, newest first, at most 20. */
  readonly all: readonly Approval[];
  readonly restrictions: readonly Restriction[];
  readonly onDidChange: Event<void>;
  get(id: string): Approval | undefined;
  /** The texts of a file, line ends as they are; undefined when it has none to compare. Works for finished approvals after a reload too. */
  texts(id: string, fileIndex: number): Promise<ApprovalTexts | undefined>;
  /** The hunks of a file with the human's selection; undefined when it has no texts to compare. */
  review(id: string, fileIndex: number): Promise<Review | undefined>;
  /** Takes hunks (indexes of `review`) out or back in, with those that depend on them. Only while waiting. */
  selectHunk(id: string, fileIndex: number, hunkIndex: number, included: boolean): void;
  /** Takes a whole file out or back in. */
  selectFile(id: string, fileIndex: number, included: boolean): void;
  /** What the human typed; the text is what will be applied. False when this cannot be edited, or not any more. */
  setText(id: string, fileIndex: number, text: string): boolean;
  /** The group's cards are on screen: nothing joins it any more. */
  groupOpened(groupId: string): void;
  /** The card is on screen, or moved there: a decision counts 500 ms from now, when `armed` is called; no more if it moves before. */
  displayed(id: string, armed?: () => void): void;
  /** The last line of the change has been on screen. */
  endReached(id: string): void;
  /** What `approve` would answer now. Changes nothing. */
  approvable(id: string, proposalHash: string, confirmedCount?: number): DecisionResult;
  /** @param confirmedCount what the human typed, where the approval asks for it */
  approve(id: string, proposalHash: string, confirmedCount?: number): DecisionResult;
  decline(id: string, decline?: Decline): DecisionResult;
  /**
   * Of a question; to dismiss it is `decline`.
   * @param answer one of its choices, or what the human wrote
   */
  answer(id: string, proposalHash: string, answer: string): DecisionResult;
  undo(id: string): Promise<UndoResult>;
  /** Makes an undone change again, where the files are still as the undo left them. */
  redo(id: string): Promise<UndoResult>;
  /** Proposes the same change again for the files as they are now, when that is possible without a conflict. */
  rebase(id: string): Promise<RebaseResult>;
  /** Oldest first. */
  readonly waitingReads: readonly WaitingRead[];
  /** The same of a read. */
  readDisplayed(id: string, armed?: () => void): void;
  answerRead(id: string, allow: boolean): 'accepted' | 'too_fast' | 'not_displayed' | 'already_decided';
  /** Ends a restriction. */
  lift(restrictionId: string): void;
}
