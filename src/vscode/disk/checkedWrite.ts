import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readFile, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileIdentity, ResolvedPath } from '../../ports/files.ts';

/** A file whose new bytes lie beside it, ready to take its name. */
export interface StagedWrite {
  /** The file still holds its base; asked once more right before the first of several files is committed. */
  stillBase(): Promise<boolean>;
  /** Gives the new bytes the file's name. Throws when the result is not where it should be. */
  commit(): Promise<void>;
  /** Removes what `stage` wrote; harmless after `commit`. */
  discard(): Promise<void>;
}

export type StageResult = { readonly staged: StagedWrite } | { readonly stale: string };

/**
 * Checks a file against what was approved and writes its new bytes beside it. All names are taken from the directory that
 * was checked, through its handle where the system allows (Linux, `/proc/self/fd`), so a parent swapped for a link between
 * check and write leads nowhere else (threat row P5, CVE-2026-88968); elsewhere a swap is found out after the write.
 * The file keeps its mode; its inode is replaced, so other hard links to it keep the old bytes (threat row P10).
 */
export async function stageWrite(
  path: ResolvedPath,
  isBase: (bytes: Uint8Array) => Promise<boolean>,
  bytes: Uint8Array,
): Promise<StageResult> {
  const directory = await openDirectory(dirname(path.realPath));
  if (directory === undefined) return { stale: 'its folder is gone' };
  let temporary: string | undefined;
  try {
    if (!sameFile(await directory.identity(), path.parent))
      return await refuse(directory, 'its folder was replaced by another one');
    const name = directory.at(basename(path.realPath));
    const current = await lstat(name, { bigint: true }).catch(() => undefined);
    if (current === undefined) return await refuse(directory, 'the file is gone');
    if (!current.isFile() || !sameFile({ device: current.dev, inode: current.ino }, path.identity)) {
      return await refuse(directory, 'the file was replaced by another one');
    }
    if (!(await isBase(await readFile(name)))) return await refuse(directory, 'the file was changed');

    temporary = directory.at(`.drawbridge-${randomBytes(6).toString('hex')}.tmp`);
    const inode = await writeNew(temporary, bytes, Number(current.mode & 0o7777n), {
      user: current.uid,
      group: current.gid,
    });
    return { staged: stagedWrite(path, directory, temporary, name, inode, isBase) };
  } catch (error) {
    if (temporary !== undefined) await unlink(temporary).catch(() => undefined);
    await directory.close();
    throw error;
  }
}

function stagedWrite(
  path: ResolvedPath,
  directory: Directory,
  temporary: string,
  name: string,
  written: FileIdentity,
  isBase: (bytes: Uint8Array) => Promise<boolean>,
): StagedWrite {
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await unlink(temporary).catch(() => undefined);
    await directory.close();
  };
  return {
    stillBase: async () => isBase(await readFile(name).catch(() => new Uint8Array())),
    async commit() {
      try {
        await rename(temporary, name);
        const now = await lstat(path.realPath, { bigint: true }).catch(() => undefined);
        if (now === undefined || !sameFile({ device: now.dev, inode: now.ino }, written)) {
          throw new Error('Its folder was moved while the file was written.');
        }
      } finally {
        await close();
      }
    },
    discard: close,
  };
}

interface Directory {
  /** The address of a name in this very directory, whatever its path leads to by now. */
  at(name: string): string;
  identity(): Promise<FileIdentity>;
  close(): Promise<void>;
}

async function openDirectory(path: string): Promise<Directory | undefined> {
  if (process.platform !== 'linux') return pathDirectory(path);
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => undefined,
  );
  return handle && handleDirectory(handle);
}

function handleDirectory(handle: FileHandle): Directory {
  return {
    at: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    identity: async () => {
      const { dev, ino } = await handle.stat({ bigint: true });
      return { device: dev, inode: ino };
    },
    close: () => handle.close(),
  };
}

function pathDirectory(path: string): Directory {
  return {
    at: (name) => join(path, name),
    identity: async () => {
      const { dev, ino } = await stat(path, { bigint: true });
      return { device: dev, inode: ino };
    },
    close: async () => undefined,
  };
}

async function writeNew(
  path: string,
  bytes: Uint8Array,
  mode: number,
  owner: { user: bigint; group: bigint },
): Promise<FileIdentity> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    const { uid, gid, dev, ino } = await handle.stat({ bigint: true });
    // A file of another owner keeps its owner where we may give it; otherwise it becomes ours, as with any editor's atomic save.
    if (uid !== owner.user || gid !== owner.group) {
      await handle.chown(Number(owner.user), Number(owner.group)).catch(() => undefined);
    }
    await handle.chmod(mode);
    await handle.sync();
    return { device: dev, inode: ino };
  } finally {
    await handle.close();
  }
}

async function refuse(directory: Directory, stale: string): Promise<StageResult> {
  await directory.close();
  return { stale };
}

function sameFile(a: FileIdentity, b: FileIdentity | undefined): boolean {
  return b !== undefined && a.device === b.device && a.inode === b.inode;
}
