import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Approval } from '#changes/approval.ts';
import type { Button, Card, Chip } from '#ui/page/messages.ts';
import { finishedAction, waitingAction } from './actionCard.ts';
import { actionOf, chosenOf, deletes, isMove, targetOf, waitingHeadline } from './changeText.ts';
import { clientName, nameLength } from './clientText.ts';
import { declineControl } from './declineText.ts';
import { cardFiles } from './fileText.ts';
import { finishedHeadline, finishedNotes, problemsOf } from './finishedText.ts';
import { isProtected } from './kindText.ts';
import { finishedQuestion, waitingQuestion } from './questionCard.ts';
import { finishedParts, waitingParts, type CardContext, type Drawing } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import { warningTexts } from './warningText.ts';

/** The card of a waiting approval. Without a `drawing` the texts cannot be shown, and what is not shown cannot be approved. */
export function waitingCard(approval: Approval, drawing: Drawing | undefined, context: CardContext): Card {
  const { action, question } = approval;
  if (action) return waitingAction({ ...approval, action }, drawing, context);
  return question
    ? waitingQuestion({ ...approval, question }, drawing, context)
    : waitingChange(approval, drawing, context);
}

/** The short card of an approval that is over. */
export function finishedCard(approval: Approval, context: CardContext): Card {
  const { action, question } = approval;
  if (action) return finishedAction({ ...approval, action }, context);
  return question ? finishedQuestion({ ...approval, question }, context) : finishedChange(approval, context);
}

function waitingChange(approval: Approval, drawing: Drawing | undefined, context: CardContext): Card {
  const { t } = context;
  const { files, indivisible } = approval;
  const isGuarded = files.some(isProtected);
  const isWaiting = approval.state === 'waiting';
  const hasText = files.some((file) => file.hasText);
  const decline = { isSuggested: isGuarded, ofFiles: true };
  return {
    ...waitingParts(approval, drawing, context),
    ...(isWaiting && drawing ? approveParts(approval, context) : {}),
    tone: isGuarded || deletes(approval) ? 'danger' : 'edit',
    headline: waitingHeadline(files, indivisible, t),
    risk: riskChip(approval, t),
    chips: approval.moved ? [movedChip(t)] : [],
    files: drawing ? cardFiles(approval, drawing.files, t) : [],
    warnings: [...warningTexts(approval, drawing?.files ?? [], t), ...taskWarnings(context)],
    ...(isWaiting && drawing && hasText ? { openDiff: { text: t('Open diff'), label: diffLabel(approval, t) } } : {}),
    ...(isWaiting ? { decline: declineControl(actionOf(files, t), clientName(approval.client, t), decline, t) } : {}),
  };
}

function finishedChange(approval: Approval, context: CardContext): Card {
  const { t } = context;
  const { files, replacedBy } = approval;
  const action = actionOf(files, t);
  const shared = finishedParts(approval, context);
  const problems = problemsOf(approval, t);
  return {
    ...shared,
    headline: finishedHeadline(approval, t),
    headlineTitle: targetOf(files, t),
    notes: [...shared.notes, ...finishedNotes(approval, t), ...context.notes],
    ...(problems && { problems }),
    ...(files.some((file) => file.hasText) && { openDiff: { text: t('Show diff'), label: diffLabel(approval, t) } }),
    ...(approval.canUndo ? { undo: { text: t('Undo'), label: t('Undo {0}', action) } } : {}),
    ...(approval.canRedo ? { redo: { text: t('Redo'), label: t('Redo {0}', action) } } : {}),
    ...(approval.canRebase ? { rebase: { text: t('Rebase'), label: t('Rebase {0}', action) } } : {}),
    ...(context.hasSuccessor && replacedBy !== undefined
      ? { successor: { id: replacedBy, text: t('Show newer proposal'), label: t('Show newer proposal: {0}', action) } }
      : {}),
  };
}

/** Returns the buttons that approve, or why Approve does nothing when everything was left out. */
function approveParts(
  { files, tool, judgement: { confirmCount } }: Approval,
  { t, rules }: CardContext,
): Pick<Card, 'approve' | 'approveInEditor' | 'emptyHint' | 'rules' | 'confirm'> {
  const { all, included, edited } = chosenOf(files);
  const approve = approveButton(files, tool, t);
  const confirm = confirmCount === undefined ? {} : { confirm: confirmation(confirmCount, t) };
  const inEditor = tool === nativeEditTool && files.some(({ unsaved }) => unsaved) ? editorButton(files, t) : undefined;
  if (included > 0 || edited || all === 0) {
    return { approve, ...(inEditor && { approveInEditor: inEditor }), ...confirm, ...(rules && { rules }) };
  }
  return { approve, ...confirm, emptyHint: t('Nothing is selected: decline instead.') };
}

function approveButton(files: Approval['files'], tool: string, t: Translate): Button {
  const { all, included, edited } = chosenOf(files);
  const isGuarded = files.some(isProtected);
  const action = actionOf(files, t);
  if (edited) return { text: t('Approve my version'), label: t('Approve my version: {0}', action) };
  if (included < all) {
    return isGuarded
      ? {
          text: t('Approve once: {0} of {1}', included, all),
          label: t('Approve once: {0} of {1} changes, {2}', included, all, action),
        }
      : {
          text: t('Approve {0} of {1}', included, all),
          label: t('Approve {0} of {1} changes: {2}', included, all, action),
        };
  }
  if (isGuarded) return { text: t('Approve once'), label: t('Approve once: {0}', action) };
  // The assistant changes the file on disk, so the text of the editor must be saved first.
  return tool === nativeEditTool && files.some(({ unsaved }) => unsaved)
    ? { text: t('Save and continue'), label: t('Save your unsaved text and approve {0}', action) }
    : { text: t('Approve'), label: t('Approve {0}', action) };
}

function editorButton(files: Approval['files'], t: Translate): Button {
  const label = t(
    'Apply in the editor: {0}. Drawbridge changes your unsaved text, then saves the file.',
    actionOf(files, t),
  );
  return { text: t('Apply in the editor'), label };
}

function confirmation(count: number, t: Translate): NonNullable<Card['confirm']> {
  return {
    count,
    label: t('Type {0} to delete {0} files', count),
    mismatch: t('Type the number {0}, which is how many files will be deleted.', count),
  };
}

/** Threat row A25. */
function taskWarnings({ t, watchingTasks }: CardContext): string[] {
  return watchingTasks.map((name) =>
    t('A running task ({0}) may react to this change at once.', shortened(plain(name), nameLength)),
  );
}

function riskChip(approval: Approval, t: Translate): Chip {
  if (approval.files.some(isProtected)) return { text: t('Protected'), tone: 'danger', icon: 'shield' };
  if (isMove(approval)) return { text: t('Move'), tone: 'plain', icon: 'edit' };
  if (deletes(approval)) return { text: t('Delete'), tone: 'danger', icon: 'trash' };
  return { text: t('Edit'), tone: 'plain', icon: 'edit' };
}

function movedChip(t: Translate): Chip {
  const title = t('Another change of the same file was applied, so this proposal was recomputed on top of it.');
  return { text: t('recomputed'), tone: 'warning', title };
}

function diffLabel({ files, state }: Approval, t: Translate): string {
  const target = targetOf(files, t);
  return state === 'waiting' ? t('Open diff of {0}', target) : t('Show diff of {0}', target);
}
