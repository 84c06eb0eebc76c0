import * as vscode from 'vscode';

const variable = 'DRAWBRIDGE_WINDOW';

/**
 * Sets the window's id as an environment variable of its terminals, so that assistants there know their window. The id grants
 * nothing and is not secret (threat row H13).
 * @param isLasting tells whether the window keeps its id after a reload, so that restored terminals may get the id at once
 */
export function nameWindowInTerminals(
  collection: vscode.EnvironmentVariableCollection,
  windowId: string,
  isLasting: boolean,
): void {
  collection.persistent = isLasting;
  collection.description = vscode.l10n.t('Tells assistants that run in a terminal which window it belongs to.');
  // The editor marks open terminals as outdated when a variable is set, even to the same value.
  if (collection.get(variable)?.value !== windowId) collection.replace(variable, windowId);
}
