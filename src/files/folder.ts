import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileIdentity } from '#base/files.ts';
import { ChangedSinceApproval } from './changedSinceApproval.ts';
import { identityOf } from './disk.ts';

/**
 * An open folder. All names below it are taken from it, through its handle where the system allows (Linux,
 * `/proc/self/fd`), so a parent swapped for a link between check and use leads nowhere else (threat row P5,
 * CVE-2026-88968); elsewhere a swap is found out afterwards, by `realPath`.
 */
export interface Folder {
  /** The address of a name in this very folder, whatever its path leads to by now. */
  at(name: string): string;
  identity(): Promise<FileIdentity>;
  /** Where it lies now, without links. */
  realPath(): Promise<string>;
  close(): Promise<void>;
}

/** The folder itself, no link to one. Rejects as `open` does. */
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

/** A name in an open folder, there or not. */
export interface FolderEntry {
  readonly folder: Folder;
  readonly name: string;
}

export function addressOf({ folder, name }: FolderEntry): string {
  return folder.at(name);
}

/**
 * The entry of a path without links, in its open folder, which the caller closes.
 * @param identity of the folder when it was approved
 * @throws ChangedSinceApproval when its folder is gone, lies elsewhere, or is another one
 */
export async function openEntry(path: string, identity: FileIdentity | undefined): Promise<FolderEntry> {
  const folder = await openFolder(dirname(path)).catch(() => undefined);
  if (folder === undefined) throw new ChangedSinceApproval('its folder is gone');
  return closedOnError(folder, async () => {
    await requireSameFolder(folder, dirname(path), identity);
    return { folder, name: basename(path) };
  });
}

/** {@link openEntry} for the time of some work. */
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

/** @throws ChangedSinceApproval unless the folder lies at that path still, and is the one that was approved */
export async function requireSameFolder(folder: Folder, path: string, identity?: FileIdentity): Promise<void> {
  const isSame = identity === undefined || isSameFile(await folder.identity(), identity);
  if (!isSame || (await folder.realPath()) !== path)
    throw new ChangedSinceApproval('its folder was replaced by another one');
}

/**
 * The entry of a path that may lack folders above it: they are made one by one, each in the one before.
 * @param onMade is told of each as soon as it is there
 * @throws ChangedSinceApproval as {@link openEntry}, and when something that is no folder is in the way
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
 * Writes nothing: nothing has that path, and it could be made.
 * @throws ChangedSinceApproval as {@link makeEntry}, and when the path is taken, be it by a link that leads nowhere (threat row P4)
 */
export async function requireMissing(path: string, identity: FileIdentity | undefined): Promise<void> {
  const { folder, missing } = await openDeepest(path, identity);
  try {
    if (await isThere(folder.at(missing[0] ?? basename(path))))
      throw new ChangedSinceApproval('something else has its name by now');
  } finally {
    await folder.close();
  }
}

/** The deepest folder above a path that exists, and the names of those that do not. */
async function openDeepest(
  path: string,
  identity: FileIdentity | undefined,
): Promise<{ readonly folder: Folder; readonly path: string; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    const folder = await openFolder(at).catch((error: unknown) => {
      // A link, a file or a folder that may not be entered is in the way.
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

/** Removes a folder if nothing is in it; leaves it alone otherwise. */
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

export async function isThere(address: string): Promise<boolean> {
  return (await lstat(address).catch(() => undefined)) !== undefined;
}

export function isSameFile(one: FileIdentity, other: FileIdentity | undefined): boolean {
  return other !== undefined && one.device === other.device && one.inode === other.inode;
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
