import type { Approval, ApprovalState } from '../../approvals/approval.ts';
import { plain } from '../../approvals/visibleText.ts';
import type { FileOutcome, FileState } from '../../ports/approver.ts';
import type { Translate } from './cardText.ts';

/** Headline of a finished card, such as "Edited cart.ts" or "Declined: edit of 2 files". */
export function finishedHeadline({ files, state }: Approval, t: Translate): string {
  const [first] = files;
  const what =
    files.length === 1 && first
      ? plain(first.path.slice(first.path.lastIndexOf('/') + 1))
      : t('{0} files', files.length);
  const headlines: Record<ApprovalState, string> = {
    waiting: t('Edit of {0}', what),
    applying: t('Edit of {0}', what),
    applied: t('Edited {0}', what),
    undone: t('Undone: edit of {0}', what),
    declined: t('Declined: edit of {0}', what),
    expired: t('Expired: edit of {0}', what),
    withdrawn: t('Withdrawn: edit of {0}', what),
    stale: t('Out of date: edit of {0}', what),
    failed: t('Failed: edit of {0}', what),
  };
  return headlines[state];
}

/** How it ended, in a word or two. */
export function finishedPhrase(state: ApprovalState, t: Translate): string {
  const phrases: Record<ApprovalState, string> = {
    waiting: '',
    applying: '',
    applied: t('approved'),
    undone: t('approved, then undone'),
    declined: t('declined'),
    expired: t('not decided in time'),
    withdrawn: t('cancelled'),
    stale: t('the files had changed'),
    failed: t('could not be applied'),
  };
  return phrases[state];
}

/** What there is to know about a finished approval: files, why it ended, what saving did, what was said. */
export function finishedNotes(approval: Approval, t: Translate): string[] {
  const outcomes = approval.outcomes ?? [];
  const notes: string[] = [];
  if (approval.state !== 'failed' && approval.files.length > 1) notes.push(pathList(approval.files));
  if (approval.note !== undefined) notes.push(plain(approval.note));
  const reformatted = outcomes.filter((outcome) => outcome.changedOnSave !== undefined);
  if (reformatted.length > 0) notes.push(t('Changed further on save: {0}', pathList(reformatted)));
  const unsaved = outcomes.filter((outcome) => outcome.dirty === true);
  if (approval.state === 'applied' && unsaved.length > 0) notes.push(t('Left unsaved: {0}', pathList(unsaved)));
  if (approval.state === 'failed') notes.push(...outcomes.map((outcome) => outcomeText(outcome, t)));
  if (approval.userMessage) notes.push(t('You said: “{0}”', plain(approval.userMessage)));
  return notes;
}

function outcomeText({ path, state }: FileOutcome, t: Translate): string {
  const texts: Record<FileState, string> = {
    applied: t('{0}: changed', plain(path)),
    not_applied: t('{0}: not changed', plain(path)),
    rolled_back: t('{0}: changed, then put back', plain(path)),
    unknown: t('{0}: unknown, look at it', plain(path)),
  };
  return texts[state];
}

function pathList(files: readonly { readonly path: string }[]): string {
  return files.map((file) => plain(file.path)).join(', ');
}
