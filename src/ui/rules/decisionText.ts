import * as vscode from 'vscode';
import type { Decision } from '#policy/decide.ts';
import type { DecisionStep } from '#policy/decision.ts';
import type { Mode } from '#policy/rules.ts';
import { modeName } from './modeText.ts';

/** Returns what a decision means for the user. */
export function effectText(effect: Decision['effect']): string {
  const { t } = vscode.l10n;
  return { allow: t('happens without asking'), ask: t('asks you'), deny: t('is refused') }[effect];
}

export function effectIcon(effect: Decision['effect']): string {
  return { allow: 'pass', ask: 'question', deny: 'circle-slash' }[effect];
}

/** Returns the name of a step of a decision; unknown steps keep their id. */
export function stepName({ step }: Pick<DecisionStep, 'step'>, mode: Mode): string {
  const names: Readonly<Record<string, string>> = {
    hard_deny: vscode.l10n.t('Never allowed, or outside the workspace'),
    managed_deny: vscode.l10n.t('Deny rules of your organization'),
    deny_rule: vscode.l10n.t('Deny rules'),
    trust: vscode.l10n.t('Workspace trust'),
    mode: vscode.l10n.t('Mode {0}', modeName(mode)),
    secret: vscode.l10n.t('Secret files'),
    managed_ask: vscode.l10n.t('Ask rules of your organization'),
    once_only: vscode.l10n.t('Must be approved each time'),
    ask_rule: vscode.l10n.t('Ask rules'),
    allow_rule: vscode.l10n.t('Allow rules'),
    limit: vscode.l10n.t('Limits'),
    default: vscode.l10n.t('Default of the mode {0}', modeName(mode)),
    unattended: vscode.l10n.t('The mode Unattended refuses what needs your approval'),
  };
  return names[step] ?? step;
}
