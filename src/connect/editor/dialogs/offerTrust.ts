import * as vscode from 'vscode';
import type { Assistant } from '../../assistant.ts';
import { shortPath } from '../../machinePaths.ts';
import type { Configurations } from '../../seenAssistants.ts';

/** Says that an assistant does not run our hooks before the user trusts them, and offers to trust them. Says nothing after that. */
export async function offerTrust(assistant: Assistant, configurations: Configurations): Promise<void> {
  const { t } = vscode.l10n;
  const { name } = assistant;
  const trust = await configurations.readHookTrust(assistant);
  if (trust === undefined || trust === 'trusted') return;
  const text = t('{0} runs no hook that you have not trusted, so its own edits are not reviewed yet.', name);
  const byHand = t('Run /hooks in {0} and trust the hook of Drawbridge.', name);
  if (trust === 'unknown' || trust === 'absent') {
    void vscode.window.showWarningMessage(`${text} ${byHand}`);
    return;
  }
  const file = shortPath(assistant.configurationFile(configurations.machine) ?? '', configurations.machine.home);
  const what = t('The button writes the hash of the hook into {0}, as /hooks in {1} does.', file, name);
  const button = t("Trust Drawbridge's Hook");
  if ((await vscode.window.showWarningMessage(`${text} ${what}`, button)) !== button) return;
  if ((await configurations.trustHooks(assistant)) === 'trusted') {
    vscode.window.setStatusBarMessage(t('{0} trusts the hook of Drawbridge.', name), 5000);
  } else {
    void vscode.window.showErrorMessage(`${t('{0} does not trust the hook of Drawbridge.', name)} ${byHand}`);
  }
}
