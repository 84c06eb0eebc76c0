import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { FoundFile } from '#base/files.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { folderContaining, fsPathOf, pathOf, uriOf } from '#policy/paths.ts';

/**
 * Returns the workspace file of a URI under its real path, since the policy judges the target of a link (threat row P4). Returns
 * undefined when the URI is not a local file, or the file is outside the workspace.
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

/** Returns the real path of a file. For a missing file, it resolves the folders above. */
export function realPathOf(fsPath: string): string {
  try {
    return realpathSync.native(fsPath);
  } catch {
    const folder = dirname(fsPath);
    return folder === fsPath ? fsPath : join(realPathOf(folder), basename(fsPath));
  }
}
