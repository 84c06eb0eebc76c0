import * as vscode from 'vscode';

const variable = 'DRAWBRIDGE_WINDOW';

/**
 * Lets assistants in this window's terminals know which window they are in: its id, which proves nothing and is no secret
 * (threat row H13).
 * @param isLasting whether the window is the same after a reload, so that terminals restored then may know it at once
 */
export function nameWindowInTerminals(
  collection: vscode.EnvironmentVariableCollection,
  windowId: string,
  isLasting: boolean,
): void {
  collection.persistent = isLasting;
  collection.description = vscode.l10n.t('Tells assistants that run in a terminal which window it belongs to.');
  // The editor marks open terminals as outdated when a variable is set, even to what it was.
  if (collection.get(variable)?.value !== windowId) collection.replace(variable, windowId);
}
