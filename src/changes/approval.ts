import type { Event } from '#base/event.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ChangeKind, ChangePurpose, ProposedCommand, Recovery } from '#base/proposal.ts';
import type { ProblemsChange } from '#language/problems.ts';
import type { DecisionStep, Judgement, ProposalRisk } from '#policy/decision.ts';
import type { Mode } from '#policy/rules.ts';
import type { AssistantTurn, DeclineReason, FileOutcome } from './approver.ts';
import type { GivenComment, LineComment } from './comments.ts';
import type { Review } from './review.ts';
import type { WarnedFile, WarnedPlace } from './warnedFile.ts';

export const approvalStates = [
  'waiting',
  'applying',
  'applied',
  'partly_applied',
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
 * `superseded` | `stale`; `applied` -> `undone` -> `applied`. A request that is allowed without asking begins with `applying`.
 * Every state but the first two is final, except that an applied change can be undone and redone. When an apply failed, the
 * files that it did change can be undone. When the window was killed while it was applied, undone or redone, and some files are
 * changed and others are not, it is `partly_applied` until the user finishes it (`applied`, or `failed` when a file holds neither
 * text) or takes it back (`undone`).
 */
export type ApprovalState = (typeof approvalStates)[number];

export interface ApprovalFile {
  readonly change: ChangeKind;
  readonly path: string;
  readonly uri: string;
  /** Absolute path of the real file. */
  readonly realPath: string;
  /** The target of a move. */
  readonly to?: { readonly path: string; readonly uri: string; readonly realPath: string };
  /** Number of files in a folder that is deleted or moved. */
  readonly folderFiles?: number;
  /** Number of bytes that are deleted or moved. */
  readonly size?: number;
  /** For a delete: the files go to the trash of the system. Otherwise only Undo brings them back. */
  readonly toTrash?: boolean;
  /** For a delete: whether version control could restore the files. */
  readonly recovery?: Recovery;
  /** The file is replaced as a whole. */
  readonly overwrites?: true;
  /** There are two texts to compare. */
  readonly hasText: boolean;
  /** The path of the tool call led to `realPath` through a link or another spelling. */
  readonly viaLink: boolean;
  /** The base is the unsaved text of an editor. */
  readonly unsaved: boolean;
  /** Number of names of the file. When it is hard-linked, the other names keep the old text (threat row P10). */
  readonly hardLinks: number;
  /** Number of lines besides the approved ones that change on disk, because saving unifies mixed line ends. */
  readonly unifiedLineEnds: number;
  /** The pattern that protects the path. */
  readonly protectedBy?: string;
  /** Number of lines in what would be applied now, or was. */
  readonly addedLines: number;
  readonly removedLines: number;
  /** An added line is longer than anybody reads. */
  readonly hasEndlessLine?: true;
  /** These numbers in the redacted texts, when a secret makes them differ: assistants are told these (threat row A33). */
  readonly toldLines?: LineCounts;
  /** False when the user left out the whole file. */
  readonly included: boolean;
  /** Number of proposed hunks, and of those that would be applied unchanged. 0 without a text. */
  readonly proposedHunks: number;
  readonly includedHunks: number;
  /** The user typed over it, so the text that would be applied is not a selection of the proposed hunks. */
  readonly edited: boolean;
}

/** Numbers of lines that a change adds and removes. */
export interface LineCounts {
  readonly addedLines: number;
  readonly removedLines: number;
}

/** An action, as the views show it. */
export interface ApprovalAction {
  readonly title: string;
  readonly definition: string;
  readonly arguments: unknown;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  readonly remarks: readonly string[];
  /** The command line, when an assistant runs one in a shell of its own. */
  readonly command?: ProposedCommand;
}

/** A question, as the views show it. */
export interface ApprovalQuestion {
  readonly text: string;
  readonly choices: readonly string[];
  readonly allowsText: boolean;
}

/** One request to the user, as the views show it. It is a snapshot: every change makes a new object. */
export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly tool: string;
  /** The arguments as the assistant sent them. */
  readonly arguments?: unknown;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** `file:` URIs of the folders that the client worked on. */
  readonly roots?: readonly string[];
  /** The words of the assistant: untrusted plain text. */
  readonly reason: string | undefined;
  readonly risk: ProposalRisk;
  /** Why the user was asked, or was not. */
  readonly judgement: Omit<Judgement, 'risk' | 'protectedBy'>;
  /** Empty for an action and a question. */
  readonly files: readonly ApprovalFile[];
  /** The action to carry out, when no file is changed. */
  readonly action?: ApprovalAction;
  readonly question?: ApprovalQuestion;
  /** Neither files nor hunks can be left out. */
  readonly indivisible: boolean;
  /** The purpose of the change, where its files do not tell it. */
  readonly purpose?: ChangePurpose;
  /** Tells the assistant which part of what it asked for the change leaves out. */
  readonly leftOut?: string;
  /** Shared by the approvals of one assistant that arrived together. Only counts while they wait. */
  readonly groupId: string;
  /** Hex SHA-256 of exactly what would be applied, with the selection and edits of the user. A decision must send it back. */
  readonly proposalHash: string;
  /** Rises with each selection or edit of the user, and when the proposal was computed again. */
  readonly revision: number;
  /** Milliseconds since the epoch, as are the other times. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly displayedAt?: number;
  readonly decidedAt?: number;
  /** When the change was last applied or redone. */
  readonly appliedAt?: number;
  /** The call was answered `pending_approval`. A decision still counts. */
  readonly callReturned: boolean;
  /** The time at which the call that waits longest is answered, in milliseconds since the epoch. */
  readonly waitsUntil?: number;
  /** It ended after its call had returned, and the assistant has not asked for the outcome since. */
  readonly unheard?: true;
  /** Approve is refused until the end of the card was on screen: for protected files, deletes and actions (threat row A4). */
  readonly mustReachEnd: boolean;
  /** Another change was applied to the same file meanwhile, so this one was computed again on top of it. */
  readonly moved: boolean;
  readonly reasonCode?: DeclineReason;
  /** The message of the user to the assistant. */
  readonly userMessage?: string;
  /** The comments of the user on lines of the change. */
  readonly comments?: readonly LineComment[];
  /** The places with a warning that were on screen before the user approved, such as `src/a.ts:12`; at most 200. */
  readonly seenPlaces?: readonly string[];
  /** The user approved a very large change without reading everything, and said so. */
  readonly withoutReading?: true;
  /** The outcome for each file after `applying`, in the order of `files`. */
  readonly outcomes?: readonly FileOutcome[];
  /** The text that the action returned. */
  readonly output?: string;
  readonly outputIsError?: true;
  /** The answer of the user. */
  readonly answer?: string;
  readonly problems?: ProblemsChange;
  /** One sentence for the user: why it ended (stale, failed, withdrawn). */
  readonly note?: string;
  /** Id of the approval that took its place: superseded, or stale and rebased. */
  readonly replacedBy?: string;
  /** The turn of an assistant that edits with a tool of its own. */
  readonly turn?: AssistantTurn;
  /** Id of the approval that this one undoes as a whole. */
  readonly reverts?: string;
  readonly canUndo: boolean;
  /** It was undone, and can be redone. */
  readonly canRedo: boolean;
  /** It is stale, and the same change can be made to the files as they are now. */
  readonly canRebase: boolean;
}

export type DecisionResult =
  | 'accepted'
  /** The card appeared or moved less than 500 ms ago (threat row A17). */
  | 'too_fast'
  | 'not_displayed'
  | 'end_not_reached'
  /** A part that a warning is about was not on screen (threat row A39). */
  | 'place_not_seen'
  /** Another click, a cancel or an expiry was first. */
  | 'already_decided'
  /** The hash is not the one of the present proposal. */
  | 'changed'
  /** The user left out everything, which is a decline. */
  | 'nothing_selected'
  /** The number of files was not typed, or is wrong. */
  | 'count_not_confirmed';

export interface UndoResult {
  readonly status: 'undone' | 'redone' | 'changed_since' | 'failed' | 'not_possible';
  /** One sentence for the user when it was not done, or not exactly. */
  readonly message?: string;
}

export type SettleWay = 'finish' | 'takeBack';

export interface RebaseResult {
  readonly status: 'rebased' | 'conflict' | 'not_possible';
  /** Id of the new approval. */
  readonly id?: string;
  /** Paths of the files that the new approval leaves out, because the change no longer fits them. */
  readonly leftOut?: readonly string[];
  readonly message?: string;
}

export interface Decline {
  readonly message?: string;
  readonly reasonCode?: DeclineReason;
  /** Pauses the assistant: it can change nothing until the user resumes it. */
  readonly pause?: boolean;
  readonly comments?: readonly GivenComment[];
}

export interface ApprovalTexts {
  /** The text for which the change was proposed. */
  readonly base: string;
  /** The text as the assistant sent it. */
  readonly proposed: string;
  /** The text that would be applied, or was: `proposed` with the selection and edits of the user. */
  readonly current: string;
}

/** A read that waits for the permission of the user, because an `ask` rule closes its paths. */
export interface WaitingRead {
  readonly id: string;
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** Workspace-relative. */
  readonly paths: readonly string[];
  readonly reason: string;
  readonly explain: readonly DecisionStep[];
  /** Milliseconds since the epoch, as are the other times. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly displayedAt?: number;
}

/** An assistant that the user paused, or whose changes of one file, or one action, are declined automatically for a while. */
export interface Restriction {
  readonly id: string;
  readonly kind: 'paused' | 'declined_repeatedly';
  readonly client: ClientInfo | undefined;
  /** Workspace-relative path of the file; absent for a pause and for an action. */
  readonly path?: string;
  /** The definition of the action. */
  readonly action?: string;
  /** Milliseconds since the epoch; absent when it lasts until the user lifts it. */
  readonly until?: number;
}

/** The approvals and reads that changed, so that a view can redraw those alone. */
export interface ApprovalsChanged {
  /** Ids of approvals that were added, changed or forgotten. */
  readonly approvals: ReadonlySet<string>;
  /** Ids of reads that were added, displayed or ended. */
  readonly reads: ReadonlySet<string>;
  /** Whether `restrictions` changed. */
  readonly restrictions: boolean;
}

/** The approvals and reads, for the views. Only the approvals page, on a trusted click, calls `approve`, `undo`, `settle` and `rebase`. */
export interface Approvals {
  /** The open approvals, oldest first, then at most 20 finished ones, newest first. */
  readonly all: readonly Approval[];
  readonly restrictions: readonly Restriction[];
  readonly onDidChange: Event<ApprovalsChanged>;
  get(id: string): Approval | undefined;
  /**
   * Returns the texts of a file with their line ends as they are; undefined when it has none to compare. Also for finished
   * approvals, and after a reload.
   * @param fileIndex 0-based, in `files`
   * @throws Error when there is no such file
   */
  texts(id: string, fileIndex: number): Promise<ApprovalTexts | undefined>;
  /** Returns the hunks of a file with the selection of the user; undefined when it has no texts to compare. */
  review(id: string, fileIndex: number): Promise<Review | undefined>;
  /** Includes a hunk (0-based, in `review`) or leaves it out, with those that depend on it. Only while the approval waits. */
  selectHunk(id: string, fileIndex: number, hunkIndex: number, included: boolean): void;
  /** Includes a whole file or leaves it out. */
  selectFile(id: string, fileIndex: number, included: boolean): void;
  /** Replaces the text that will be applied by the one that the user typed. Returns false when it cannot be edited, or no longer. */
  setText(id: string, fileIndex: number, text: string): boolean;
  /** The cards of a group are on screen, so no further approval joins it. */
  groupOpened(groupId: string): void;
  /** The card appeared or moved on screen. A decision counts in 500 ms, when `armed` is called, unless the card moves before. */
  displayed(id: string, armed?: () => void): void;
  /** The end of the card was on screen. */
  endReached(id: string): void;
  /** Returns the warnings of a file of a change that waits; undefined when there is no such file. */
  warned(id: string, fileIndex: number): WarnedFile | undefined;
  /** Returns whether a waiting change has a warning, so that only a decision about it alone applies it. */
  isWarned(id: string): boolean;
  /** A place that a warning is about was on screen. */
  placeSeen(id: string, fileIndex: number, place: WarnedPlace): void;
  /** Returns the names of places that warnings are about and that were not on screen yet, such as `src/a.ts:12`. */
  unseenPlaces(id: string): readonly string[];
  /** Returns the result that `approve` would have now, and changes nothing. */
  approvable(id: string, proposalHash: string, confirmedCount?: number, withoutReading?: boolean): DecisionResult;
  /**
   * @param confirmedCount the number that the user typed, where the approval asks for it
   * @param comments of the user on lines of the change; they go to the assistant
   * @param withoutReading the user approves a very large change without its end having been on screen, and said so
   */
  approve(
    id: string,
    proposalHash: string,
    confirmedCount?: number,
    comments?: readonly GivenComment[],
    withoutReading?: boolean,
  ): DecisionResult;
  /**
   * Applies a waiting edit as the mode does that the user set meanwhile: without its card having been on screen, and only when the
   * policy allows it now without asking. A warning, a delete, a protected file and a number to confirm keep it waiting.
   */
  applyByMode(id: string, proposalHash: string, mode: Mode): Promise<DecisionResult | 'not_allowed'>;
  /** Lets Drawbridge make a waiting change when it is approved, instead of the assistant that asked to make it with its own tool. */
  applyInEditor(id: string): void;
  decline(id: string, decline?: Decline): DecisionResult;
  /**
   * Answers a question. `decline` dismisses it.
   * @param answer one of its choices, or the words of the user
   */
  answer(id: string, proposalHash: string, answer: string): DecisionResult;
  undo(id: string): Promise<UndoResult>;
  /** Applies an undone change again, if the files are still as the undo left them. */
  redo(id: string): Promise<UndoResult>;
  /** Finishes a `partly_applied` change (`redone`), or takes it back (`undone`). A file that holds neither of its texts is left alone. */
  settle(id: string, way: SettleWay): Promise<UndoResult>;
  /** Proposes the same change again for the files as they are now, without those that conflict unless it is indivisible. */
  rebase(id: string): Promise<RebaseResult>;
  /** Oldest first. */
  readonly waitingReads: readonly WaitingRead[];
  /** The same as `displayed`, for a read. */
  readDisplayed(id: string, armed?: () => void): void;
  answerRead(id: string, allow: boolean): 'accepted' | 'too_fast' | 'not_displayed' | 'already_decided';
  /** Ends a restriction. */
  lift(restrictionId: string): void;
}
