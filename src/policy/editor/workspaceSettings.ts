import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { readSmallFile } from './smallFile.ts';

const mostBytes = 1024 * 1024;
const setting = /"(drawbridge\.[\w.]+)"\s*:/g;

/** A setting of this extension in a file of the workspace. */
export interface WorkspaceSetting {
  readonly name: string;
  /** Absolute path of the file. */
  readonly path: string;
}

/**
 * Returns the settings of this extension in the files of a workspace. None of them has any effect (threat row A1): because of
 * their scope the editor ignores them without reporting them.
 */
export function settingsOfWorkspace(
  folders: readonly Pick<WorkspaceFolder, 'realPath'>[],
  workspaceFile: vscode.Uri | undefined = vscode.workspace.workspaceFile,
): readonly WorkspaceSetting[] {
  const files = [
    ...folders.map(({ realPath }) => join(realPath, '.vscode', 'settings.json')),
    ...(workspaceFile?.scheme === 'file' ? [workspaceFile.fsPath] : []),
  ];
  return files.flatMap((path) => namesIn(path).map((name) => ({ name, path })));
}

function namesIn(path: string): readonly string[] {
  try {
    const text = readSmallFile(path, { mostBytes, followsLink: true }) ?? '';
    return [...new Set([...text.matchAll(setting)].flatMap(([, name]) => name ?? []))];
  } catch {
    // A file that cannot be read sets nothing.
    return [];
  }
}
