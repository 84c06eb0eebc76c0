import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';

/** Returns the tabs of all groups in their order. */
export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/** Returns the file that a tab edits; for a diff, the modified side. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) return input.modified;
  return uriOfEditor(input);
}

/** Returns the tabs that edit a file, found by either of its paths. Diffs do not count. */
export function tabsOf({ fsPath, realPath }: Pick<ResolvedPath, 'fsPath' | 'realPath'>): readonly vscode.Tab[] {
  return allTabs().filter(({ input }) => {
    const uri = uriOfEditor(input);
    return uri?.scheme === 'file' && (uri.fsPath === fsPath || uri.fsPath === realPath);
  });
}

function uriOfEditor(input: unknown): vscode.Uri | undefined {
  const isEditor =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  return isEditor ? input.uri : undefined;
}
