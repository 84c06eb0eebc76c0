import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import type { FileIdentity } from '#base/files.ts';
import { entryGone, nameTaken } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';
import { addressOf, codeOf, isThere, type FolderEntry, type Folder } from './folder.ts';

/** The kind of a temporary file: it holds new content that will get a name (`new`), or content that lost its name (`old`). */
export type TemporaryKind = 'new' | 'old';

/**
 * Returns an unused temporary name in a folder, for a file that is not finished yet or about to be removed.
 * @param mark the id of a history record and the index of the change in it, by which recovery after a crash finds the change
 */
export function temporaryEntry(folder: Folder, mark: string, kind: TemporaryKind): FolderEntry {
  return { folder, name: `.drawbridge-${mark}-${kind}-${randomBytes(6).toString('hex')}.tmp` };
}

/** Parses a name made by {@link temporaryEntry}; returns undefined for any other name. */
export function parseTemporaryName(name: string): { readonly mark: string; readonly kind: TemporaryKind } | undefined {
  const { mark, kind } = /^\.drawbridge-(?<mark>.+)-(?<kind>new|old)-[0-9a-f]{12}\.tmp$/.exec(name)?.groups ?? {};
  return mark === undefined ? undefined : { mark, kind: kind === 'new' ? 'new' : 'old' };
}

/** The content and attributes of a file to create. */
export interface NewFile {
  readonly bytes: Uint8Array;
  /** Exact permission bits; 0644 without the bits of the umask when absent. */
  readonly mode?: number;
  readonly owner?: { readonly user: bigint; readonly group: bigint };
}

/** Creates a file and flushes it to the disk. Throws EEXIST when the name is taken, even by a link. */
export async function writeNew(entry: FolderEntry, { bytes, mode, owner }: NewFile): Promise<FileIdentity> {
  await using handle = await open(addressOf(entry), 'wx', mode === undefined ? 0o644 : 0o600);
  await handle.writeFile(bytes);
  const found = await handle.stat({ bigint: true });
  // The file keeps the owner of the file it replaces where the system permits it; otherwise this user owns it, as after any
  // atomic save of an editor.
  if (owner !== undefined && (found.uid !== owner.user || found.gid !== owner.group)) {
    await handle.chown(Number(owner.user), Number(owner.group)).catch(() => undefined);
  }
  if (mode !== undefined) await handle.chmod(mode);
  await handle.sync();
  return identityOf(found);
}

/**
 * Moves a file, link or folder to another name. A move never replaces anything and never follows a link. Afterwards it has either
 * the new name or the old one.
 * @throws ChangedSinceApproval when the new name is taken; Error when the disk refuses, or the target is on another disk
 */
export async function moveEntry(from: FolderEntry, to: FolderEntry): Promise<void> {
  try {
    const found = await lstat(addressOf(from));
    if (found.isDirectory()) await moveFolder(addressOf(from), addressOf(to));
    else if (found.isSymbolicLink()) await moveLink(addressOf(from), addressOf(to));
    else await moveFile(addressOf(from), addressOf(to));
  } catch (error) {
    throw explained(error);
  }
}

/** Error codes of file systems without hard links, and of Linux for a file of another user. */
const cannotLink: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'];

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!cannotLink.includes(codeOf(error))) throw error;
    if (await isThere(to)) throw nameTaken();
    return rename(from, to);
  }
  await dropOther(from, to);
}

/** Moves a symbolic link by making a new one, since not every system can make a hard link to a link. */
async function moveLink(from: string, to: string): Promise<void> {
  await symlink(await readlink(from), to);
  await dropOther(from, to);
}

async function dropOther(from: string, to: string): Promise<void> {
  await unlink(from).catch(async (error: unknown) => {
    await unlink(to);
    throw error;
  });
}

/**
 * Moves a folder. On POSIX, `rename` replaces an empty folder, so an empty one made here reserves the name. On Windows, `rename`
 * never replaces a folder.
 */
async function moveFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return rename(from, to);
  await mkdir(to, 0o700);
  await rename(from, to).catch(async (error: unknown) => {
    await rmdir(to).catch(() => undefined);
    throw error;
  });
}

function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'EEXIST' || code === 'ENOTEMPTY') return nameTaken();
  if (code === 'ENOENT') return entryGone();
  return code === 'EXDEV' ? new Error('the other folder is on another disk; copy it there instead') : error;
}
