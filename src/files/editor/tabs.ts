import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';

/** Of all groups, in their order. */
export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/** What a tab edits; of a comparison, the side that can be changed. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) return input.modified;
  return uriOfEditor(input);
}

/** Tabs that are editors of a file, by either of its names; comparisons are not. */
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
