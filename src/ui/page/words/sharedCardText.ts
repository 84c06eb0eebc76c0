import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain, shortened, visibleText, type TextPart } from '#base/visibleText.ts';
import { isVeryLarge } from '#changes/veryLarge.ts';
import type { PageApproval, ShownApproval } from '../messages.ts';
import { countsOf } from './changeText.ts';
import { clientName, whoAsks } from './clientText.ts';
import { finishedPhrase } from './finishedText.ts';
import { savedRuleText } from './ruleText.ts';
import { timeMark, withTime } from './timedText.ts';
import type { Translate } from './translate.ts';
import type { Card } from './view.ts';
import { appliedWithoutAsking, whyAsked, whyNotAsked } from './whyText.ts';

/** Where a card is drawn. */
export interface CardContext {
  readonly t: Translate;
  readonly place: 'sideBar' | 'tab';
}

/** Characters of the name of a request in the action bar. */
const ownerLength = 80;
const quotedLength = 300;

/** Returns the parts that every waiting card has. @param headline of the card */
export function waitingParts(
  page: PageApproval,
  headline: string,
  context: CardContext,
): Omit<Card, 'tone' | 'warnings'> {
  const { t } = context;
  const { approval, drawing, isElsewhere } = page;
  const { reason, mustReachEnd, files } = approval;
  const isWaiting = approval.state === 'waiting';
  return {
    ...sharedParts(page, headline, t),
    drawing: drawing?.number ?? 0,
    phase: isWaiting ? 'waiting' : 'applying',
    chips: [],
    files: [],
    ...(reason ? { reason: { label: t('The assistant says:'), parts: quoted(reason) } } : {}),
    why: whyAsked(page, t),
    notes: waitingNotes(page, t),
    ...(isWaiting && waitsText(approval, t)),
    ...((mustReachEnd || isVeryLarge(files)) && isWaiting && !isElsewhere ? { endHint: endHint(approval, t) } : {}),
    ...(isWaiting && isElsewhere && { elsewhere: elsewhereText(headline, context) }),
  };
}

/** Returns the parts that every finished card has. The notes are those about the policy; others follow them. */
export function finishedParts(
  page: PageApproval,
  headline: string,
  { t }: CardContext,
): Card & { readonly files: []; readonly warnings: [] } {
  const { approval, savedRule, notes } = page;
  const shared = sharedParts(page, headline, t);
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
    notes: [...(unasked === undefined ? [] : [unasked]), ...notes],
    ...(why && { why }),
    ...(savedRule && { savedRule: savedRuleText(savedRule, t) }),
    ...(approval.unheard && { unheard: unheardText(clientName(approval.client, t), headline, t) }),
  };
}

/** Says that the assistant does not know yet, and what can be done about it. */
function unheardText(client: string, headline: string, t: Translate): NonNullable<Card['unheard']> {
  return {
    text: t('{0} has not heard of this yet.', client),
    copy: { text: t('Copy Message'), label: t('Copy what to tell {0}: {1}', client, headline) },
  };
}

/** Says which page decides, and leads there. */
export function elsewhereText(headline: string, { t, place }: CardContext): NonNullable<Card['elsewhere']> {
  return place === 'tab'
    ? {
        text: t('This request is decided in another page of Drawbridge.'),
        show: { text: t('Review here'), label: t('Review here: {0}', headline) },
      }
    : {
        text: t('In review in a tab. The tab decides.'),
        show: { text: t('Show the tab'), label: t('Show the tab that reviews: {0}', headline) },
      };
}

/** Why nothing can be approved before the end was on screen. */
export function endHint({ action }: { readonly action?: unknown }, t: Translate): string {
  return action === undefined
    ? t('Scroll to the end of the change to approve it.')
    : t('Scroll to the end of the arguments to allow this.');
}

function sharedParts(
  { approval, ownTool }: PageApproval,
  headline: string,
  t: Translate,
): Pick<Card, 'id' | 'proposalHash' | 'counts' | 'who' | 'headline' | 'owner'> {
  const { id, proposalHash, files, client, requestedAt, turn } = approval;
  return {
    id,
    proposalHash,
    headline,
    owner: ownerText(clientName(client, t), headline, t),
    counts: countsOf(files, t),
    who: whoAsks({ client, time: requestedAt, ownTool, edit: turn?.edit }, t),
  };
}

/** Returns the name of a request in the action bar, such as "Claude Code: Edit cart.ts". */
export function ownerText(client: string, headline: string, t: Translate): string {
  return shortened(headline.includes(client) ? headline : t('{0}: {1}', client, headline), ownerLength);
}

/** Words of the assistant on one line, 300 characters at most. */
export function quoted(words: string): TextPart[] {
  return visibleText(shortened(words.replaceAll(/[\t\n\r ]+/g, ' ').trim(), quotedLength));
}

/** Returns nothing once the assistant has stopped waiting, because a note tells that. */
function waitsText({ client, callReturned, waitsUntil }: ShownApproval, t: Translate): Pick<Card, 'waits'> {
  if (callReturned || waitsUntil === undefined) return {};
  return { waits: withTime(t('{0} waits for the answer until {1}.', clientName(client, t), timeMark), waitsUntil) };
}

function waitingNotes({ approval, drawing, notes }: PageApproval, t: Translate): string[] {
  const own: string[] = [];
  if (approval.state === 'applying') own.push(approval.action ? t('Running…') : t('Applying…'));
  if (drawing === undefined) own.push(t('The change cannot be shown, so it cannot be approved.'));
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
