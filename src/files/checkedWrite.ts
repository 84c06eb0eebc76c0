import { lstat, readFile, rename, unlink } from 'node:fs/promises';
import type { FileIdentity, ResolvedPath } from '#base/files.ts';
import { ChangedSinceApproval } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';
import { temporaryEntry, writeNew } from './createAndMove.ts';
import { requireWritable } from './expectedTree.ts';
import { addressOf, isSameFile, openEntry, withEntry, type FolderEntry } from './folder.ts';

/** A write whose new bytes are in a temporary file beside the target, ready to be renamed over it. */
export interface StagedWrite {
  /** Identity of the file after `commit`. */
  readonly identity: FileIdentity;
  /** Returns true when the file still holds its base. Checked once more before the first of several files is committed. */
  stillBase(): Promise<boolean>;
  /** Renames the temporary file over the target. Throws when the result is not at the approved path. */
  commit(): Promise<void>;
  /** Removes the temporary file. It does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Returns true when the bytes hold the text that was approved as base. */
type IsBase = (bytes: Uint8Array) => Promise<boolean>;

/**
 * Checks that a file is the one that was approved and still holds its base. Writes nothing.
 * @throws ChangedSinceApproval
 */
export async function requireBase(path: ResolvedPath, isBase: IsBase): Promise<void> {
  await withEntry(path.realPath, path.parent, (entry) => requireSame(entry, path.identity, isBase));
}

/**
 * Checks a file as {@link requireBase} does, and writes its new bytes to a temporary file in the checked folder (threat row P5).
 * The file keeps its mode. Its inode is replaced, so other hard links to it keep the old bytes (threat row P10).
 * @param mark marks the temporary file, as in `temporaryEntry`
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
