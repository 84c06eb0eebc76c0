import type { ChangeOutcome, FileOutcome, OutcomeStatus } from '../ports/approver.ts';
import { changeOf } from './apply.ts';
import type { Approval, ApprovalState } from './approval.ts';

type Ended = Exclude<ApprovalState, 'applied' | 'undone'>;

const statusOf: Readonly<Record<Ended, OutcomeStatus>> = {
  waiting: 'pending_approval',
  applying: 'pending_approval',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  superseded: 'superseded',
  stale: 'stale',
  failed: 'failed',
};

/** What the model should do now, in one sentence. */
const next: Readonly<Record<OutcomeStatus, string>> = {
  applied: 'Applied exactly as approved; use these versions for further edits.',
  partially_applied:
    'The user left a part of it out (not_applied, differenceFromProposal): do not send that part again unless they ask for it; use the versions given here.',
  applied_modified:
    'The user changed it before applying it (differenceFromProposal): build on the files as they are now and do not put your own text back; use the versions given here.',
  pending_approval:
    'The user has not decided yet and still can: do not send this change again; call get_approval with this id to wait for the decision, or go on with other work first.',
  declined:
    'Do not send the same change again; follow the user message if there is one, otherwise ask what to do instead.',
  expired: 'Nothing was changed: ask the user whether the change is still wanted before you send it again.',
  withdrawn: 'Nothing was changed: send the change again only if it is still needed.',
  superseded: 'Another proposal took the place of this one: call get_approval with replacedBy for its outcome.',
  stale: 'Nothing was changed: read the files again and send a new change made for their present text.',
  failed: 'Read every file listed here to see what it holds now, and tell the user before you go on.',
};

/** The answer to the model for the state an approval is in. */
export function outcomeOf(approval: Approval): ChangeOutcome {
  const status = statusOfApproval(approval);
  const pending = status === 'pending_approval';
  const reason = approval.note !== undefined && !pending ? { reason: approval.note } : {};
  return {
    status,
    approvalId: approval.id,
    ...(pending && { expiresAt: new Date(approval.expiresAt).toISOString() }),
    displayed: approval.displayedAt !== undefined,
    files: approval.outcomes ?? approval.files.map((file) => ({ ...changeOf(file), state: 'not_applied', ...reason })),
    ...(approval.problems && { problems: approval.problems }),
    ...(approval.reasonCode && { reasonCode: approval.reasonCode }),
    ...(approval.userMessage !== undefined && { userMessage: approval.userMessage }),
    ...(approval.replacedBy !== undefined && { replacedBy: approval.replacedBy }),
    next: nextOf(approval, status),
  };
}

/** An undo afterwards does not change what the call did. */
function statusOfApproval({ state, files }: Approval): OutcomeStatus {
  if (state !== 'applied' && state !== 'undone') return statusOf[state];
  if (files.some(({ edited }) => edited)) return 'applied_modified';
  const isWhole = files.every(
    ({ included, includedHunks, proposedHunks }) => included && includedHunks === proposedHunks,
  );
  return isWhole ? 'applied' : 'partially_applied';
}

function nextOf(approval: Approval, status: OutcomeStatus): string {
  if (approval.state === 'undone') return 'The user undid it afterwards: ask them before you send it again.';
  if (status === 'stale' && approval.replacedBy !== undefined) return next.superseded;
  const isApplied = status === 'applied' || status === 'partially_applied' || status === 'applied_modified';
  if (!isApplied) return next[status];
  const notes = notesOn(approval.outcomes ?? []);
  if (status === 'applied' && notes.length > 0) {
    return [...notes, 'Use the versions given here for further edits.'].join(' ');
  }
  return [next[status], ...notes].join(' ');
}

/** What the files hold is not always what was approved, and not always what the disk holds. */
function notesOn(files: readonly FileOutcome[]): string[] {
  return [
    ...(files.some(({ changedOnSave }) => changedOnSave !== undefined)
      ? [
          'The editor changed some of it when it saved (a formatter, for example): changedOnSave shows what the files hold now.',
        ]
      : []),
    ...(files.some(({ dirty }) => dirty === true)
      ? [
          'Files marked dirty are not saved, since the user has other unsaved text there: the disk does not have this change yet.',
        ]
      : []),
  ];
}
