import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Approval } from '#changes/approval.ts';
import { isVeryLarge } from '#changes/veryLarge.ts';
import type { PageApproval } from '../messages.ts';
import { finishedAction, waitingAction } from './actionText.ts';
import { actionOf, chosenOf, deletes, isMove, targetOf, waitingHeadline } from './changeText.ts';
import { clientName, nameLength } from './clientText.ts';
import { declineControl } from './declineText.ts';
import { cardFiles } from './fileText.ts';
import { finishedHeadline, finishedNotes, problemsOf } from './finishedText.ts';
import { isProtected } from './kindText.ts';
import { finishedQuestion, waitingQuestion } from './questionText.ts';
import { ruleMenu } from './ruleText.ts';
import { elsewhereText, finishedParts, waitingParts, type CardContext } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import type { Button, Card, Chip } from './view.ts';
import { warningTexts } from './warningText.ts';

/** Returns the card of a request. What cannot be shown cannot be approved. */
export function cardOf(page: PageApproval, context: CardContext): Card {
  const { action, question, state } = page.approval;
  const isOpen = state === 'waiting' || state === 'applying';
  if (action) return isOpen ? waitingAction(page, action, context) : finishedAction(page, action, context);
  if (question) return isOpen ? waitingQuestion(page, question, context) : finishedQuestion(page, question, context);
  if (state === 'partly_applied') return halfDoneChange(page, context);
  return isOpen ? waitingChange(page, context) : finishedChange(page, context);
}

/** Returns the card of a change that a crash left half done. Neither of its two buttons is the default, and no key presses them. */
function halfDoneChange(page: PageApproval, context: CardContext): Card {
  const { t } = context;
  const card = finishedChange(page, context);
  const button = (text: string): Button => ({ text, label: t('{0}: {1}', text, targetOf(page.approval.files, t)) });
  return {
    ...card,
    phase: 'waiting',
    tone: 'danger',
    isGrave: true,
    ...(page.isElsewhere && { elsewhere: elsewhereText(card.headline, context) }),
    approve: button(t('Finish')),
    refuse: button(t('Take back')),
  };
}

function waitingChange(page: PageApproval, context: CardContext): Card {
  const { t, place } = context;
  const { approval, drawing, isElsewhere } = page;
  const { files } = approval;
  const isGuarded = files.some(isProtected);
  const isOpen = approval.state === 'waiting' && !isElsewhere;
  const hasText = files.some((file) => file.hasText);
  const risk = riskChip(approval, t);
  const action = actionOf(files, t);
  const warnings = [...warningTexts(page, t), ...taskWarnings(page, t)];
  return {
    ...waitingParts(page, waitingHeadline(approval, t), context),
    ...(isOpen && drawing ? approveParts(page, t) : {}),
    tone: isGuarded || deletes(approval) ? 'danger' : 'edit',
    isGrave: isGuarded || deletes(approval) || warnings.length > 0,
    ...(risk && { risk }),
    chips: approval.moved ? [movedChip(t)] : [],
    files: drawing ? cardFiles(page, drawing, t) : [],
    warnings,
    ...(isOpen && drawing && hasText && { openDiff: { text: t('Open diff'), label: diffLabel(approval, t) } }),
    ...(isOpen &&
      drawing &&
      hasText &&
      place === 'sideBar' && { openReview: { text: t('Review in a tab'), label: t('Review in a tab: {0}', action) } }),
    ...(isOpen && {
      decline: declineControl(action, clientName(approval.client, t), { ofFiles: true }, t),
    }),
  };
}

function finishedChange(page: PageApproval, context: CardContext): Card {
  const { t } = context;
  const { approval, hasSuccessor } = page;
  const { files, replacedBy } = approval;
  const action = actionOf(files, t);
  const shared = finishedParts(page, finishedHeadline(approval, t), context);
  const problems = problemsOf(approval, t);
  return {
    ...shared,
    headlineTitle: targetOf(files, t),
    notes: [...finishedNotes(approval, t), ...shared.notes],
    ...(problems && { problems }),
    ...(files.some((file) => file.hasText) && { openDiff: { text: t('Diff'), label: diffLabel(approval, t) } }),
    ...(approval.canUndo ? { undo: { text: t('Undo'), label: t('Undo {0}', action) } } : {}),
    ...(approval.canRedo ? { redo: { text: t('Redo'), label: t('Redo {0}', action) } } : {}),
    ...(approval.canRebase ? { rebase: { text: t('Rebase'), label: t('Rebase {0}', action) } } : {}),
    ...(hasSuccessor && replacedBy !== undefined
      ? { successor: { id: replacedBy, text: t('Show newer proposal'), label: t('Show newer proposal: {0}', action) } }
      : {}),
  };
}

/** Returns the buttons that approve, or why Approve does nothing when everything was left out. */
function approveParts(
  page: PageApproval,
  t: Translate,
): Pick<Card, 'approve' | 'approveInEditor' | 'approveUnread' | 'blockedHint' | 'rules' | 'confirm'> {
  const { approval, unseen } = page;
  const { files, tool, judgement, mustReachEnd } = approval;
  const { confirmCount } = judgement;
  const rules = ruleMenu(page, t);
  const { all, included, edited } = chosenOf(files);
  const approve = approveButton(files, tool, t);
  const confirm = confirmCount === undefined ? {} : { confirm: confirmation(confirmCount, t) };
  const inEditor = tool === nativeEditTool && files.some(({ unsaved }) => unsaved) ? editorButton(files, t) : undefined;
  if (included > 0 || edited || all === 0) {
    return {
      approve,
      ...(inEditor && { approveInEditor: inEditor }),
      ...(isVeryLarge(files) && !mustReachEnd && { approveUnread: unreadButton(files, t) }),
      ...confirm,
      ...(rules && { rules }),
      ...(unseen.total > 0 && { blockedHint: unseenText(unseen, t) }),
    };
  }
  return { approve, ...confirm, blockedHint: t('Nothing is selected: decline instead.') };
}

function approveButton(files: Approval['files'], tool: string, t: Translate): Button {
  const { all, included, edited } = chosenOf(files);
  const isGuarded = files.some(isProtected);
  const isDelete = files.every(({ change }) => change === 'delete');
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
    : { text: isDelete ? t('Approve delete') : t('Approve'), label: t('Approve {0}', action) };
}

function unreadButton(files: Approval['files'], t: Translate): Button {
  const text = t('Approve without reading everything');
  return { text, label: `${text}: ${actionOf(files, t)}` };
}

/** Says what must be on screen first. The host counts what was, in this page while it has the focus. */
function unseenText({ named, total }: PageApproval['unseen'], t: Translate): string {
  const names = [...named.map(plain), ...(total > named.length ? ['…'] : [])];
  return t('Click into the card and scroll to each marked part to approve: {0}', names.join(', '));
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
function taskWarnings({ watchingTasks }: PageApproval, t: Translate): string[] {
  return watchingTasks.map((name) =>
    t('A running task ({0}) may react to this change at once.', shortened(plain(name), nameLength)),
  );
}

/** Returns a chip for what the headline does not make grave enough. */
function riskChip(approval: PageApproval['approval'], t: Translate): Chip | undefined {
  if (approval.files.some(isProtected)) return { text: t('Protected'), tone: 'danger', icon: 'shield' };
  if (isMove(approval)) return undefined;
  return deletes(approval) ? { text: t('Delete'), tone: 'danger', icon: 'trash' } : undefined;
}

function movedChip(t: Translate): Chip {
  const title = t('Another change of the same file was applied, so this proposal was recomputed on top of it.');
  return { text: t('recomputed'), tone: 'warning', title };
}

function diffLabel({ files, state }: PageApproval['approval'], t: Translate): string {
  const target = targetOf(files, t);
  return state === 'waiting' ? t('Open diff of {0}', target) : t('Show diff of {0}', target);
}
