import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain } from '#base/visibleText.ts';
import type { Approval, ApprovalState } from '#changes/approval.ts';
import type { FileOutcome, FileState } from '#changes/approver.ts';
import { progressOf } from '#changes/halfDone.ts';
import type { ShownApproval } from '../messages.ts';
import type { Disclosure } from './view.ts';
import { chosenOf, isMove, kindOf, shortActionOf, shortTargetOf } from './changeText.ts';
import { reasonText } from './declineText.ts';
import type { Translate } from './translate.ts';

/** Headline of a finished card, such as "Edited cart.ts", "Moved item.ts to src/views/item.ts" or "Declined: edit of 2 files". */
export function finishedHeadline(
  approval: Pick<Approval, 'files' | 'state' | 'purpose' | 'indivisible' | 'outcomes'>,
  t: Translate,
): string {
  const action = shortActionOf(approval, t);
  const headlines: Record<ApprovalState, string> = {
    waiting: action,
    applying: action,
    applied: appliedHeadline(approval, t),
    partly_applied: halfDoneText(approval, t),
    undone: t('Undone: {0}', action),
    declined: t('Declined: {0}', action),
    expired: t('Expired: {0}', action),
    withdrawn: t('Withdrawn: {0}', action),
    superseded: t('Superseded: {0}', action),
    stale: t('Out of date: {0}', action),
    failed: t('Failed: {0}', action),
  };
  return headlines[approval.state];
}

function halfDoneText(approval: Pick<Approval, 'outcomes'>, t: Translate): string {
  const { done, all } = progressOf(approval);
  return t('Half done: {0} of {1} files', done, all);
}

function appliedHeadline(approval: Pick<Approval, 'files' | 'purpose' | 'indivisible'>, t: Translate): string {
  const { files, purpose } = approval;
  const what = shortTargetOf(files, t);
  if (purpose?.kind === 'rename_symbol') {
    const [from, to] = [plain(purpose.from), plain(purpose.to)];
    return files.length === 1
      ? t('Renamed {0} to {1} in {2}', from, to, what)
      : t('Renamed {0} to {1} in {2} files', from, to, files.length);
  }
  if (isMove(approval)) {
    const [move, ...others] = files.filter(({ change }) => change === 'move');
    const moved =
      move?.to && others.length === 0 ? t('Moved {0} to {1}', what, plain(move.to.path)) : t('Moved {0}', what);
    const imports = files.length - 1 - others.length;
    if (imports === 0) return moved;
    return imports === 1
      ? t('{0}, imports in 1 file followed', moved)
      : t('{0}, imports in {1} files followed', moved, imports);
  }
  const [kind, ...others] = new Set(files.map(kindOf));
  if (kind === undefined || others.length > 0) return t('Changed {0}', what);
  const headlines: Record<typeof kind, string> = {
    edit: t('Edited {0}', what),
    create: t('Created {0}', what),
    replace: t('Replaced {0}', what),
    move: t('Moved {0}', what),
    delete: t('Deleted {0}', what),
  };
  return headlines[kind];
}

/** How it ended, in a word or two. */
export function finishedPhrase(
  { state, action, question }: Pick<Approval, 'state' | 'action' | 'question'>,
  t: Translate,
): string {
  if (question && state === 'applied') return t('answered');
  if (question && state === 'declined') return t('dismissed');
  const phrases: Record<ApprovalState, string> = {
    waiting: '',
    applying: '',
    applied: t('approved'),
    partly_applied: t('half done'),
    undone: t('approved, then undone'),
    declined: t('declined'),
    expired: t('not decided in time'),
    withdrawn: t('cancelled'),
    superseded: t('a newer proposal took its place'),
    stale: t('the files changed after the proposal'),
    failed: action ? t('could not be done') : t('could not be applied'),
  };
  return phrases[state];
}

/** What there is to know about a finished approval: files, why it ended, what saving did, what was said. */
export function finishedNotes(approval: ShownApproval, t: Translate): string[] {
  const outcomes = approval.outcomes ?? [];
  const notes: string[] = selectionNote(approval, t);
  const isTorn = approval.state === 'failed' || approval.state === 'partly_applied';
  if (!isTorn && approval.files.length > 1) notes.push(pathList(approval.files));
  if (approval.note !== undefined) notes.push(noteText(approval.state, plain(approval.note), t));
  const reformatted = outcomes.filter((outcome) => outcome.changedOnSave !== undefined);
  if (reformatted.length > 0) {
    const files = pathList(reformatted);
    const isNative = approval.tool === nativeEditTool;
    notes.push(
      isNative ? t('Written differently than approved: {0}', files) : t('Changed further on save: {0}', files),
    );
  }
  const unsaved = outcomes.filter((outcome) => outcome.dirty === true);
  if (approval.state === 'applied' && unsaved.length > 0) notes.push(t('Left unsaved: {0}', pathList(unsaved)));
  if (isTorn) notes.push(...outcomes.map((outcome) => outcomeText(outcome, t)));
  if (approval.answer !== undefined) notes.push(t('You answered: “{0}”', plain(approval.answer)));
  if (approval.reasonCode) notes.push(t('Your reason: {0}', reasonText(approval.reasonCode, t)));
  if (approval.userMessage) notes.push(t('You said: “{0}”', plain(approval.userMessage)));
  return notes;
}

/** What the applied change did to the problems of its files, with the new ones to look at. */
export function problemsOf({ state, problems }: ShownApproval, t: Translate): Disclosure | undefined {
  if (state !== 'applied' || problems === undefined) return undefined;
  const { newCount, fixedCount, freshness } = problems;
  const found = newCount === 1 ? t('1 new problem') : t('{0} new problems', newCount);
  const text = t('{0}, {1} fixed', found, fixedCount);
  const details = problems.new.map((problem) => ({
    term: `${plain(problem.path)}:${problem.line}`,
    value: problemText(problem, t),
  }));
  if (newCount > details.length) details.push({ term: '…', value: t('{0} more', newCount - details.length) });
  return { text: freshness === 'settling' ? t('{0} so far', text) : text, details };
}

function problemText(
  { severity, message, code }: NonNullable<Approval['problems']>['new'][number],
  t: Translate,
): string {
  const name = severity === 'error' ? t('Error') : t('Warning');
  const text = t('{0}: {1}', name, message.split('\n').map(plain).join('\n'));
  return code === undefined ? text : `${text} ${plain(code)}`;
}

/** Returns sentences that say how much of the proposal the user applied, and whether they edited it. */
function selectionNote({ state, files }: ShownApproval, t: Translate): string[] {
  if (state !== 'applied') return [];
  const { all, included, edited } = chosenOf(files);
  if (edited) return [t('Applied your version.')];
  return included === all ? [] : [t('Applied {0} of {1} changes.', included, all)];
}

function noteText(state: ApprovalState, note: string, t: Translate): string {
  return state === 'stale' ? t('Changed after the proposal: {0}', note) : note;
}

function outcomeText({ path, state }: FileOutcome, t: Translate): string {
  const texts: Record<FileState, string> = {
    applied: t('{0}: changed', plain(path)),
    not_applied: t('{0}: not changed', plain(path)),
    rolled_back: t('{0}: changed, then restored', plain(path)),
    unknown: t('{0}: unknown, check this file', plain(path)),
  };
  return texts[state];
}

function pathList(files: readonly { readonly path: string }[]): string {
  return files.map((file) => plain(file.path)).join(', ');
}
