import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ResolvedPath, FileAddress } from '#base/files.ts';
import type { FileChange, FileDelete, FileMove, FileRestore } from '#base/proposal.ts';
import type { ExpectedTree } from '#files/expectedTree.ts';
import { relativeTo } from '#policy/paths.ts';
import type { AppliedFile } from '../../edits.ts';

/** Told how to put back each part of a change, as soon as that part may have been changed. Throws when it cannot be. */
export type Done = (putBack: () => Promise<void>) => void;

/** One change on its way. Every method may throw `ChangedSinceApproval`: it is not what was approved any more. */
export interface Step {
  /** The path by which the human and the assistant know it. */
  readonly path: string;
  /** Whether it still is what was approved. Writes nothing. */
  check(): Promise<void>;
  /** `check`, and whatever can be got ready without changing anything. */
  prepare(): Promise<void>;
  /** Asked once more when all are prepared, in the turn in which documents are edited: whether an editor is in the way. */
  requireNow(): void;
  carryOut(done: Done): Promise<void>;
  /**
   * When all were carried out and nothing is put back any more. Does not reject.
   * @param placeNow where a file is after the moves of the same apply
   */
  finish(placeNow: (place: FileAddress) => FileAddress): Promise<AppliedFile>;
  /** Lets go of what it holds; nothing comes after it. */
  close(): Promise<void>;
}

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
