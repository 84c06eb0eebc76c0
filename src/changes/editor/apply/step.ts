/** The interface of the steps of an apply, and what all steps share. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ResolvedPath, FileAddress } from '#base/files.ts';
import type { FileChange, FileDelete, FileMove, FileRestore } from '#base/proposal.ts';
import type { ExpectedTree } from '#files/expectedTree.ts';
import { relativeTo } from '#policy/paths.ts';
import type { AppliedFile } from '../../edits.ts';

/** Registers how to put a part of a change back, as soon as it may have been changed. `putBack` throws when it fails. */
export type Done = (putBack: () => Promise<void>) => void;

/** Applies one change. Every method may throw `ChangedSinceApproval` when the file is no longer what was approved. */
export interface Step {
  /** The path as the user and the assistant see it. */
  readonly path: string;
  /** Checks that the file is still what was approved. Writes nothing. */
  check(): Promise<void>;
  /** Checks, and prepares what can be prepared without changing anything. */
  prepare(): Promise<void>;
  /** Checks synchronously that no editor is in the way, in the same turn in which documents are edited. */
  requireNow(): void;
  carryOut(done: Done): Promise<void>;
  /**
   * Runs when all steps were carried out and nothing is put back any more. Does not reject.
   * @param placeNow returns the address of a file after the moves of the same apply
   */
  finish(placeNow: (place: FileAddress) => FileAddress): Promise<AppliedFile>;
  /** Releases its handles; called last. */
  close(): Promise<void>;
}

/** Returns what a delete or a move must find. */
export function expectedOf({ isFolder, files, path: { identity } }: FileDelete | FileMove): ExpectedTree {
  // A link that was put back has another inode, so only its target is compared.
  return { isFolder, files, ...(identity !== undefined && files[0]?.isLink !== true && { identity }) };
}

/** Returns the address by which the editor knows an entry: a folder of the workspace may be a link itself. */
export function uriOf({ fsPath, realPath, linked }: ResolvedPath): vscode.Uri {
  return vscode.Uri.file(linked ? realPath : fsPath);
}

/** Returns a function that maps addresses through the moves among these changes. */
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
