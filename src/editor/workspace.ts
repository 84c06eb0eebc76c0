import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';

/** Reports the folders and the trust of this window. Dispose it when the extension ends. */
export function createWorkspace(windowId: string): Workspace & Subscription {
  const changed = new Emitter<void>();
  let folders = readFolders();
  const refresh = (): void => {
    folders = readFolders();
    changed.fire();
  };
  const subscriptions = [
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
  ];
  return {
    windowId,
    editor: {
      name: vscode.env.appName,
      version: vscode.version,
      ...(vscode.env.remoteName === undefined ? {} : { remote: vscode.env.remoteName }),
    },
    name: () => vscode.workspace.name,
    folders: () => folders,
    isTrusted: () => vscode.workspace.isTrusted,
    isHeld: () => false,
    onDidChange: changed.event,
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function readFolders(): readonly WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, uri: uri.toString(), fsPath: uri.fsPath, realPath: realPathOf(uri.fsPath) }));
}

/** Returns the real path of a workspace folder. A deleted folder stays a folder of the window, under its own path. */
function realPathOf(fsPath: string): string {
  try {
    return realpathSync.native(fsPath);
  } catch {
    return fsPath;
  }
}
