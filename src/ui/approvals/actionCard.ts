import type { CommandClass, CommandPart } from '#base/proposal.ts';
import { hiddenCharacters, plain, visibleText, shortened } from '#base/visibleText.ts';
import type { Approval, ApprovalAction } from '#changes/approval.ts';
import type { Card, CardAction, CardOutput, Chip, Part } from '#ui/page/messages.ts';
import { chunkOf, textRows, type ShownRows } from './cardRows.ts';
import { clientName } from './clientText.ts';
import { declineControl } from './declineText.ts';
import { finishedNotes } from './finishedText.ts';
import { finishedParts, waitingParts, type CardContext, type Drawing } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import { hiddenWordsWarning } from './warningText.ts';

/** Characters of a headline, and of what an action returned. */
const [titleLength, outputLength] = [120, 20_000];

/** An approval of something that is no change of files. */
export type ActionApproval = Approval & { readonly action: ApprovalAction };

/** The arguments as the card shows them, all of them, one to a line; empty when there are none but the paths above them. */
export function argumentRows({ arguments: given, paths, command }: ApprovalAction): ShownRows {
  if (command !== undefined) return textRows(commandText(command));
  const isNothing = given === undefined || (typeof given === 'object' && given !== null && isEmpty(given));
  const isSaid = JSON.stringify(given) === JSON.stringify({ paths });
  return textRows(isNothing || isSaid ? '' : (JSON.stringify(given, undefined, 2) ?? ''));
}

/** Returns a command line with the scripts that it runs. */
function commandText({ text, scripts }: NonNullable<ApprovalAction['command']>): string {
  return [text, ...scripts.map((script) => `${script.name}:\n${script.text}`)].join('\n\n');
}

/** The card of an action that waits. Without a `drawing` its arguments cannot be shown, and it cannot be approved. */
export function waitingAction(approval: ActionApproval, drawing: Drawing | undefined, context: CardContext): Card {
  const { t, rules } = context;
  const { action, risk, client } = approval;
  const title = plain(action.title);
  const isWaiting = approval.state === 'waiting';
  const shown = drawing?.arguments;
  return {
    ...waitingParts(approval, drawing, context),
    tone: risk === 'delete' ? 'danger' : 'edit',
    ...headlineParts(title),
    risk: riskChip(approval, t),
    ...(shown && { action: drawnAction(approval, shown, t) }),
    warnings: [...actionWarnings(action, t), ...hiddenWordsWarning(approval, t)],
    ...(isWaiting && shown && { approve: approveButton(approval, t), ...(rules && { rules }) }),
    ...(isWaiting && {
      decline: declineControl(title, clientName(client, t), { isSuggested: false, ofFiles: false }, t),
    }),
  };
}

/** The short card of an action that is over, with what it returned. */
export function finishedAction(approval: ActionApproval, context: CardContext): Card {
  const { t } = context;
  const shared = finishedParts(approval, context);
  const output = outputOf(approval, t);
  return {
    ...shared,
    ...headlineParts(finishedHeadline(approval, t)),
    notes: [...shared.notes, ...finishedNotes(approval, t), ...context.notes],
    ...(output && { output }),
  };
}

function finishedHeadline({ action, state, outputIsError }: ActionApproval, t: Translate): string {
  const title = plain(action.title);
  const headlines: Record<Approval['state'], string> = {
    waiting: title,
    applying: title,
    applied: outputIsError
      ? t('Done, with an error: {0}', title)
      : action.command
        ? t('Allowed: {0}', title)
        : t('Done: {0}', title),
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

function headlineParts(text: string): Pick<Card, 'headline' | 'headlineTitle'> {
  const headline = shortened(text, titleLength);
  return headline === text ? { headline } : { headline, headlineTitle: text };
}

function riskChip({ risk }: Approval, t: Translate): Chip {
  const chips: Record<typeof risk, Chip> = {
    execute: { text: t('Execute'), tone: 'warning', icon: 'play' },
    delete: { text: t('Delete'), tone: 'danger', icon: 'trash' },
    edit: { text: t('Edit'), tone: 'plain', icon: 'edit' },
    ui: { text: t('Editor'), tone: 'plain' },
  };
  return chips[risk];
}

function approveButton({ action, risk }: ActionApproval, t: Translate): NonNullable<Card['approve']> {
  const title = plain(action.title);
  return risk === 'execute'
    ? { text: t('Run'), label: t('Run: {0}', title) }
    : { text: t('Approve'), label: t('Approve: {0}', title) };
}

function drawnAction({ action, risk }: ActionApproval, shown: ShownRows, t: Translate): CardAction {
  const { definition, paths, command } = action;
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
      ...(shown.segments.length === 0 && { none }),
      ...chunkOf(shown, 0, t),
    },
  };
}

/** Returns a command of a command line, with its class and the reason for it. */
function partText({ text, class: kind, reason }: CommandPart, t: Translate): Part[] {
  const classes: Record<CommandClass, string> = {
    reads: t('only reads'),
    runs: t('runs something'),
    writes: t('changes files'),
  };
  return [...visibleText(shortened(text, titleLength)), { text: ` (${classes[kind]}): ${plain(reason)}` }];
}

function actionWarnings({ arguments: given, definition, paths, remarks }: ApprovalAction, t: Translate): string[] {
  const hidden = hiddenCharacters([JSON.stringify(given) ?? '', definition, ...paths].join('\n'));
  const own = hidden.length === 0 ? [] : [t('Text contains hidden characters: {0}', hidden.slice(0, 5).join(' '))];
  return [...remarks.map(plain), ...own];
}

function outputOf({ output, outputIsError }: Approval, t: Translate): CardOutput | undefined {
  if (output === undefined || output === '') return undefined;
  const left = output.length - outputLength;
  const parts = visibleText(output.slice(0, outputLength));
  if (left > 0) parts.push({ text: `\n${t('… {0} more characters', left)}` });
  return {
    text: t('Result'),
    label: t('Result'),
    ...(outputIsError && { chip: { text: t('error'), tone: 'danger' } }),
    parts,
  };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
