import * as vscode from 'vscode';
import { stateFolder } from '#home/stateFolder.ts';

/** Returns the setting `drawbridge.start`. Does not load zod, since every window reads it. Ignores values of the workspace. */
export function startSetting(): 'whenConnected' | 'always' | 'manual' {
  const value = vscode.workspace.getConfiguration('drawbridge').inspect<string>('start')?.globalValue;
  return value === 'always' || value === 'manual' ? value : 'whenConnected';
}

/** Calls `start` at once, once an assistant was connected on this machine, or never, depending on `drawbridge.start`. */
export function whenToStart(start: () => void): vscode.Disposable {
  const setting = startSetting();
  if (setting === 'always') start();
  if (setting !== 'whenConnected') return { dispose: () => undefined };
  const home = vscode.Uri.file(stateFolder().home);
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(home, 'connected'),
    false,
    true,
    true,
  );
  watcher.onDidCreate(start);
  void vscode.workspace.fs.stat(vscode.Uri.joinPath(home, 'connected')).then(start, () => undefined);
  return watcher;
}
