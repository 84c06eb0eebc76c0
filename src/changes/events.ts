import type { LineComment } from './comments.ts';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ActionProposal, ChangesProposal, Proposal } from '#base/proposal.ts';
import type { ProblemsChange } from '#language/problems.ts';
import type { Judgement } from '#policy/decision.ts';
import type { Mode } from '#policy/rules.ts';
import type { Applied } from './apply.ts';
import type { Acted } from './applying.ts';
import type { Approval, ApprovalState, Decline, UndoResult } from './approval.ts';
import type { FileOutcome } from './approver.ts';
import type { KeptChange, PendingTurn } from './record.ts';
import type { ReadEnd, ReadPermission, UserRequest } from './requests.ts';
import type { Choice, ReviewedChange } from './selection.ts';
import type { WarnedPlace } from './warnedFile.ts';

interface Of {
  /** Of the approval. */
  readonly id: string;
}

/** What the user does with an open request, and what its timers report. */
export type DecisionEvent =
  | (Of & { readonly type: 'displayed' })
  | (Of & { readonly type: 'armed' })
  | (Of & { readonly type: 'endReached' })
  /** A place of a file with a warning was on screen. */
  | (Of & { readonly type: 'placeSeen'; readonly file: number; readonly place: WarnedPlace })
  /** The user left out or typed something; the hash is that of the selected proposal. */
  | (Of & { readonly type: 'selected'; readonly choices: readonly Choice[]; readonly proposalHash: string })
  | (Of & {
      readonly type: 'approve';
      readonly hash: string;
      readonly confirmedCount: number | undefined;
      /** The user said that they approve without reading everything. */
      readonly withoutReading?: boolean;
      readonly comments?: readonly LineComment[];
    })
  /** The mode that the user set meanwhile allows it without asking. */
  | (Of & { readonly type: 'allowed'; readonly hash: string; readonly mode: Mode })
  | (Of & { readonly type: 'answer'; readonly hash: string; readonly answer: string })
  | (Of & { readonly type: 'decline'; readonly comments?: readonly LineComment[] } & Pick<
        Decline,
        'message' | 'reasonCode'
      >)
  | (Of & { readonly type: 'expire' })
  | (Of & { readonly type: 'withdraw'; readonly note: string });

/** What happens to the calls that wait for a request. */
export type CallEvent =
  /** A call waits, and is answered at this time at the latest. */
  | (Of & { readonly type: 'callJoined'; readonly until: number })
  /** The call was answered `pending_approval`. */
  | (Of & { readonly type: 'callReturned' })
  /** The assistant got the outcome of a request that had ended before. */
  | (Of & { readonly type: 'heard' })
  | (Of & { readonly type: 'callCancelled' });

/** What was found out, or carried out, for a request. */
export type WorkEvent =
  /** A change or action that is allowed without asking begins. */
  | (Of & { readonly type: 'start' })
  /** It does not begin, for this reason. */
  | (Of & { readonly type: 'doNotStart'; readonly note: string })
  | (Of & { readonly type: 'applyEnded'; readonly result: Applied })
  | (Of & { readonly type: 'actionEnded'; readonly result: Acted })
  | (Of & { readonly type: 'problemsCompared'; readonly problems: ProblemsChange | undefined })
  /** A file of this proposal is no longer as it was when the proposal was computed. */
  | (Of & { readonly type: 'becameStale'; readonly proposal: ChangesProposal; readonly note: string })
  /** The tool was called again for the files as they are now. */
  | (Of & Reviewed & { readonly type: 'recomputed'; readonly before: ChangesProposal; readonly judgement: Judgement })
  | (Of & { readonly type: 'rebaseFound' })
  | (Of & { readonly type: 'rebased'; readonly replacedBy: string })
  | (Of & { readonly type: 'rebaseFailed' })
  | (Of & { readonly type: 'reversalBegan'; readonly reversal: PendingTurn })
  | (Of & {
      readonly type: 'reversalEnded';
      readonly result: UndoResult;
      readonly kept: readonly KeptChange[];
      /** Only the files of `pending` were undone. */
      readonly isPart: boolean;
      /** The outcome of each file of a half-done change, which the user settled. */
      readonly outcomes?: readonly FileOutcome[];
    })
  /** An undo found that the files hold already what they held before the change. */
  | (Of & { readonly type: 'foundUndone' })
  /** The selection of the user is due to be written to the record. */
  | (Of & { readonly type: 'writeDue' })
  | (Of & { readonly type: 'contentsKept'; readonly kept: readonly KeptChange[] })
  /** The texts of a finished change are in the history. */
  | (Of & { readonly type: 'textsKept' });

interface Reviewed {
  readonly proposal: ChangesProposal;
  readonly proposedHash: string;
  readonly reviewed: readonly ReviewedChange[];
}

/** How an approval of an earlier run of the window goes on. */
export type RestoreEvent =
  /** It waits again, with its proposal read back from the history. */
  | (Of & {
      readonly type: 'reopened';
      readonly proposal: Proposal;
      readonly proposedHash: string;
      readonly reviewed: readonly ReviewedChange[];
      readonly choices: readonly Choice[];
    })
  /** It ended, or an interrupted undo or redo of it did. */
  | (Of & {
      readonly type: 'recovered';
      readonly state: ApprovalState;
      readonly facts: Partial<Approval>;
      readonly kept?: readonly KeptChange[];
    });

export type RequestEvent = DecisionEvent | CallEvent | WorkEvent | RestoreEvent;

/** Everything that happens to the reads that wait. */
export type ReadEvent =
  | { readonly type: 'readRequested'; readonly permission: ReadPermission }
  | (Of & { readonly type: 'readDisplayed' })
  | (Of & { readonly type: 'readArmed' })
  | (Of & { readonly type: 'readAnswered'; readonly allow: boolean })
  | (Of & { readonly type: 'readExpired' })
  | (Of & { readonly type: 'readCallJoined' })
  | (Of & { readonly type: 'readCallReturned' })
  | (Of & { readonly type: 'readCallCancelled' })
  /** A call got the answer that was kept for it. */
  | { readonly type: 'keptReadAnswerUsed'; readonly key: string }
  /** @param keptKeys keys of kept answers that no longer count */
  | { readonly type: 'readsWithdrawn'; readonly ids: readonly string[]; readonly keptKeys: readonly string[] };

/** What concerns the queue as a whole. */
export type QueueEvent =
  /** @param replaced ids of waiting approvals whose place this one takes */
  | { readonly type: 'requested'; readonly request: UserRequest; readonly replaced: readonly string[] }
  /** A record of an earlier run was read. */
  | { readonly type: 'restored'; readonly request: UserRequest }
  | { readonly type: 'groupOpened'; readonly groupId: string }
  | { readonly type: 'paused'; readonly principal: Principal; readonly client: ClientInfo | undefined }
  /** The user ended a restriction. */
  | { readonly type: 'lifted'; readonly restrictionId: string }
  | { readonly type: 'restrictionExpired'; readonly id: string }
  /** The records of the finished approvals were deleted. */
  | { readonly type: 'finishedForgotten' }
  | { readonly type: 'suspended' };

export type ApprovalEvent = RequestEvent | ReadEvent | QueueEvent;

/** The events of the timers; the `id` says what the timer belongs to. */
export type TimerEvent = 'armed' | 'expire' | 'writeDue' | 'readArmed' | 'readExpired' | 'restrictionExpired';

/** Effects that every kind of request may have. None of them changes a file or carries anything out. */
export type CommonEffect =
  /** Sends the event after this time. A timer of the same event and id ends. */
  | (Of & { readonly type: 'startTimer'; readonly event: TimerEvent; readonly milliseconds: number })
  | (Of & { readonly type: 'stopTimer'; readonly event: TimerEvent })
  /** Stops all timers of this id, and the watch of its files. */
  | (Of & { readonly type: 'release' })
  | { readonly type: 'audit'; readonly event: AuditEvent }
  /** Tells the view that the card is armed. */
  | (Of & { readonly type: 'reportArmed' });

/** A question has these effects alone. */
export type QuestionEffect =
  | CommonEffect
  /** @param contents writes the texts of the proposal and of the selection too */
  | (Of & { readonly type: 'writeRecord'; readonly contents: boolean })
  /** Reports when everything is written, so that the texts can leave the memory. */
  | (Of & { readonly type: 'awaitRecord' })
  /** Answers the calls that wait, with the outcome. */
  | (Of & { readonly type: 'answerCalls' });

export type ActionEffect =
  | QuestionEffect
  | (Of & { readonly type: 'carryOut'; readonly proposal: ActionProposal; readonly hash: string })
  | (Of & { readonly type: 'abortAction' });

export type ChangeEffect =
  | QuestionEffect
  | (Of & {
      readonly type: 'apply';
      readonly proposal: ChangesProposal;
      readonly choices: readonly Choice[];
      /** Hash of the selected proposal, to which the approval is bound. */
      readonly hash: string;
    })
  /** Notes the problems of the files before the change. */
  | (Of & { readonly type: 'noteProblems'; readonly proposal: ChangesProposal })
  /** Compares the problems of the files with those before the change. */
  | (Of & { readonly type: 'compareProblems'; readonly proposal: ChangesProposal })
  | (Of & { readonly type: 'watchFiles'; readonly proposal: ChangesProposal })
  /** Checks whether the proposal still fits the files. */
  | (Of & { readonly type: 'checkFiles' })
  /** Finds out whether the change can be made to the files as they are now. */
  | (Of & {
      readonly type: 'findRebase';
      readonly proposal: ChangesProposal;
      readonly choices: readonly Choice[];
    });

/** A read has these effects alone. */
export type ReadEffect = CommonEffect | (Of & { readonly type: 'endRead'; readonly end: ReadEnd });

export type Effect = QuestionEffect | ActionEffect | ChangeEffect | ReadEffect;
