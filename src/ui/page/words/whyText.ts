import { plain } from '#base/visibleText.ts';
import type { PageApproval, ShownApproval } from '../messages.ts';
import type { DecisionStep } from '#policy/decision.ts';
import type { RuleReference } from '#policy/rules.ts';
import type { Disclosure, DrawnRule } from './view.ts';
import { modeName } from './modeText.ts';
import { scopeName } from './ruleText.ts';
import type { Translate } from './translate.ts';

/** What the policy said of a change, and what the assistant sent. */
export function whyAsked(page: PageApproval, t: Translate): Disclosure {
  const { judgement, action } = page.approval;
  const sentence = whySentence(judgement, action !== undefined, t);
  return { ...wayToDecision(judgement, t), sentence, details: detailsOf(page, t) };
}

/** Says in one sentence why the user was asked, with what they can do about it. */
function whySentence(
  { reason, rule, mode, onceOnly, explain }: ShownApproval['judgement'],
  isAction: boolean,
  t: Translate,
): string {
  if (rule?.scope === 'managed') return t('Your organisation wants you to be asked for this.');
  if (rule?.scope === 'repository')
    return t('A rule of this repository asks for this; you can see it in the Rules view.');
  if (rule) return t('Your rule {0} asks for this; you can change or remove it in the Rules view.', plain(rule.id));
  if (onceOnly) return t('This asks every time ({0}): no rule and no mode lets it happen without you.', plain(reason));
  if (explain.at(-1)?.step !== 'default') return t('You were asked because {0}.', plain(reason));
  return isAction
    ? t(
        'Every action asks in {0} mode. The menu beside the button keeps a rule, so that it does not ask again.',
        modeName(mode, t),
      )
    : t(
        'Every such change asks in {0} mode. The menu beside Approve keeps a rule for them, and another mode asks less.',
        modeName(mode, t),
      );
}

/** What the policy said of a change that happened without asking. */
export function whyNotAsked({ judgement }: ShownApproval, t: Translate): Disclosure | undefined {
  if (judgement.effect !== 'allow') return undefined;
  return { ...wayToDecision(judgement, t), text: t('Why was I not asked?'), details: [] };
}

/** Which rule or mode let something happen. */
export function appliedWithoutAsking({ judgement, state, action }: ShownApproval, t: Translate): string | undefined {
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
  // The usual reason is no news: it stands with the steps.
  const isUsual = explain.at(-1)?.step === 'default';
  return {
    text: isUsual ? t('Why was I asked?') : t('Why was I asked? {0}', plain(reason)),
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

function detailsOf({ approval, arguments: given }: PageApproval, t: Translate): Disclosure['details'] {
  const { credential, connectionId } = approval.principal;
  const caller = credential === 'window' ? t('this window’s secret') : t('token “{0}”', plain(credential));
  // The text is as the assistant sent it; the card shows what would change.
  const sent = given.text.split('\n').map(plain).join('\n');
  return [
    { term: t('Tool'), value: plain(approval.tool) },
    { term: t('Arguments'), value: given.left > 0 ? `${sent}\n${t('… {0} more characters', given.left)}` : sent },
    { term: t('Caller'), value: connectionId === undefined ? caller : `${caller}, ${plain(connectionId.slice(0, 8))}` },
    { term: t('Proposal'), value: approval.proposalHash.slice(0, 12) },
    { term: t('Asked'), value: { time: approval.requestedAt } },
    { term: t('Expires'), value: { time: approval.expiresAt } },
  ];
}
