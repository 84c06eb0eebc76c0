/** The outcome of an approval as the model receives it, with the sentence that says what to do next. */
import { changeOf } from './apply.ts';
import type { Approval, ApprovalState } from './approval.ts';
import type { ChangeOutcome, FileOutcome, OutcomeStatus } from './approver.ts';
import { changesFiles } from './requests.ts';

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
  partly_applied: 'partly_applied',
};

/** One sentence for each status that tells the model what to do next. */
const next: Readonly<Record<OutcomeStatus, string>> = {
  applied: 'Applied exactly as approved; use these versions for further edits.',
  partially_applied:
    'The user left out a part of the change (not_applied, differenceFromProposal): do not send that part again unless they ask for it; use the versions given here.',
  applied_modified:
    'The user edited the change before applying it (differenceFromProposal): build on the files as they are now and do not restore your own text; use the versions given here.',
  answered: 'Go on with the answer of the user; the answer does not approve any change.',
  dismissed: 'The user did not want to answer: go on as you judge best, and do not ask the same question again.',
  pending_approval:
    'The user has not decided yet and still can: do not send this change again; call get_approval with this id to wait for the decision, or go on with other work first.',
  declined:
    'Do not send the same change again; follow the user message if there is one, otherwise ask what to do instead.',
  expired: 'Nothing was changed: ask the user whether the change is still wanted before you send it again.',
  withdrawn: 'Nothing was changed: send the change again only if it is still needed.',
  superseded: 'Another proposal took the place of this one: call get_approval with replacedBy for its outcome.',
  stale: 'Nothing was changed: read the files again and send a new change for their current text.',
  partly_applied:
    'The window closed in the middle of this change: files says which are changed. The user can finish it or take it back: ask them, and neither repair it nor send it again.',
  failed: 'Read every file listed here to see its current content, and tell the user before you go on.',
};

/** Take the place of `applied` for a change and for an action that a rule or the mode allowed, since nobody approved them. */
const appliedByRule =
  'Applied by rule: a rule or the mode of the user allowed it, and nobody looked at it; use these versions for further edits.';
const doneByRule = 'Done by rule: a rule or the mode of the user allowed it, and nobody looked at it.';

const nextOfAction: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  applied: 'Done exactly as approved.',
  pending_approval:
    'The user has not decided yet and still can: do not ask for it again; call get_approval with this id to wait for the decision, or go on with other work first.',
  declined:
    'Nothing was done. Do not ask for the same action again: follow the user message if there is one, otherwise ask what to do instead.',
  expired: 'Nothing was done: ask the user whether it is still wanted before you ask for it again.',
  withdrawn: 'Nothing was done: ask for it again only if it is still needed.',
  failed: 'Do not simply try it again; tell the user before you go on.',
};
const running = 'It is being done now: call get_approval with this id for its result; do not ask for it again.';
const reportedFailure = 'It was done and reports a failure: read its output before you go on.';

const nextOfQuestion: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  pending_approval:
    'The user has not answered yet and still can: do not ask again; call get_approval with this id to wait for the answer, or go on with other work first.',
  expired: 'The user did not answer: go on as you judge best, and say at the end what you assumed.',
  withdrawn: 'The user was not asked: ask again only if you still need to know.',
};

/** Returns the outcome for the present state of an approval. */
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
    ...(approval.output !== undefined && { output: approval.output }),
    ...(approval.outputIsError && { outputIsError: true }),
    ...(approval.answer !== undefined && { answer: approval.answer }),
    ...(approval.reasonCode && { reasonCode: approval.reasonCode }),
    ...(approval.userMessage !== undefined && { userMessage: approval.userMessage }),
    ...(approval.comments && { comments: approval.comments }),
    ...(approval.replacedBy !== undefined && { replacedBy: approval.replacedBy }),
    next: nextOf(approval, status),
  };
}

/** Returns the status of the call; a later undo does not change it. */
function statusOfApproval({ state, files, question }: Approval): OutcomeStatus {
  if (question !== undefined && state === 'applied') return 'answered';
  if (question !== undefined && state === 'declined') return 'dismissed';
  if (state !== 'applied' && state !== 'undone') return statusOf[state];
  if (files.some(({ edited }) => edited)) return 'applied_modified';
  const isWhole = files.every(
    ({ included, includedHunks, proposedHunks }) => included && includedHunks === proposedHunks,
  );
  return isWhole ? 'applied' : 'partially_applied';
}

function nextOf(approval: Approval, status: OutcomeStatus): string {
  if (!changesFiles(approval)) return nextWithoutFiles(approval, status);
  if (approval.state === 'applying') return running;
  if (approval.state === 'undone') return 'The user undid this afterwards: ask the user before you send it again.';
  if (status === 'stale' && approval.replacedBy !== undefined) return next.superseded;
  const isApplied = status === 'applied' || status === 'partially_applied' || status === 'applied_modified';
  if (!isApplied) return next[status];
  const { leftOut } = approval;
  const notes = [...(leftOut === undefined ? [] : [leftOut]), ...notesOn(approval.outcomes ?? [])];
  if (status === 'applied' && notes.length > 0) {
    return [...notes, 'Use the versions given here for further edits.'].join(' ');
  }
  if (status === 'applied' && isUnseen(approval)) return appliedByRule;
  return [next[status], ...notes].join(' ');
}

/**
 * Returns whether nobody looked at a request before it was allowed. A request that waited and was computed again may be allowed
 * too, but the user saw its card and approved it.
 */
function isUnseen({ judgement, displayedAt }: Approval): boolean {
  return judgement.effect === 'allow' && displayedAt === undefined;
}

/** Returns the sentence for an action or a question, with the note that says why it ended. */
function nextWithoutFiles(approval: Approval, status: OutcomeStatus): string {
  const { action, state, note, output, outputIsError } = approval;
  if (state === 'applying') return running;
  if (status === 'applied' && outputIsError === true) return reportedFailure;
  if (status === 'applied' && isUnseen(approval)) return doneByRule;
  const sentence = (action === undefined ? nextOfQuestion : nextOfAction)[status] ?? next[status];
  return note === undefined || output !== undefined ? sentence : `${note} ${sentence}`;
}

/** Returns notes on files that do not hold exactly what was approved, or are not saved. */
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
