import { lstat, readFile, rename, unlink } from 'node:fs/promises';
import type { FileIdentity, ResolvedPath } from '#base/files.ts';
import { ChangedSinceApproval } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';
import { temporaryEntry, writeNew } from './createAndMove.ts';
import { requireWritable } from './expectedTree.ts';
import { addressOf, isSameFile, openEntry, withEntry, type FolderEntry } from './folder.ts';

/** A file whose new bytes lie beside it, ready to take its name. */
export interface StagedWrite {
  /** Of the file after `commit`. */
  readonly identity: FileIdentity;
  /** The file still holds its base; asked once more right before the first of several files is committed. */
  stillBase(): Promise<boolean>;
  /** Gives the new bytes the file's name. Throws when the result is not where it should be. */
  commit(): Promise<void>;
  /** Removes what `stage` wrote; harmless after `commit`. */
  discard(): Promise<void>;
}

type IsBase = (bytes: Uint8Array) => Promise<boolean>;

/**
 * Checks a file against what was approved, writing nothing.
 * @throws ChangedSinceApproval
 */
export async function requireBase(path: ResolvedPath, isBase: IsBase): Promise<void> {
  await withEntry(path.realPath, path.parent, (entry) => requireSame(entry, path.identity, isBase));
}

/**
 * Checks a file against what was approved and writes its new bytes beside it, in the folder that was checked (threat row
 * P5). The file keeps its mode; its inode is replaced, so other hard links to it keep the old bytes (threat row P10).
 * @throws ChangedSinceApproval
 */
export async function stageWrite(
  path: ResolvedPath,
  isBase: IsBase,
  bytes: Uint8Array,
  mark: string,
): Promise<StagedWrite> {
  const entry = await openEntry(path.realPath, path.parent);
  const temporary = temporaryEntry(entry.folder, mark, 'new');
  try {
    await requireSame(entry, path.identity, isBase);
    const current = await lstat(addressOf(entry), { bigint: true });
    const owner = { user: current.uid, group: current.gid };
    const identity = await writeNew(temporary, { bytes, mode: Number(current.mode & 0o7777n), owner });
    return stagedWrite(path, entry, temporary, identity, isBase);
  } catch (error) {
    await unlink(addressOf(temporary)).catch(() => undefined);
    await entry.folder.close();
    throw error;
  }
}

async function requireSame(entry: FolderEntry, identity: FileIdentity | undefined, isBase: IsBase): Promise<void> {
  const current = await lstat(addressOf(entry), { bigint: true }).catch(() => undefined);
  if (current === undefined) throw new ChangedSinceApproval('the file is gone');
  if (!current.isFile() || !isSameFile(identityOf(current), identity)) {
    throw new ChangedSinceApproval('the file was replaced by another one');
  }
  await requireWritable(entry);
  if (!(await isBase(await readFile(addressOf(entry))))) throw new ChangedSinceApproval('the file was changed');
}

function stagedWrite(
  path: ResolvedPath,
  entry: FolderEntry,
  temporary: FolderEntry,
  identity: FileIdentity,
  isBase: IsBase,
): StagedWrite {
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await unlink(addressOf(temporary)).catch(() => undefined);
    await entry.folder.close();
  };
  return {
    identity,
    stillBase: async () => isBase(await readFile(addressOf(entry)).catch(() => new Uint8Array())),
    async commit() {
      try {
        await rename(addressOf(temporary), addressOf(entry));
        const now = await lstat(path.realPath, { bigint: true }).catch(() => undefined);
        if (now === undefined || !isSameFile(identityOf(now), identity)) {
          throw new Error('Its folder was moved while the file was written.');
        }
      } finally {
        await close();
      }
    },
    discard: close,
  };
}
