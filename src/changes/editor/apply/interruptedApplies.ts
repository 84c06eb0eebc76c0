/** Finds and clears up the temporary files of an interrupted apply. */
import { lstat, readdir, readlink, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { identityOf } from '#files/disk.ts';
import { moveEntry, parseTemporaryName } from '#files/createAndMove.ts';
import { removeKnown } from '#files/expectedTree.ts';
import { addressOf, isSameFile, isThere, removeEmptyFolder, withEntry, type FolderEntry } from '#files/folder.ts';
import type { InterruptedApplies, TemporaryEntry } from '../../edits.ts';
import { uriOf } from './step.ts';

/** Returns the mark in the temporary names of one change of a record. */
export function temporaryMark(recordId: string, change: number): string {
  return `${recordId}-${change}`;
}

export const interruptedApplies: InterruptedApplies = {
  async loadUnsaved(paths) {
    // The editor reads its backup of a file when it opens it, and not before.
    await Promise.allSettled(paths.map(async (path) => vscode.workspace.openTextDocument(uriOf(path))));
  },

  async temporaries(recordId, folders) {
    const found = await Promise.all(folders.map((folder) => temporariesIn(folder, recordId)));
    return found.flat();
  },

  putBack(temporary, realPath) {
    return succeeds(() =>
      withEntry(realPath, undefined, (target) => withTemporary(temporary, (entry) => moveEntry(entry, target))),
    );
  },

  async remove(temporary, known) {
    let isWhole = false;
    await succeeds(() =>
      withTemporary(temporary, async (entry) => {
        if (known === undefined) await rm(addressOf(entry), { recursive: true, force: true });
        else isWhole = await removeKnown(entry, known);
        isWhole ||= !(await isThere(addressOf(entry)));
      }),
    );
    return isWhole;
  },

  async removeSecondName(first, second) {
    // Another spelling may lead to the one entry there is.
    if (first.toLowerCase() === second.toLowerCase()) return;
    await withEntry(first, undefined, (one) => withEntry(second, undefined, (other) => removeSecond(one, other)));
  },

  removeEmptyFolder,
};

async function temporariesIn(folder: string, recordId: string): Promise<readonly TemporaryEntry[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.flatMap((name) => {
    const { mark = '', kind = 'new' } = parseTemporaryName(name) ?? {};
    const change = mark.startsWith(`${recordId}-`) ? mark.slice(recordId.length + 1) : '';
    return /^\d+$/.test(change) ? [{ change: Number(change), kind, realPath: join(folder, name) }] : [];
  });
}

/** Works on a temporary entry in its own folder, never through a link. */
function withTemporary<Result>(
  { realPath }: TemporaryEntry,
  work: (entry: FolderEntry) => Promise<Result>,
): Promise<Result> {
  return withEntry(realPath, undefined, work);
}

async function removeSecond(one: FolderEntry, other: FolderEntry): Promise<void> {
  const [first, second] = await Promise.all(
    [one, other].map((entry) => lstat(addressOf(entry), { bigint: true }).catch(() => undefined)),
  );
  if (first === undefined || second === undefined) return;
  if (first.isFile() && second.isFile()) {
    if (isSameFile(identityOf(first), identityOf(second)) && second.nlink > 1n) await unlink(addressOf(other));
  } else if (first.isSymbolicLink() && second.isSymbolicLink()) {
    const [target, copy] = await Promise.all([readlink(addressOf(one)), readlink(addressOf(other))]);
    if (target === copy) await unlink(addressOf(other));
  } else if (first.isDirectory() && second.isDirectory()) {
    await rmdir(addressOf(other));
  }
}

async function succeeds(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
