import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ResolvedPath, FileAddress } from '#base/files.ts';
import type { FileChange, FileDelete, FileMove, FileRestore } from '#base/proposal.ts';
import type { ExpectedTree } from '#files/expectedTree.ts';
import { relativeTo } from '#policy/paths.ts';

/** What a delete or a move must find. */
export function expectedOf({ isFolder, files, path: { identity } }: FileDelete | FileMove): ExpectedTree {
  // A link that is put back is another inode, and its text says all.
  return { isFolder, files, ...(identity !== undefined && files[0]?.isLink !== true && { identity }) };
}

/** The address under which the editor knows an entry: a folder of the workspace may be a link itself. */
export function uriOf({ fsPath, realPath, linked }: ResolvedPath): vscode.Uri {
  return vscode.Uri.file(linked ? realPath : fsPath);
}

/** Where files are after the moves among these changes. */
export function placesNow(changes: readonly (FileChange | FileRestore)[]): (place: FileAddress) => FileAddress {
  const moves = changes.filter((change) => change.kind === 'move');
  return ({ fsPath, realPath }) => {
    for (const { path, to } of moves) {
      const relative = relativeTo(path.realPath, realPath);
      if (relative !== undefined) return { fsPath: join(to.fsPath, relative), realPath: join(to.realPath, relative) };
    }
    return { fsPath, realPath };
  };
}
