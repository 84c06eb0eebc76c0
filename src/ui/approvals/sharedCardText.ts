import * as z from 'zod';
import { isNativeTool, nativeEditTool } from '#base/nativeEdit.ts';
import { plain, visibleText, shortened } from '#base/visibleText.ts';
import type { Approval } from '#changes/approval.ts';
import type { Card, DrawnRule, Part, RuleMenu } from '#ui/page/messages.ts';
import type { ShownRows } from './cardRows.ts';
import { countsOf } from './changeText.ts';
import { whoAsks } from './clientText.ts';
import type { FileChanges } from './fileText.ts';
import { finishedPhrase } from './finishedText.ts';
import type { Translate } from './translate.ts';
import { appliedWithoutAsking, whyAsked, whyNotAsked } from './whyText.ts';

/** The rows that a card shows now. */
export interface Drawing {
  /** A drawing with another number has other rows. */
  readonly number: number;
  /** The changed lines. */
  readonly files: readonly FileChanges[];
  /** The rows of an action's arguments. */
  readonly arguments?: ShownRows;
}

export interface CardContext {
  readonly t: Translate;
  /** The name of the workspace in the title of the window. */
  readonly windowName: string | undefined;
  /** Sentences of the view itself, such as why an undo did not work. */
  readonly notes: readonly string[];
  /** The approval that took the place of this one is known. */
  readonly hasSuccessor: boolean;
  /** The rules that can be made with an approval; absent when there are none. */
  readonly rules?: RuleMenu | undefined;
  /** The rule that was made with this card. */
  readonly savedRule?: DrawnRule | undefined;
  /** Names of running tasks that may act on the change at once. */
  readonly watchingTasks: readonly string[];
}

const quotedLength = 300;

/** Returns the parts that every waiting card has. */
export function waitingParts(
  approval: Approval,
  drawing: Drawing | undefined,
  context: CardContext,
): Omit<Card, 'tone' | 'headline' | 'warnings'> {
  const { t } = context;
  const { reason, mustReachEnd } = approval;
  return {
    ...sharedParts(approval, context),
    drawing: drawing?.number ?? 0,
    phase: approval.state === 'waiting' ? 'waiting' : 'applying',
    chips: [],
    files: [],
    ...(reason ? { reason: { label: t('The assistant says:'), parts: quoted(reason) } } : {}),
    why: whyAsked(approval, t),
    notes: waitingNotes(approval, drawing !== undefined, context),
    ...(mustReachEnd ? { endHint: endHint(approval, t) } : {}),
  };
}

/** Returns the parts that every finished card has. The notes are those about the policy; others follow them. */
export function finishedParts(
  approval: Approval,
  context: CardContext,
): Omit<Card, 'headline'> & { readonly files: []; readonly warnings: [] } {
  const { t, savedRule } = context;
  const shared = sharedParts(approval, context);
  const unasked = appliedWithoutAsking(approval, t);
  const why = whyNotAsked(approval, t);
  return {
    ...shared,
    drawing: 0,
    phase: 'finished',
    tone: 'done',
    chips: [],
    who: { ...shared.who, time: approval.decidedAt ?? approval.requestedAt, rest: [finishedPhrase(approval, t)] },
    files: [],
    warnings: [],
    notes: unasked === undefined ? [] : [unasked],
    ...(why && { why }),
    ...(savedRule && { savedRule }),
  };
}

/** Why nothing can be approved before the end was on screen. */
export function endHint({ action }: Pick<Approval, 'action'>, t: Translate): string {
  return action === undefined
    ? t('Scroll to the end of the change to approve it.')
    : t('Scroll to the end of the arguments to allow this.');
}

function sharedParts(
  approval: Approval,
  { t, windowName }: CardContext,
): Pick<Card, 'id' | 'proposalHash' | 'counts' | 'who'> {
  const { id, proposalHash, files, client, requestedAt, turn } = approval;
  return {
    id,
    proposalHash,
    counts: countsOf(files, t),
    who: whoAsks({ client, time: requestedAt, windowName, ownTool: ownToolOf(approval), edit: turn?.edit }, t),
  };
}

const nativeArguments = z.object({ tool: z.string() });

/** Returns the name of the assistant's own tool when the change is a call of it. */
function ownToolOf({ tool, arguments: given }: Approval): string | undefined {
  return isNativeTool(tool) ? nativeArguments.safeParse(given).data?.tool : undefined;
}

/** Words of the assistant on one line, 300 characters at most. */
export function quoted(words: string): Part[] {
  return visibleText(shortened(words.replaceAll(/[\t\n\r ]+/g, ' ').trim(), quotedLength));
}

function waitingNotes(approval: Approval, isShown: boolean, { t, notes }: CardContext): string[] {
  const own: string[] = [];
  if (approval.state === 'applying') own.push(approval.action ? t('Running…') : t('Applying…'));
  if (!isShown) own.push(t('The change cannot be shown, so it cannot be approved.'));
  if (approval.tool === nativeEditTool && approval.files.some(({ unsaved }) => unsaved)) {
    own.push(
      t(
        'The file has unsaved changes of yours. When you approve, they are saved first, and the edit is made after that.',
      ),
    );
  }
  const { unusedRule } = approval.judgement;
  if (unusedRule !== undefined) {
    own.push(
      t(
        "Your rule {0} would allow this edit if an assistant made it with a tool of Drawbridge. The menu beside Approve offers the same rule for assistants' own tools.",
        unusedRule.id,
      ),
    );
  }
  if (approval.callReturned) own.push(t('The assistant no longer waits for the answer. Your decision still counts.'));
  if (approval.note !== undefined) own.push(plain(approval.note));
  return [...own, ...notes];
}
