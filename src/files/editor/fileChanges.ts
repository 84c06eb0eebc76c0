import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { FileChanges } from '../fileChanges.ts';

/** One watcher a file, on its folder and for its name alone; what an editor holds tells of itself. */
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

/** A glob has no way to write a bracket as itself; `?` is any character, so names must be compared as well. */
function patternOf(name: string): string {
  return name.replaceAll(/[[\]{}*?]/g, '?');
}
