import * as vscode from 'vscode';
import type { Mode } from '#policy/rules.ts';

/** Returns the name of a mode. */
export function modeName(mode: Mode): string {
  const { t } = vscode.l10n;
  return {
    manual: t('Manual'),
    acceptEdits: t('Accept edits'),
    readOnly: t('Read-only'),
    unattended: t('Unattended'),
  }[mode];
}

/** Returns one line about what happens without asking in a mode. */
export function modeDetail(mode: Mode): string {
  const { t } = vscode.l10n;
  return {
    manual: t('Every change needs your approval, unless a rule of yours allows it.'),
    acceptEdits: t(
      'Edits inside the workspace are applied without asking; deletes and protected files still ask. For 4 hours.',
    ),
    readOnly: t('Assistants can read and search; every change is refused.'),
    unattended: t(
      'Edits, and deletes of committed files, are applied without asking; everything else that needs approval is refused. For 4 hours.',
    ),
  }[mode];
}

export function modeIcon(mode: Mode): string {
  return { manual: 'checklist', acceptEdits: 'edit', readOnly: 'eye', unattended: 'rocket' }[mode];
}
