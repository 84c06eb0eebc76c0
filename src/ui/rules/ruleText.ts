import * as vscode from 'vscode';
import { plain } from '#base/visibleText.ts';
import type { NewRule, RuleClass, RuleEffect, RuleScope } from '#policy/rules.ts';

const mostNamed = 3;

/** A rule as a sentence, such as "Allow edits of src/**\/*.ts". Everything that was written by others is plain text. */
export function ruleSentence(rule: NewRule): string {
  return [effectText(rule.effect, subjectText(rule)), limitsText(rule), clientText(rule)].filter(Boolean).join(', ');
}

/** Returns the scope of a rule as users read it. */
export function scopeText(scope: RuleScope): string {
  const { t } = vscode.l10n;
  return {
    session: t('this session'),
    workspace: t('this workspace'),
    user: t('always'),
    repository: t('this repository'),
    managed: t('your organization'),
  }[scope];
}

function effectText(effect: RuleEffect, subject: string): string {
  const { t } = vscode.l10n;
  return { allow: t('Allow {0}', subject), ask: t('Ask before {0}', subject), deny: t('Deny {0}', subject) }[effect];
}

function subjectText({ class: ruleClass, tools, paths, action }: NewRule): string {
  const what = ruleClass === undefined ? undefined : classText(ruleClass);
  const by = tools === undefined ? undefined : tools.map(plain).join(', ');
  const call =
    what === undefined
      ? (by ?? vscode.l10n.t('everything'))
      : by === undefined
        ? what
        : vscode.l10n.t('{0} by {1}', what, by);
  if (action !== undefined) return vscode.l10n.t('{0}: {1}', call, plain(action));
  if (paths === undefined) return call;
  const included = paths.filter((path) => !path.startsWith('!'));
  const excluded = paths.filter((path) => path.startsWith('!')).map((path) => path.slice(1));
  const of = included.length === 0 ? call : vscode.l10n.t('{0} of {1}', call, listed(included));
  return excluded.length === 0 ? of : vscode.l10n.t('{0} except {1}', of, listed(excluded));
}

function classText(ruleClass: RuleClass): string {
  const { t } = vscode.l10n;
  return {
    read: t('reads'),
    edit: t('edits'),
    delete: t('deletes'),
    execute: t('running commands'),
    network: t('network access'),
    config: t('changes of protected files'),
    ui: t('showing things in the editor'),
  }[ruleClass];
}

function limitsText({ limits }: NewRule): string | undefined {
  const { maxFiles, maxChangedLines } = limits ?? {};
  const parts = [
    maxFiles === undefined ? [] : maxFiles === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', maxFiles),
    maxChangedLines === undefined ? [] : vscode.l10n.t('{0} changed lines', maxChangedLines),
  ].flat();
  return parts.length === 0 ? undefined : vscode.l10n.t('up to {0}', parts.join(', '));
}

function clientText({ client }: NewRule): string | undefined {
  return client === undefined || client === 'any' ? undefined : vscode.l10n.t('for the token {0}', plain(client));
}

function listed(paths: readonly string[]): string {
  const named = paths.slice(0, mostNamed).map(plain).join(', ');
  const rest = paths.length - mostNamed;
  return rest > 0 ? vscode.l10n.t('{0} and {1} more', named, rest) : named;
}
