import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readdir, readlink, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileIdentity, TreeFile } from '#base/files.ts';
import { readFlags } from '#base/openFlags.ts';
import { ChangedSinceApproval, entryGone } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';
import { moveEntry, temporaryEntry } from './createAndMove.ts';
import { addressOf, codeOf, isSameFile, isThere, openFolder, type FolderEntry } from './folder.ts';

/** The expected state of a file, a link, or a folder with everything in it, for example as it was when it was approved. */
export interface ExpectedTree {
  readonly isFolder: boolean;
  readonly files: readonly TreeFile[];
  /** Absent for a link, which its target text describes completely. */
  readonly identity?: FileIdentity;
}

/**
 * Reads everything below an entry, without following links, and compares it with the expected state. Additional empty folders are
 * no difference.
 * @throws ChangedSinceApproval at the first difference
 */
export async function requireUnchanged(entry: FolderEntry, { isFolder, files, identity }: ExpectedTree): Promise<void> {
  const found = await lstat(addressOf(entry), { bigint: true }).catch(() => undefined);
  if (found === undefined) throw entryGone();
  if (found.isDirectory() !== isFolder) throw new ChangedSinceApproval('it was replaced by something else');
  if (identity !== undefined && !isSameFile(identityOf(found), identity)) {
    throw new ChangedSinceApproval('it was replaced by another one');
  }
  const left = new Map(files.map((file) => [file.relative, file]));
  await walk(entry, '', async (each, relative) => {
    const file = left.get(relative);
    if (file === undefined) throw new ChangedSinceApproval(`${relative} was added to it`);
    if (!(await holds(each, file)))
      throw new ChangedSinceApproval(relative === '' ? 'it was changed' : `${relative} was changed`);
    left.delete(relative);
  });
  const [gone] = left.keys();
  if (gone !== undefined) throw new ChangedSinceApproval(`${gone} is gone`);
}

/**
 * Checks that this user may write an entry and everything below it. A rename could replace a read-only file, so the apply checks
 * this itself.
 * @throws ChangedSinceApproval when the entry, or anything below it, is read-only
 */
export async function requireWritable(entry: FolderEntry): Promise<void> {
  const look = async (each: FolderEntry, relative: string): Promise<void> => {
    const found = await lstat(addressOf(each));
    if (found.isSymbolicLink()) return;
    const refused = await access(addressOf(each), constants.W_OK).then(
      () => false,
      (error: unknown) => codeOf(error) !== 'ENOENT',
    );
    if (refused || (found.mode & 0o222) === 0)
      throw new ChangedSinceApproval(`${relative === '' ? 'it' : relative} is read-only`);
  };
  await walk(entry, '', look, look);
}

/** Visits every file below an entry, or the entry itself. Each folder is opened from its parent, never through a link. */
async function walk(
  entry: FolderEntry,
  relative: string,
  visit: (entry: FolderEntry, relative: string) => Promise<void>,
  leave: (folder: FolderEntry, relative: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const found = await lstat(addressOf(entry)).catch(() => undefined);
  if (found?.isDirectory() !== true) return visit(entry, relative);
  const folder = await openFolder(addressOf(entry));
  try {
    for (const name of await readdir(folder.at('.'))) {
      await walk({ folder, name }, relative === '' ? name : `${relative}/${name}`, visit, leave);
    }
  } finally {
    await folder.close();
  }
  return leave(entry, relative);
}

async function holds(entry: FolderEntry, file: TreeFile): Promise<boolean> {
  const bytes = await readEntry(entry, file).catch(() => undefined);
  return bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === file.sha256;
}

/** Reads the bytes of a file, or the target of a link. Returns undefined when kind or size differ from the expected ones. */
async function readEntry(
  entry: FolderEntry,
  { isLink, size }: Pick<TreeFile, 'isLink' | 'size'>,
): Promise<Uint8Array | undefined> {
  if (isLink) return Buffer.from(await readlink(addressOf(entry)));
  await using handle = await open(addressOf(entry), readFlags);
  const found = await handle.stat();
  return found.isFile() && found.size === size ? await handle.readFile() : undefined;
}

/** An entry that was set aside: it still exists, under a temporary name. */
export interface SetAside {
  /**
   * Moves the entry back to its name.
   * @throws when the name is taken, or the disk refuses
   */
  putBack(): Promise<void>;
  /** Deletes the entry. Files that were added or changed meanwhile are moved back to the old name instead (threat row F14). */
  remove(): Promise<void>;
}

/**
 * Renames an entry to a temporary name if it is as expected. Otherwise the entry keeps its name, or gets it back.
 * @throws ChangedSinceApproval
 */
export async function setAside(entry: FolderEntry, expected: ExpectedTree, mark: string): Promise<SetAside> {
  await requireUnchanged(entry, expected);
  const aside = temporaryEntry(entry.folder, mark, 'old');
  await rename(addressOf(entry), addressOf(aside));
  const putBack = (): Promise<void> => moveEntry(aside, entry);
  try {
    // Another entry may have taken the name between the check and the rename.
    await requireUnchanged(aside, expected);
  } catch (error) {
    await putBack();
    throw error;
  }
  const remove = async (): Promise<void> => {
    if (!(await removeKnown(aside, expected.files))) await putBack();
  };
  return { putBack, remove };
}

/** Removes the known files below an entry that are unchanged, and then the empty folders. Returns false when other files are left. */
export async function removeKnown(
  entry: FolderEntry,
  files: readonly Pick<TreeFile, 'relative' | 'sha256'>[],
): Promise<boolean> {
  const known = new Map(files.map(({ relative, sha256 }) => [relative, sha256]));
  return !(await holdsOthers(entry, await removeFiles(entry, known)));
}

/** Removes the unchanged files and returns their paths. A file that cannot be removed stays under the temporary name. */
async function removeFiles(entry: FolderEntry, known: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const leave = (): undefined => undefined;
  const unchanged = new Set<string>();
  await walk(
    entry,
    '',
    async (each, relative) => {
      // A program may have kept writing to the file, and nothing else holds those bytes.
      if ((await digestOf(each).catch(() => null)) !== known.get(relative)) return;
      unchanged.add(relative);
      await unlink(addressOf(each)).catch(leave);
    },
    (folder) => rmdir(addressOf(folder)).catch(leave),
  );
  return unchanged;
}

/** Returns the SHA-256 of the bytes of a file or the target of a link, and null for anything else. */
async function digestOf(entry: FolderEntry): Promise<string | null> {
  const found = await lstat(addressOf(entry));
  const bytes = await readEntry(entry, { isLink: found.isSymbolicLink(), size: found.size });
  return bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex');
}

async function holdsOthers(entry: FolderEntry, known: ReadonlySet<string>): Promise<boolean> {
  let others = 0;
  await walk(entry, '', async (each, relative) => {
    if (!known.has(relative) && (await isThere(addressOf(each)))) others += 1;
  });
  return others > 0;
}
