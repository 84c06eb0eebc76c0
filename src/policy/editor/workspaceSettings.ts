import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { readSmallFile } from './smallFile.ts';

const mostBytes = 1024 * 1024;
const setting = /"(drawbridge\.[\w.]+)"\s*:/g;

/** A setting of ours that a workspace tries to make. */
export interface WorkspaceSetting {
  readonly name: string;
  /** Absolute path of the file. */
  readonly path: string;
}

/**
 * Our settings in the files of a workspace. None of them has any effect (threat row A1): their scope keeps the editor from
 * taking them over, and so from telling of them.
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
    // What cannot be read sets nothing.
    return [];
  }
}
