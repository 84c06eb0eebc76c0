import { plain } from '#base/visibleText.ts';
import type { NewRule, RuleClass, RuleEffect, RuleScope } from '#policy/rules.ts';
import type { Translate } from './translate.ts';

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
  if (command !== undefined) return t('the command {0}', plain(commandText(command)));
  const kind = ruleClass === undefined ? t('calls') : classNames(t)[ruleClass];
  const by = tools === undefined ? kind : t('{0} by {1}', kind, list(tools));
  if (action !== undefined) return t('{0}: {1}', by, plain(action));
  return paths === undefined ? t('{0} of every file', by) : t('{0} of {1}', by, list(paths));
}

/** Returns the words of a command; words that would not be read as one are quoted. */
function commandText(words: readonly string[]): string {
  return words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
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

function list(names: readonly string[]): string {
  return names.map(plain).join(', ');
}
