import * as vscode from 'vscode';
import type { CallSummary } from '#audit/recentCalls.ts';
import { choiceText } from '#base/untrustedText.ts';
import { wordsOf } from './callText.ts';

/** Shows step by step why a call was asked about, refused or let through, and leads to the rule that decided. */
export async function explainCall(call: CallSummary): Promise<void> {
  const { t } = vscode.l10n;
  const { decision } = call;
  if (decision === undefined) {
    void vscode.window.showInformationMessage(t('The record of this call does not say how it was decided.'));
    return;
  }
  const { effect, reason, explain = [], ruleId, scope, mode } = decision;
  const titles: Record<typeof effect, string> = {
    ask: t('Why Was I Asked?'),
    deny: t('Why Was It Refused?'),
    allow: t('Why Was I Not Asked?'),
  };
  const items: (vscode.QuickPickItem & { ruleId?: string })[] = [
    { label: choiceText(reason), ...(mode !== undefined && { description: t('mode {0}', mode) }) },
  ];
  if (ruleId !== undefined) {
    const label = `$(law) ${t('Show rule {0}', choiceText(ruleId))}`;
    items.push({ label, ruleId, ...(scope !== undefined && { description: choiceText(scope) }) });
  }
  if (explain.length > 0) {
    items.push({ label: t('Checked in this order'), kind: vscode.QuickPickItemKind.Separator });
    items.push(...explain.map((step, index) => ({ label: `${index + 1}. ${choiceText(step)}` })));
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: `${titles[effect]} ${wordsOf(call).todo}`,
    placeHolder: t('The last step decided'),
  });
  if (picked?.ruleId !== undefined) await vscode.commands.executeCommand('drawbridge.showRule', picked.ruleId);
}
