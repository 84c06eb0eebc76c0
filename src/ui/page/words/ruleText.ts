import { plain } from '#base/visibleText.ts';
import { everyFile, type NewRule, type RuleClass, type RuleEffect, type RuleScope } from '#policy/rules.ts';
import { commandText, listed } from '#policy/ruleWords.ts';
import type { RuleScope as OfferedScope } from '../fromPage.ts';
import type { KeptRule, PageApproval, RulePreview } from '../messages.ts';
import { clientName } from './clientText.ts';
import type { Translate } from './translate.ts';
import type { Button, DrawnRule, RuleMenu } from './view.ts';

/** The words of the rule that a user chose, before it is made. */
export interface RulePreviewText {
  readonly label: string;
  readonly sentence: string;
  readonly reach: string;
  readonly matches: string;
  readonly json: { readonly text: string; readonly value: string };
  readonly save: Button;
  readonly cancel: Button;
}

/** Returns the menu of the rules that approving can be made of, by scope; undefined when there are none. */
export function ruleMenu({ rules, approval: { client } }: PageApproval, t: Translate): RuleMenu | undefined {
  if (rules === undefined || rules.offers.length === 0) return undefined;
  const labels: Record<OfferedScope, string> = {
    turn: t('For the rest of this turn'),
    session: t('For this session'),
    workspace: t('In this workspace'),
    user: t('Always, in every workspace'),
  };
  const wide = rules.offers.find(({ isWide }) => isWide);
  const offers = rules.offers.filter((offer) => offer !== wide);
  return {
    label: t('Do not ask again for…'),
    ...(wide && {
      wide: {
        text: t('Accept edits of {0} for this session', clientName(client, t)),
        note: t('Deletes, moves, protected and secret files still ask.'),
        suggestion: wide.suggestion,
      },
    }),
    groups: (offers.length === 0 ? [] : rules.scopes).map((scope) => ({
      label: labels[scope],
      items: offers.map(({ covers, suggestion }) => ({ text: plain(covers), suggestion, scope })),
    })),
  };
}

/** Returns the words of a rule that is previewed. The rule is shown exactly as it would be kept. */
export function rulePreviewText(
  { rule, scope, matched }: RulePreview,
  { approval: { client, action, risk } }: PageApproval,
  t: Translate,
): RulePreviewText {
  const reaches: Record<OfferedScope, string> = {
    turn: t('For {0} until it works on your next prompt, 4 hours at most.', clientName(client, t)),
    session: t('For {0} until it disconnects, 4 hours at most.', clientName(client, t)),
    workspace: t('In this workspace, for every assistant, until you remove it.'),
    user: t('In every workspace, for every assistant, until you remove it.'),
  };
  const sentence = plain(ruleSentence(rule, t));
  const isRun = action !== undefined && risk === 'execute';
  return {
    label: t('Rule to be saved'),
    sentence,
    reach: reaches[scope],
    matches:
      rule.command !== undefined
        ? t("It matches this command in assistants' own shells, in every folder.")
        : rule.action === undefined
          ? t('It would have matched {0} of the last {1} calls.', matched.calls, matched.of)
          : t('It matches only this action, with exactly these arguments.'),
    json: { text: t('As JSON'), value: JSON.stringify(rule, undefined, 2).split('\n').map(plain).join('\n') },
    // The rule presses the button of the card, too.
    save: isRun
      ? { text: t('Save rule and run'), label: t('Save rule and run: {0}', sentence) }
      : { text: t('Save rule and approve'), label: t('Save rule and approve: {0}', sentence) },
    cancel: { text: t('Cancel'), label: t('Cancel: save no rule') },
  };
}

/** Returns the words of a rule that was made with a card, or removed again. */
export function savedRuleText({ rule, kept }: KeptRule, t: Translate): DrawnRule {
  const sentence = plain(ruleSentence(rule, t));
  return kept
    ? {
        text: t('Rule saved: {0}', sentence),
        show: { text: t('Show'), label: t('Show rule: {0}', sentence) },
        remove: { text: t('Remove'), label: t('Remove rule: {0}', sentence) },
      }
    : {
        text: t('Rule removed: {0}', sentence),
        restore: { text: t('Restore'), label: t('Restore rule: {0}', sentence) },
      };
}

/** A rule as a sentence, such as "Allow edits of src/*.ts, 5 files at most". */
export function ruleSentence(rule: NewRule, t: Translate): string {
  const effects: Record<RuleEffect, string> = { allow: t('Allow'), ask: t('Ask for'), deny: t('Deny') };
  const what = [subjectOf(rule, t), ...restrictionsOf(rule, t)].join(', ');
  return `${effects[rule.effect]} ${what}`;
}

/** What the scope of a rule is called, such as "this workspace". */
export function scopeName(scope: RuleScope, t: Translate): string {
  const names: Record<RuleScope, string> = {
    session: t('this session'),
    workspace: t('this workspace'),
    user: t('always'),
    repository: t('this repository'),
    managed: t('your organization'),
  };
  return names[scope];
}

function subjectOf({ class: ruleClass, tools, paths, action, command }: NewRule, t: Translate): string {
  if (command !== undefined) return t('the command {0}', commandText(command));
  const kind = ruleClass === undefined ? t('calls') : classNames(t)[ruleClass];
  const by = tools === undefined ? kind : t('{0} by {1}', kind, listed(tools));
  if (action !== undefined) return t('{0}: {1}', by, plain(action));
  const isEvery = paths === undefined || (paths.length === 1 && paths[0] === everyFile);
  return isEvery ? t('{0} of every file', by) : t('{0} of {1}', by, listed(paths));
}

function restrictionsOf({ limits, client, expires }: NewRule, t: Translate): string[] {
  const found: string[] = [];
  if (limits?.maxFiles !== undefined) found.push(t('{0} files at most', limits.maxFiles));
  if (limits?.maxChangedLines !== undefined) found.push(t('{0} changed lines at most', limits.maxChangedLines));
  if (client !== undefined && client !== 'any') found.push(t('for the token “{0}”', plain(client)));
  if (expires !== undefined) found.push(t('until {0}', plain(expires)));
  return found;
}

function classNames(t: Translate): Record<RuleClass, string> {
  return {
    read: t('reads'),
    edit: t('edits'),
    delete: t('deletes and moves'),
    execute: t('runs'),
    network: t('network calls'),
    config: t('changes of protected files'),
    ui: t('calls that show something'),
  };
}
