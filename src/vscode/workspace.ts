import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import writeFileAtomic from 'write-file-atomic';
import { Emitter, type Subscription } from '../ports/event.ts';
import type { Workspace, WorkspaceFolder } from '../ports/workspace.ts';

/** This window. Dispose it when the extension ends. */
export async function createWorkspace(
  context: Pick<vscode.ExtensionContext, 'storageUri'>,
): Promise<Workspace & Subscription> {
  const windowId = await windowIdOf(context.storageUri);
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

/** A folder that was deleted is still a folder of the window; its files are not there, that is all. */
function realPathOf(fsPath: string): string {
  try {
    return realpathSync.native(fsPath);
  } catch {
    return fsPath;
  }
}

/** 128 bits in hex, kept in the workspace's storage so that a reload finds it again; an empty window has no storage. */
async function windowIdOf(storage: vscode.Uri | undefined): Promise<string> {
  const fresh = randomBytes(16).toString('hex');
  if (storage === undefined || storage.scheme !== 'file') return fresh;
  const file = join(storage.fsPath, 'window-id');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  await mkdir(storage.fsPath, { recursive: true });
  await writeFileAtomic(file, fresh, { mode: 0o600 });
  return fresh;
}
