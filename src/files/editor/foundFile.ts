import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { FoundFile } from '#base/files.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { folderContaining, fsPathOf, pathOf, uriOf } from '#policy/paths.ts';

/**
 * A file that the editor names, under its real name: what a link leads to is what the policy judges (threat row P4).
 * Undefined for what is no file, or lies outside the workspace.
 */
export function foundFile(
  uri: Pick<vscode.Uri, 'scheme' | 'fsPath'>,
  folders: readonly WorkspaceFolder[],
): FoundFile | undefined {
  if (uri.scheme !== 'file') return undefined;
  const place = folderContaining(realPathOf(uri.fsPath), folders);
  if (place === undefined) return undefined;
  return { path: pathOf(place, folders), uri: uriOf(place), fsPath: fsPathOf(place), folder: place.folder };
}

/** Of a file that is gone, or not there yet: by the folders above it. */
function realPathOf(fsPath: string): string {
  try {
    return realpathSync.native(fsPath);
  } catch {
    const folder = dirname(fsPath);
    return folder === fsPath ? fsPath : join(realPathOf(folder), basename(fsPath));
  }
}
