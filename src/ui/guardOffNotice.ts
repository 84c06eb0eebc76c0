import * as vscode from 'vscode';

/** Returns the warning that stands wherever the guard is shown to be off. @param until milliseconds since the epoch */
export function guardOffText(until: number): string {
  const time = new Date(until).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
  return vscode.l10n.t('Own edits of assistants are not reviewed until {0}.', time);
}

/** Tells the user once that the guard was switched off. */
export async function showGuardOff(until: number): Promise<void> {
  const button = vscode.l10n.t('Guard Again');
  const picked = await vscode.window.showWarningMessage(guardOffText(until), button);
  if (picked === button) await vscode.commands.executeCommand('drawbridge.guardAgain');
}
