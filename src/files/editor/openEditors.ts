import * as vscode from 'vscode';
import type { FileAddress } from '#base/files.ts';
import { relativeTo } from '#policy/paths.ts';
import { ChangedSinceApproval } from '../changedSinceApproval.ts';
import { allTabs } from './tabs.ts';

/** Returns the files that editors of any kind hold, with or without a tab. */
export function openFiles(): readonly vscode.Uri[] {
  const documents = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
  return [...documents, ...vscode.workspace.notebookDocuments].map(({ uri }) => uri).concat(customEditors(() => true));
}

/** Returns the files with unsaved changes in an editor of any kind. */
export function unsavedFiles(): readonly vscode.Uri[] {
  return [...unsavedDocuments(), ...unsavedElsewhere()];
}

/** Returns the files with unsaved changes in a text document. */
export function unsavedDocuments(): readonly vscode.Uri[] {
  return vscode.workspace.textDocuments.filter(({ isDirty, isClosed }) => isDirty && !isClosed).map(({ uri }) => uri);
}

/** Returns the files with unsaved changes in a notebook or custom editor, which no text document shows. */
export function unsavedElsewhere(): readonly vscode.Uri[] {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  return [...notebooks, ...customEditors(({ isDirty }) => isDirty)];
}

function customEditors(isWanted: (tab: vscode.Tab) => boolean): vscode.Uri[] {
  return allTabs().flatMap((tab) => (tab.input instanceof vscode.TabInputCustom && isWanted(tab) ? tab.input.uri : []));
}

/** Returns true when a file is at an address or below it, by either of its paths. A text that was never saved may have a path too. */
export function isBelow({ scheme, fsPath }: vscode.Uri, address: FileAddress): boolean {
  if (scheme !== 'file' && scheme !== 'untitled') return false;
  return (relativeTo(address.realPath, fsPath) ?? relativeTo(address.fsPath, fsPath)) !== undefined;
}

/**
 * Checks that no editor holds unsaved changes of a file at an address or below it.
 * @throws ChangedSinceApproval when one does
 */
export function requireSaved(address: FileAddress): void {
  if (unsavedFiles().some((uri) => isBelow(uri, address)))
    throw new ChangedSinceApproval('an editor holds unsaved changes of it');
}

/** Closes the tabs of deleted files, as the editor does when it deletes files itself. The keyboard focus does not move. */
export async function closeTabs(address: FileAddress): Promise<void> {
  const tabs = allTabs().filter(
    ({ input, isDirty }) =>
      !isDirty &&
      (input instanceof vscode.TabInputText ||
        input instanceof vscode.TabInputCustom ||
        input instanceof vscode.TabInputNotebook) &&
      isBelow(input.uri, address),
  );
  // The user may have closed a tab meanwhile, which makes `close` fail.
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true).then(undefined, () => undefined);
}
