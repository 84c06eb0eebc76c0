import * as vscode from 'vscode';
import { plain } from '#base/visibleText.ts';
import type { RuleFinding } from '#policy/lint.ts';
import type { RuleUse, ScopedRule } from '#policy/rules.ts';
import { ruleSentence, scopeText } from './ruleText.ts';

export interface RuleFacts {
  readonly use: RuleUse;
  readonly findings: readonly RuleFinding[];
  /** The name that the assistant of a session rule reports. */
  readonly client: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the id of the row of a rule. */
export function ruleItemId({ scope, rule, folder }: ScopedRule): string {
  return ['rule', scope, rule.id, ...(scope === 'repository' ? [folder ?? ''] : [])].join(' ');
}

/** Returns a rule as a row of the Rules view. */
export function ruleItem(scoped: ScopedRule, facts: RuleFacts): vscode.TreeItem {
  const { rule, scope } = scoped;
  const problems = problemsOf(scoped, facts);
  const item = new vscode.TreeItem(ruleSentence(rule));
  const notes = [
    ...(problems.isExpired ? [vscode.l10n.t('expired')] : []),
    ...(facts.client === undefined ? [] : [plain(facts.client)]),
    originText(scoped),
    useText(facts),
  ];
  item.id = ruleItemId(scoped);
  item.description = notes.filter(Boolean).join(' · ');
  item.iconPath = iconOf(scoped, problems.severity);
  item.tooltip = [
    ruleSentence(rule),
    ...problems.messages,
    vscode.l10n.t('Scope: {0}', scopeText(scope)),
    vscode.l10n.t('ID: {0}', plain(rule.id)),
    ...(rule.expires === undefined ? [] : [vscode.l10n.t('Expires: {0}', new Date(rule.expires).toLocaleString())]),
    ...(rule.note === undefined ? [] : [plain(rule.note)]),
  ].join('\n');
  item.contextValue = contextOf(scoped, problems.isExpired);
  item.accessibilityInformation = {
    label: [ruleSentence(rule), ...problems.messages, ...notes].filter(Boolean).join(', '),
  };
  return item;
}

interface Problems {
  readonly messages: readonly string[];
  readonly severity: 'error' | 'warning' | undefined;
  readonly isExpired: boolean;
}

function problemsOf({ rule, invalid }: ScopedRule, { findings, now }: RuleFacts): Problems {
  const isError = invalid !== undefined || findings.some(({ severity }) => severity === 'error');
  const isExpired = rule.expires !== undefined && Date.parse(rule.expires) <= now;
  return {
    messages: findings.map(({ message }) => plain(message)),
    severity: isError ? 'error' : isExpired || findings.length > 0 ? 'warning' : undefined,
    isExpired,
  };
}

function iconOf({ rule: { effect } }: ScopedRule, severity: Problems['severity']): vscode.ThemeIcon {
  if (severity === 'error') return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  if (severity === 'warning') return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  if (effect === 'allow') return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
  if (effect === 'deny') return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('testing.iconFailed'));
  return new vscode.ThemeIcon('question');
}

function originText({ rule: { origin } }: ScopedRule): string {
  if (origin === undefined) return '';
  const day = new Date(origin.at).toLocaleDateString();
  const { t } = vscode.l10n;
  return {
    card: t('created on a card, {0}', day),
    editor: t('created here, {0}', day),
    file: t('written by hand, {0}', day),
  }[origin.how];
}

function useText({ use: { hits, last } }: RuleFacts): string {
  if (hits === 0) return vscode.l10n.t('never used');
  const when = last === undefined ? '' : new Date(last).toLocaleString();
  return hits === 1 ? vscode.l10n.t('used once, {0}', when) : vscode.l10n.t('used {0} times, last {1}', hits, when);
}

/** Returns the context value that menus test. */
function contextOf({ scope }: ScopedRule, isExpired: boolean): string {
  const isOwn = scope === 'user' || scope === 'workspace';
  return [
    'rule',
    ...(isOwn || scope === 'session' ? ['removable'] : []),
    ...(isOwn ? ['editable'] : []),
    ...(scope === 'repository' || scope === 'managed' ? ['inFile'] : []),
    ...(isExpired && isOwn ? ['expired'] : []),
  ].join(' ');
}
