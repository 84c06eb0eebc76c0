import type { Approval } from '../../approvals/approval.ts';
import { plain, visibleText } from '../../approvals/visibleText.ts';
import type { Button, Card, Chip, DrawnRule, RuleMenu } from '../../sidebar/messages.ts';
import { actionOf, chosenOf, countsOf, deletes, isMove, targetOf, waitingHeadline } from './changeText.ts';
import { clientName, nameLength, shortened, whoAsks } from './clientText.ts';
import { declineControl } from './declineText.ts';
import { cardFiles, type FileChanges } from './fileText.ts';
import { finishedHeadline, finishedNotes, finishedPhrase, problemsOf } from './finishedText.ts';
import { isProtected } from './kindText.ts';
import type { Translate } from './translate.ts';
import { warningTexts } from './warningText.ts';
import { appliedWithoutAsking, whyAsked, whyNotAsked } from './whyText.ts';

/** The changed lines as they are drawn now. */
export interface Drawing {
  /** Another one has other rows. */
  readonly number: number;
  readonly files: readonly FileChanges[];
}

export interface CardContext {
  readonly t: Translate;
  /** What the window's title calls the workspace. */
  readonly windowName: string | undefined;
  /** Sentences of the view itself, such as why an undo did not work. */
  readonly notes: readonly string[];
  /** The approval that took the place of this one is known. */
  readonly hasSuccessor: boolean;
  /** What approving can be made a rule of; absent when it cannot. */
  readonly rules?: RuleMenu | undefined;
  /** The rule that was made with this card. */
  readonly savedRule?: DrawnRule | undefined;
  /** Names of running tasks that may act on the change at once. */
  readonly watchingTasks: readonly string[];
}

const reasonLength = 300;

/** The card of a waiting approval. Without a `drawing` the texts cannot be shown, and what is not shown cannot be approved. */
export function waitingCard(approval: Approval, drawing: Drawing | undefined, context: CardContext): Card {
  const { t } = context;
  const { files, indivisible } = approval;
  const isGuarded = files.some(isProtected);
  const isWaiting = approval.state === 'waiting';
  const action = actionOf(files, t);
  const hasText = files.some((file) => file.hasText);
  return {
    ...sharedParts(approval, context),
    ...(isWaiting && drawing ? approveParts(approval, context) : {}),
    drawing: drawing?.number ?? 0,
    phase: isWaiting ? 'waiting' : 'applying',
    tone: isGuarded || deletes(approval) ? 'danger' : 'edit',
    headline: waitingHeadline(files, indivisible, t),
    risk: riskChip(approval, t),
    chips: approval.moved ? [movedChip(t)] : [],
    files: drawing ? cardFiles(approval, drawing.files, t) : [],
    warnings: [...warningTexts(approval, drawing?.files ?? [], t), ...taskWarnings(context)],
    ...(approval.reason ? { reason: { label: t('The assistant says:'), parts: quoted(approval.reason) } } : {}),
    why: whyAsked(approval, t),
    notes: waitingNotes(approval, drawing !== undefined, context),
    ...(isWaiting && drawing && hasText ? { openDiff: { text: t('Open diff'), label: diffLabel(approval, t) } } : {}),
    ...(isWaiting ? { decline: declineControl(action, clientName(approval.client, t), isGuarded, t) } : {}),
    ...(approval.mustReachEnd ? { endHint: t('Scroll to the end of the change to approve it.') } : {}),
  };
}

/** The short card of an approval that is over. */
export function finishedCard(approval: Approval, context: CardContext): Card {
  const { t } = context;
  const { files, state, replacedBy } = approval;
  const action = actionOf(files, t);
  const shared = sharedParts(approval, context);
  const problems = problemsOf(approval, t);
  const unasked = appliedWithoutAsking(approval, t);
  const why = whyNotAsked(approval, t);
  return {
    ...shared,
    drawing: 0,
    phase: 'finished',
    tone: 'done',
    headline: finishedHeadline(approval, t),
    headlineTitle: targetOf(files, t),
    chips: [],
    who: { ...shared.who, time: approval.decidedAt ?? approval.requestedAt, rest: [finishedPhrase(state, t)] },
    files: [],
    warnings: [],
    notes: [...(unasked === undefined ? [] : [unasked]), ...finishedNotes(approval, t), ...context.notes],
    ...(why && { why }),
    ...(context.savedRule && { savedRule: context.savedRule }),
    ...(problems && { problems }),
    ...(files.some((file) => file.hasText) && { openDiff: { text: t('Show diff'), label: diffLabel(approval, t) } }),
    ...(approval.canUndo ? { undo: { text: t('Undo'), label: t('Undo {0}', action) } } : {}),
    ...(approval.canRedo ? { redo: { text: t('Redo'), label: t('Redo {0}', action) } } : {}),
    ...(approval.canRebase ? { rebase: { text: t('Rebase'), label: t('Rebase {0}', action) } } : {}),
    ...(context.hasSuccessor && replacedBy !== undefined
      ? { successor: { id: replacedBy, text: t('Show the newer one'), label: t('Show the newer one: {0}', action) } }
      : {}),
  };
}

function sharedParts(
  approval: Approval,
  { t, windowName }: CardContext,
): Pick<Card, 'id' | 'proposalHash' | 'counts' | 'who'> {
  return {
    id: approval.id,
    proposalHash: approval.proposalHash,
    counts: countsOf(approval.files, t),
    who: whoAsks({ client: approval.client, time: approval.requestedAt, windowName }, t),
  };
}

/** What Approve will do, and why it does nothing when everything was left out. */
function approveParts(
  { files, judgement: { confirmCount } }: Approval,
  { t, rules }: CardContext,
): Pick<Card, 'approve' | 'emptyHint' | 'rules' | 'confirm'> {
  const { all, included, edited } = chosenOf(files);
  const approve = approveButton(files, t);
  const confirm = confirmCount === undefined ? {} : { confirm: confirmation(confirmCount, t) };
  if (included > 0 || edited || all === 0) return { approve, ...confirm, ...(rules && { rules }) };
  return { approve, ...confirm, emptyHint: t('Nothing is selected: decline instead.') };
}

function approveButton(files: Approval['files'], t: Translate): Button {
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
  return isGuarded
    ? { text: t('Approve once'), label: t('Approve once: {0}', action) }
    : { text: t('Approve'), label: t('Approve {0}', action) };
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
    t('A running task ({0}) may act on this at once.', shortened(plain(name), nameLength)),
  );
}

function riskChip(approval: Approval, t: Translate): Chip {
  if (approval.files.some(isProtected)) return { text: t('Protected'), tone: 'danger', icon: 'shield' };
  if (isMove(approval)) return { text: t('Move'), tone: 'plain', icon: 'edit' };
  if (deletes(approval)) return { text: t('Delete'), tone: 'danger', icon: 'trash' };
  return { text: t('Edit'), tone: 'plain', icon: 'edit' };
}

function movedChip(t: Translate): Chip {
  const title = t('Another change of the same file was applied. This one was computed again on top of it.');
  return { text: t('computed again'), tone: 'warning', title };
}

function quoted(reason: string): { text: string; escaped?: true }[] {
  return visibleText(shortened(reason.replaceAll(/[\t\n\r ]+/g, ' ').trim(), reasonLength));
}

function waitingNotes(approval: Approval, isShown: boolean, { t, notes }: CardContext): string[] {
  const own: string[] = [];
  if (approval.state === 'applying') own.push(t('Applying…'));
  if (!isShown) own.push(t('The change cannot be shown, so it cannot be approved.'));
  if (approval.callReturned) own.push(t('The assistant no longer waits for the answer. Your decision still counts.'));
  if (approval.note !== undefined) own.push(plain(approval.note));
  return [...own, ...notes];
}

function diffLabel({ files, state }: Approval, t: Translate): string {
  const target = targetOf(files, t);
  return state === 'waiting' ? t('Open diff of {0}', target) : t('Show diff of {0}', target);
}
