import * as vscode from 'vscode';

/** Returns the warning that every view shows while the guard is off. @param until milliseconds since the epoch */
export function guardOffText(until: number): string {
  const time = new Date(until).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
  return vscode.l10n.t(
    'The guard is off: edits that assistants make with their own tools are not reviewed until {0}.',
    time,
  );
}

/** Tells the user once that the guard was switched off. */
export async function showGuardOff(until: number): Promise<void> {
  const button = vscode.l10n.t('Switch Guard On');
  const picked = await vscode.window.showWarningMessage(guardOffText(until), button);
  if (picked === button) await vscode.commands.executeCommand('drawbridge.guardAgain');
}
