import type { CommandClass, CommandPart } from '#base/proposal.ts';
import { plain, shortened, visibleText, type TextPart } from '#base/visibleText.ts';
import type { Approval, ApprovalAction } from '#changes/approval.ts';
import type { PageApproval, ShownApproval } from '../messages.ts';
import { clientName } from './clientText.ts';
import { declineControl } from './declineText.ts';
import { finishedNotes } from './finishedText.ts';
import { ruleMenu } from './ruleText.ts';
import { finishedParts, waitingParts, type CardContext } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import type { Card, CardAction, CardOutput, Chip } from './view.ts';
import { hiddenTextWarning, hiddenWordsWarning } from './warningText.ts';

/** Characters of a headline. */
const titleLength = 120;

/** Returns the card of an action that waits. An action whose arguments cannot be shown cannot be approved. */
export function waitingAction(page: PageApproval, action: ApprovalAction, context: CardContext): Card {
  const { t } = context;
  const { approval, drawing, isElsewhere, hiddenInAction } = page;
  const { risk, client } = approval;
  const title = plain(action.title);
  const isOpen = approval.state === 'waiting' && !isElsewhere;
  const rows = drawing?.argumentRows;
  const rules = ruleMenu(page, t);
  return {
    ...waitingParts(page, shortened(title, titleLength), context),
    ...titleParts(title),
    tone: risk === 'delete' ? 'danger' : 'edit',
    isGrave: risk === 'delete' || hiddenInAction.length > 0,
    ...(risk !== 'edit' && { risk: riskChip(risk, t) }),
    ...(rows !== undefined && { action: drawnAction(action, risk, rows, t) }),
    warnings: [
      ...action.remarks.map(plain),
      ...hiddenTextWarning(hiddenInAction, t),
      ...hiddenWordsWarning(approval, t),
    ],
    ...(isOpen && rows !== undefined && { approve: approveButton(title, risk, t), ...(rules && { rules }) }),
    ...(isOpen && {
      decline: declineControl(title, clientName(client, t), { ofFiles: false }, t),
    }),
  };
}

/** Returns the short card of an action that is over, with the text that the action returned. */
export function finishedAction(page: PageApproval, action: ApprovalAction, context: CardContext): Card {
  const { t } = context;
  const headline = finishedHeadline(page.approval, plain(action.title), t);
  const shared = finishedParts(page, shortened(headline, titleLength), context);
  const output = outputOf(page, t);
  return {
    ...shared,
    ...titleParts(headline),
    notes: [...finishedNotes(page.approval, t), ...shared.notes],
    ...(output && { output }),
  };
}

function finishedHeadline({ action, state, outputIsError }: ShownApproval, title: string, t: Translate): string {
  const headlines: Record<Approval['state'], string> = {
    waiting: title,
    applying: title,
    applied: outputIsError
      ? t('{0} (failed)', title)
      : action?.command
        ? t('Allowed: {0}', title)
        : t('{0} (done)', title),
    partly_applied: title,
    undone: t('Undone: {0}', title),
    declined: t('Declined: {0}', title),
    expired: t('Expired: {0}', title),
    withdrawn: t('Withdrawn: {0}', title),
    superseded: t('Superseded: {0}', title),
    stale: t('Out of date: {0}', title),
    failed: t('Failed: {0}', title),
  };
  return headlines[state];
}

function titleParts(text: string): Pick<Card, 'headlineTitle'> {
  return shortened(text, titleLength) === text ? {} : { headlineTitle: text };
}

function riskChip(risk: Approval['risk'], t: Translate): Chip {
  const chips: Record<typeof risk, Chip> = {
    execute: { text: t('Execute'), tone: 'warning', icon: 'play' },
    delete: { text: t('Delete'), tone: 'danger', icon: 'trash' },
    edit: { text: t('Edit'), tone: 'plain', icon: 'edit' },
    ui: { text: t('Editor'), tone: 'plain' },
  };
  return chips[risk];
}

function approveButton(title: string, risk: Approval['risk'], t: Translate): NonNullable<Card['approve']> {
  return risk === 'execute'
    ? { text: t('Run'), label: t('Run: {0}', title) }
    : { text: t('Approve'), label: t('Approve: {0}', title) };
}

function drawnAction(
  { definition, paths, command }: ApprovalAction,
  risk: Approval['risk'],
  rows: number,
  t: Translate,
): CardAction {
  // What is done to files alone needs no word about it.
  const none = risk === 'execute' || paths.length === 0 ? t('Without arguments.') : '';
  return {
    definition: {
      label: command ? t("The assistant's own tool") : t('Name in rules'),
      parts: visibleText(definition),
    },
    ...(command && { commands: { label: t('Commands'), items: command.parts.map((each) => partText(each, t)) } }),
    ...(paths.length > 0 && { paths: { label: t('Files'), items: paths.map(visibleText) } }),
    arguments: {
      label: command ? t('Command') : t('Arguments'),
      ...(rows === 0 && { none }),
      rows,
    },
  };
}

/** Returns a command of a command line, with its class and the reason for it. */
function partText({ text, class: kind, reason }: CommandPart, t: Translate): TextPart[] {
  const classes: Record<CommandClass, string> = {
    reads: t('only reads'),
    runs: t('runs something'),
    writes: t('changes files'),
  };
  return [...visibleText(shortened(text, titleLength)), { text: ` (${classes[kind]}): ${plain(reason)}` }];
}

function outputOf({ output, approval }: PageApproval, t: Translate): CardOutput | undefined {
  if (output === undefined || output.text === '') return undefined;
  const parts: TextPart[] = visibleText(output.text);
  if (output.left > 0) parts.push({ text: `\n${t('… {0} more characters', output.left)}` });
  return {
    text: t('Result'),
    label: t('Result'),
    ...(approval.outputIsError && { chip: { text: t('error'), tone: 'danger' } }),
    parts,
  };
}
