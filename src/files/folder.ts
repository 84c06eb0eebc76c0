import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileIdentity } from '#base/files.ts';
import { ChangedSinceApproval, nameTaken } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';

/**
 * An open folder. On Linux, names below it are addressed through its handle (`/proc/self/fd`), so a parent that is swapped for a link
 * between check and use does not lead elsewhere (threat row P5, CVE-2026-88968). On other systems, `realPath` detects a swap
 * afterwards.
 */
export interface Folder {
  /** Returns a path to a name in this folder, even when the path of the folder leads elsewhere now (on Linux). */
  at(name: string): string;
  identity(): Promise<FileIdentity>;
  /** Returns the current path of the folder, without links. */
  realPath(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a folder, but not through a link at its last name. Rejects as `open` of `node:fs` does. */
export async function openFolder(address: string): Promise<Folder> {
  if (process.platform !== 'linux') return pathFolder(address);
  const handle = await open(address, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const own = `/proc/self/fd/${handle.fd}`;
  return {
    at: (name) => `${own}/${name}`,
    identity: async () => identityOf(await handle.stat({ bigint: true })),
    realPath: () => readlink(own),
    close: () => handle.close(),
  };
}

async function pathFolder(path: string): Promise<Folder> {
  if (!(await lstat(path)).isDirectory()) throw new ChangedSinceApproval('its folder was replaced by something else');
  return {
    at: (name) => join(path, name),
    identity: async () => identityOf(await stat(path, { bigint: true })),
    realPath: () => realpath(path),
    close: async () => undefined,
  };
}

/** A name in an open folder, whether something has that name or not. */
export interface FolderEntry {
  readonly folder: Folder;
  readonly name: string;
}

/** Returns the path by which to use an entry in calls of `node:fs`. */
export function addressOf({ folder, name }: FolderEntry): string {
  return folder.at(name);
}

/**
 * Opens the folder of a path without links and returns the entry in it. The caller closes the folder.
 * @param identity identity of the folder when the change was approved
 * @throws ChangedSinceApproval when the folder is gone, was moved, or is another one
 */
export async function openEntry(path: string, identity: FileIdentity | undefined): Promise<FolderEntry> {
  const folder = await openFolder(dirname(path)).catch(() => undefined);
  if (folder === undefined) throw new ChangedSinceApproval('its folder is gone');
  return closedOnError(folder, async () => {
    await requireSameFolder(folder, dirname(path), identity);
    return { folder, name: basename(path) };
  });
}

/** Runs `work` with the entry of {@link openEntry}, and closes its folder afterwards. */
export async function withEntry<Result>(
  path: string,
  identity: FileIdentity | undefined,
  work: (entry: FolderEntry) => Promise<Result>,
): Promise<Result> {
  const entry = await openEntry(path, identity);
  try {
    return await work(entry);
  } finally {
    await entry.folder.close();
  }
}

/**
 * Checks that an open folder is still at its path, and is the one that was approved.
 * @throws ChangedSinceApproval when it is not
 */
export async function requireSameFolder(folder: Folder, path: string, identity?: FileIdentity): Promise<void> {
  const isSame = identity === undefined || isSameFile(await folder.identity(), identity);
  if (!isSame || (await folder.realPath()) !== path)
    throw new ChangedSinceApproval('its folder was replaced by another one');
}

/**
 * Opens the folder of a path as {@link openEntry} does, and creates missing folders above it, each in the one before.
 * @param onMade is called with the path of each created folder, right after its creation
 * @throws ChangedSinceApproval as {@link openEntry}, and when a parent of the path is not a folder
 */
export async function makeEntry(
  path: string,
  identity: FileIdentity | undefined,
  onMade: (folderPath: string) => void,
): Promise<FolderEntry> {
  const { folder: ancestor, path: ancestorPath, missing } = await openDeepest(path, identity);
  let [folder, folderPath] = [ancestor, ancestorPath];
  for (const name of missing) {
    const next = await closedOnError(folder, async () => {
      await mkdir(folder.at(name));
      onMade(join(folderPath, name));
      return openFolder(folder.at(name));
    });
    await folder.close();
    [folder, folderPath] = [next, join(folderPath, name)];
  }
  return { folder, name: basename(path) };
}

/**
 * Checks that nothing exists at a path, and that {@link makeEntry} could create its folders. Writes nothing.
 * @throws ChangedSinceApproval as {@link makeEntry}, and when the path is taken, even by a dangling link (threat row P4)
 */
export async function requireMissing(path: string, identity: FileIdentity | undefined): Promise<void> {
  const { folder, missing } = await openDeepest(path, identity);
  try {
    if (await isThere(folder.at(missing[0] ?? basename(path)))) throw nameTaken();
  } finally {
    await folder.close();
  }
}

/** Opens the deepest existing folder above a path, and returns the names of the missing ones. */
async function openDeepest(
  path: string,
  identity: FileIdentity | undefined,
): Promise<{ readonly folder: Folder; readonly path: string; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    const folder = await openFolder(at).catch((error: unknown) => {
      // A link, a file, or a folder without access is in the way.
      if (codeOf(error) !== 'ENOENT' || dirname(at) === at)
        throw new ChangedSinceApproval('its folder was replaced by something else');
    });
    if (folder !== undefined) {
      return closedOnError(folder, async () => {
        if (identity !== undefined && missing.length > 0) throw new ChangedSinceApproval('its folder is gone');
        await requireSameFolder(folder, at, identity);
        return { folder, path: at, missing };
      });
    }
    missing.unshift(basename(at));
  }
}

/** Removes a folder if it is empty, and does nothing otherwise. */
export async function removeEmptyFolder(path: string): Promise<void> {
  const entry = await openEntry(path, undefined).catch(() => undefined);
  if (entry === undefined) return;
  await rmdir(addressOf(entry)).catch(() => undefined);
  await entry.folder.close();
}

async function closedOnError<Result>(folder: Folder, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Returns true when something has this name; links are not followed. */
export async function isThere(address: string): Promise<boolean> {
  return (await lstat(address).catch(() => undefined)) !== undefined;
}

export function isSameFile(one: FileIdentity, other: FileIdentity | undefined): boolean {
  return other !== undefined && one.device === other.device && one.inode === other.inode;
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
