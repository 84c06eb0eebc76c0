import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readdir, readlink, rename, rmdir, unlink } from 'node:fs/promises';
import type { FileIdentity, TreeFile } from '#base/files.ts';
import { ChangedSinceApproval } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';
import { moveEntry, temporaryEntry } from './createAndMove.ts';
import { addressOf, codeOf, isSameFile, isThere, openFolder, type FolderEntry } from './folder.ts';

/** A file, a link, or a folder with all that is in it, as it was when it was approved. */
export interface ExpectedTree {
  readonly isFolder: boolean;
  readonly files: readonly TreeFile[];
  /** Absent for a link: its text says all. */
  readonly identity?: FileIdentity;
}

/**
 * Reads everything below an entry, links not followed, and stops at the first difference; empty folders are none.
 * @throws ChangedSinceApproval
 */
export async function requireUnchanged(entry: FolderEntry, { isFolder, files, identity }: ExpectedTree): Promise<void> {
  const found = await lstat(addressOf(entry), { bigint: true }).catch(() => undefined);
  if (found === undefined) throw new ChangedSinceApproval('it is gone');
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
 * What nobody may write, or this user may not, is not changed in a roundabout way either.
 * @throws ChangedSinceApproval when that is so of the entry, or of anything below it
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

/** Every file below an entry, or the entry itself; folders are opened one from the other, never through a link. */
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

/** Undefined when a look at it shows that it is another one. */
async function readEntry(
  entry: FolderEntry,
  { isLink, size }: Pick<TreeFile, 'isLink' | 'size'>,
): Promise<Uint8Array | undefined> {
  if (isLink) return Buffer.from(await readlink(addressOf(entry)));
  // Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  await using handle = await open(addressOf(entry), flags);
  const found = await handle.stat();
  return found.isFile() && found.size === size ? await handle.readFile() : undefined;
}

/** Something that was taken away, but is there still under a name that nobody knows. */
export interface SetAside {
  /** @throws when its name is taken, or the disk refuses */
  putBack(): Promise<void>;
  /** Removes it for good. What came into it meanwhile, in files of its own or in those, is there again under its old name. */
  remove(): Promise<void>;
}

/**
 * Takes an entry away if it is what was approved; otherwise it stays, or has its name back.
 * @throws ChangedSinceApproval
 */
export async function setAside(entry: FolderEntry, expected: ExpectedTree, mark: string): Promise<SetAside> {
  await requireUnchanged(entry, expected);
  const aside = temporaryEntry(entry.folder, mark, 'old');
  await rename(addressOf(entry), addressOf(aside));
  const putBack = (): Promise<void> => moveEntry(aside, entry);
  try {
    // What was taken may be something else than what was looked at.
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

/** Removes the files below an entry that are still as they were, and folders that are empty then. False when others are left in it. */
export async function removeKnown(
  entry: FolderEntry,
  files: readonly Pick<TreeFile, 'relative' | 'sha256'>[],
): Promise<boolean> {
  const known = new Map(files.map(({ relative, sha256 }) => [relative, sha256]));
  return !(await holdsOthers(entry, await removeFiles(entry, known)));
}

/** What cannot be removed stays, under the name that nobody knows. Returns what was as it is known. */
async function removeFiles(entry: FolderEntry, known: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const leave = (): undefined => undefined;
  const unchanged = new Set<string>();
  await walk(
    entry,
    '',
    async (each, relative) => {
      // A program may have gone on writing to it, and nothing else has those bytes.
      if ((await digestOf(each).catch(() => null)) !== known.get(relative)) return;
      unchanged.add(relative);
      await unlink(addressOf(each)).catch(leave);
    },
    (folder) => rmdir(addressOf(folder)).catch(leave),
  );
  return unchanged;
}

/** SHA-256 of a file's bytes or a link's text; null for anything else. */
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
