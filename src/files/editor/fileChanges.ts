import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { FileChanges } from '../fileChanges.ts';

/** Watches each file by one watcher on its folder, limited to its name, and by the editor's events of text changes. */
export const fileChanges: FileChanges = {
  watch({ realPath, fsPath }, changed) {
    const name = basename(realPath);
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(realPath)), patternOf(name));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changedOnDisk = ({ fsPath: found }: vscode.Uri): void => {
      if (basename(found) === name) changed();
    };
    const subscriptions = [
      watcher,
      watcher.onDidChange(changedOnDisk),
      watcher.onDidCreate(changedOnDisk),
      watcher.onDidDelete(changedOnDisk),
      vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        const isOwn = uri.scheme === 'file' && (uri.fsPath === realPath || uri.fsPath === fsPath);
        if (isOwn && contentChanges.length > 0) changed();
      }),
    ];
    return {
      dispose() {
        for (const subscription of subscriptions) subscription.dispose();
      },
    };
  },
};

/** Returns a glob for a name. A glob cannot escape a bracket, so `?` stands for it, and the events are also filtered by name. */
function patternOf(name: string): string {
  return name.replaceAll(/[[\]{}*?]/g, '?');
}
