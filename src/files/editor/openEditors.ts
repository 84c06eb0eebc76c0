import * as vscode from 'vscode';
import type { FileAddress } from '#base/files.ts';
import { relativeTo } from '#policy/paths.ts';
import { ChangedSinceApproval } from '../changedSinceApproval.ts';
import { allTabs } from './tabs.ts';

/** Files that editors of any kind hold, with a tab or without. */
export function openFiles(): readonly vscode.Uri[] {
  const documents = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed);
  return [...documents, ...vscode.workspace.notebookDocuments].map(({ uri }) => uri).concat(customEditors(() => true));
}

/** Files of which an editor of any kind holds unsaved changes. */
export function unsavedFiles(): readonly vscode.Uri[] {
  return [...unsavedDocuments(), ...unsavedElsewhere()];
}

export function unsavedDocuments(): readonly vscode.Uri[] {
  return vscode.workspace.textDocuments.filter(({ isDirty, isClosed }) => isDirty && !isClosed).map(({ uri }) => uri);
}

/** Of notebooks and custom editors, whose changes are in no text document. */
export function unsavedElsewhere(): readonly vscode.Uri[] {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  return [...notebooks, ...customEditors(({ isDirty }) => isDirty)];
}

function customEditors(isWanted: (tab: vscode.Tab) => boolean): vscode.Uri[] {
  return allTabs().flatMap((tab) => (tab.input instanceof vscode.TabInputCustom && isWanted(tab) ? tab.input.uri : []));
}

/** Whether a file is at a place or below it, by either of its names. Text that was never saved may have a path, too. */
export function isBelow({ scheme, fsPath }: vscode.Uri, place: FileAddress): boolean {
  if (scheme !== 'file' && scheme !== 'untitled') return false;
  return (relativeTo(place.realPath, fsPath) ?? relativeTo(place.fsPath, fsPath)) !== undefined;
}

/** @throws ChangedSinceApproval when an editor holds unsaved changes of a file at that place or below it */
export function requireSaved(place: FileAddress): void {
  if (unsavedFiles().some((uri) => isBelow(uri, place)))
    throw new ChangedSinceApproval('an editor holds unsaved changes of it');
}

/** Closes the tabs of files that are gone, as the editor does when it deletes them itself. The keyboard stays where it is. */
export async function closeTabs(place: FileAddress): Promise<void> {
  const tabs = allTabs().filter(
    ({ input, isDirty }) =>
      !isDirty &&
      (input instanceof vscode.TabInputText ||
        input instanceof vscode.TabInputCustom ||
        input instanceof vscode.TabInputNotebook) &&
      isBelow(input.uri, place),
  );
  // The user may be faster.
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true).then(undefined, () => undefined);
}
