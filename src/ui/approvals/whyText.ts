import { plain } from '#base/visibleText.ts';
import type { Approval } from '#changes/approval.ts';
import type { DecisionStep } from '#policy/decision.ts';
import type { RuleReference } from '#policy/rules.ts';
import type { Disclosure, DrawnRule } from '#ui/page/messages.ts';
import { modeName } from './modeBannerText.ts';
import { scopeName } from './ruleText.ts';
import type { Translate } from './translate.ts';

/** Characters of raw arguments in the details of a card. */
const shownArguments = 4000;

/** What the policy said of a change, and what the assistant sent. */
export function whyAsked(approval: Approval, t: Translate): Disclosure {
  return { ...wayToDecision(approval.judgement, t), details: detailsOf(approval, t) };
}

/** What the policy said of a change that happened without asking. */
export function whyNotAsked({ judgement }: Approval, t: Translate): Disclosure | undefined {
  if (judgement.effect !== 'allow') return undefined;
  return { ...wayToDecision(judgement, t), text: t('Why was I not asked?'), details: [] };
}

/** Which rule or mode let something happen. */
export function appliedWithoutAsking({ judgement, state, action }: Approval, t: Translate): string | undefined {
  const { effect, rule, mode, reason } = judgement;
  if (effect !== 'allow') return undefined;
  const by = rule ? plain(reason) : t('mode {0}', modeName(mode, t));
  if (state !== 'applied' && state !== 'undone') return t('Not asked: {0}', by);
  return action === undefined ? t('Applied without asking: {0}', by) : t('Done without asking: {0}', by);
}

/** A decision as a summary, with the rule that made it and the steps before. */
export function wayToDecision(
  {
    reason,
    rule,
    explain,
  }: { readonly reason: string; readonly rule?: RuleReference; readonly explain: readonly DecisionStep[] },
  t: Translate,
): Omit<Disclosure, 'details'> {
  return {
    text: t('Why was I asked? {0}', plain(reason)),
    ...(rule && { rule: drawnReference(rule, t) }),
    ...(explain.length > 0 && { steps: { label: t('Steps of the decision'), items: explain.map(stepText) } }),
  };
}

function drawnReference({ id, scope }: RuleReference, t: Translate): DrawnRule {
  const text = t('Rule {0} ({1})', plain(id), scopeName(scope, t));
  return { text, show: { text: t('Show Rule'), label: t('Show rule {0}', plain(id)) } };
}

function stepText({ step, detail }: DecisionStep): string {
  return `${step.replaceAll('_', ' ')}: ${plain(detail)}`;
}

function detailsOf(approval: Approval, t: Translate): Disclosure['details'] {
  const { credential, connectionId } = approval.principal;
  const caller = credential === 'window' ? t('this window’s secret') : t('token “{0}”', plain(credential));
  return [
    { term: t('Tool'), value: plain(approval.tool) },
    { term: t('Arguments'), value: argumentsText(approval.arguments, t) },
    { term: t('Caller'), value: connectionId === undefined ? caller : `${caller}, ${plain(connectionId.slice(0, 8))}` },
    { term: t('Proposal'), value: { proposalHash: true } },
    { term: t('Asked'), value: { time: approval.requestedAt } },
    { term: t('Expires without a change'), value: { time: approval.expiresAt } },
  ];
}

/** As sent, for who wants to know; what would change is in the card above. */
function argumentsText(value: unknown, t: Translate): string {
  const text = (JSON.stringify(value, undefined, 2) ?? '').split('\n').map(plain).join('\n');
  if (text.length <= shownArguments) return text;
  return `${text.slice(0, shownArguments)}\n${t('… {0} more characters', text.length - shownArguments)}`;
}
