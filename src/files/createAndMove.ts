import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import type { FileIdentity } from '#base/files.ts';
import { ChangedSinceApproval } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';
import { addressOf, codeOf, isThere, type FolderEntry, type Folder } from './folder.ts';

/** What lies under a temporary name: bytes that are to take a name, or what a name was taken from. */
export type TemporaryKind = 'new' | 'old';

/**
 * A name beside others that nobody has, for what is not finished or about to go.
 * @param mark leads from what a crash leaves back to its change: the id of a record and the place of the change in it
 */
export function temporaryEntry(folder: Folder, mark: string, kind: TemporaryKind): FolderEntry {
  return { folder, name: `.drawbridge-${mark}-${kind}-${randomBytes(6).toString('hex')}.tmp` };
}

/** What {@link temporaryEntry} made the name of, if it did. */
export function parseTemporaryName(name: string): { readonly mark: string; readonly kind: TemporaryKind } | undefined {
  const { mark, kind } = /^\.drawbridge-(?<mark>.+)-(?<kind>new|old)-[0-9a-f]{12}\.tmp$/.exec(name)?.groups ?? {};
  return mark === undefined ? undefined : { mark, kind: kind === 'new' ? 'new' : 'old' };
}

export interface NewFile {
  readonly bytes: Uint8Array;
  /** Permission bits exactly; 0644 less the umask when absent. */
  readonly mode?: number;
  readonly owner?: { readonly user: bigint; readonly group: bigint };
}

/** Writes a file that must not exist, links included, and flushes it to the disk. */
export async function writeNew(entry: FolderEntry, { bytes, mode, owner }: NewFile): Promise<FileIdentity> {
  await using handle = await open(addressOf(entry), 'wx', mode === undefined ? 0o644 : 0o600);
  await handle.writeFile(bytes);
  const found = await handle.stat({ bigint: true });
  // A file of another owner keeps its owner where we may give it; otherwise it becomes ours, as with any editor's atomic save.
  if (owner !== undefined && (found.uid !== owner.user || found.gid !== owner.group)) {
    await handle.chown(Number(owner.user), Number(owner.group)).catch(() => undefined);
  }
  if (mode !== undefined) await handle.chmod(mode);
  await handle.sync();
  return identityOf(found);
}

/**
 * Gives a file, link or folder another name, never over anything and never through a link. Either it has the new name
 * afterwards, or the old one.
 * @throws ChangedSinceApproval when the new name is taken; Error when the disk refuses, or the other folder is on another one
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

/** What file systems without hard links answer, and Linux for a file of someone else's. */
const cannotLink: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'];

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!cannotLink.includes(codeOf(error))) throw error;
    if (await isThere(to)) throw taken();
    return rename(from, to);
  }
  await dropOther(from, to);
}

/** A hard link to a link is no such thing everywhere. */
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

/** `rename` replaces an empty folder, which is ours then; where it does not, on Windows, it replaces nothing at all. */
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
  if (code === 'EEXIST' || code === 'ENOTEMPTY') return taken();
  if (code === 'ENOENT') return new ChangedSinceApproval('it is gone');
  return code === 'EXDEV' ? new Error('the other folder is on another disk; copy it there instead') : error;
}

function taken(): ChangedSinceApproval {
  return new ChangedSinceApproval('something else has its name by now');
}
