import type { ChangeOutcome, FileOutcome, OutcomeStatus } from '../ports/approver.ts';
import type { Approval, ApprovalState } from './approval.ts';

const statusOf: Readonly<Record<ApprovalState, OutcomeStatus>> = {
  waiting: 'pending_approval',
  applying: 'pending_approval',
  applied: 'applied',
  undone: 'applied',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  stale: 'stale',
  failed: 'failed',
};

/** What the model should do now, in one sentence. */
const next: Readonly<Record<OutcomeStatus, string>> = {
  applied: 'The files hold exactly the approved text; use the versions given here for further edits.',
  pending_approval:
    'The user has not decided yet and still can: do not send this edit again; go on with other work, and read the files later to see whether it was applied.',
  declined:
    'The user declined: do not send the same edit again; follow the user message if there is one, otherwise ask what to do instead.',
  expired: 'Nothing was changed: ask the user whether the edit is still wanted before you send it again.',
  withdrawn: 'Nothing was changed: send the edit again only if it is still needed.',
  superseded: 'A later edit of yours took the place of this one: wait for that one.',
  stale: 'Nothing was changed: read the files again and send a new edit made for their present text.',
  failed: 'Read every file listed here to see what it holds now, and tell the user before you go on.',
};

/** The answer to the model for the state an approval is in. */
export function outcomeOf(approval: Approval): ChangeOutcome {
  const status = statusOf[approval.state];
  const pending = status === 'pending_approval';
  return {
    status,
    approvalId: approval.id,
    ...(pending && { expiresAt: new Date(approval.expiresAt).toISOString() }),
    displayed: approval.displayedAt !== undefined,
    files:
      approval.outcomes ??
      approval.files.map(({ path, uri, addedLines, removedLines }) => ({
        path,
        uri,
        change: 'edit',
        state: 'not_applied',
        addedLines,
        removedLines,
        ...(approval.note !== undefined && !pending && { reason: approval.note }),
      })),
    ...(approval.userMessage !== undefined && { userMessage: approval.userMessage }),
    next: status === 'applied' ? nextApplied(approval.outcomes ?? []) : next[status],
  };
}

/** What the files hold is not always what was approved, and not always what the disk holds. */
function nextApplied(files: readonly FileOutcome[]): string {
  const sentences = [
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
  return sentences.length === 0
    ? next.applied
    : [...sentences, 'Use the versions given here for further edits.'].join(' ');
}
