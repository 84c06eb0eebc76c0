import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Location, ResolvedPath, Tree, TreeLimits } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { ToolError } from '#base/toolError.ts';
import { identityOf, locate, notFound, readRegularFile } from './disk.ts';

type TreeFiles = Tree['files'];

/** Locates a directory entry (`Files.locate` with the purpose `entry`): for a link, the link and not its target. */
export async function locateEntry(fsPath: string): Promise<Location> {
  const found = await lstat(fsPath, { bigint: true }).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return locate(fsPath, 'change');
  const folder = await realpath(dirname(fsPath));
  return {
    realPath: join(folder, basename(fsPath)),
    kind: 'file',
    dangling: false,
    identity: identityOf(found),
    parent: identityOf(await stat(folder, { bigint: true })),
    size: Number(found.size),
    modified: Number(found.mtimeMs),
    linkCount: Number(found.nlink),
  };
}

/** Reads the files of a tree, as `Files.readTree` describes it. */
export async function readTree(
  path: ResolvedPath,
  limits: TreeLimits,
  admit: (relative: string) => void = () => undefined,
): Promise<TreeFiles> {
  try {
    const root = await lstat(path.realPath, { bigint: true });
    if (!isSame(root, path)) throw replaced(path);
    const { found, folders } = root.isDirectory()
      ? await walk(path, limits, admit)
      : { found: [{ relative: '', stats: root }], folders: [] };
    const bytes = found.reduce((sum, { stats }) => sum + Number(stats.size), 0);
    if (bytes > limits.maximumBytes) throw tooMuch(path, `more than ${limits.maximumBytes} bytes`);
    const files: TreeFiles[number][] = [];
    for (const file of found.toSorted((a, b) => comparePaths(a.relative, b.relative))) {
      files.push(await readFile(path, file));
    }
    // No folder may have become a link while the tree was read, or the bytes come from elsewhere (threat row P5).
    for (const folder of folders) {
      const realPath = join(path.realPath, folder);
      if ((await realpath(realPath)) !== realPath) throw replaced(path);
    }
    return files;
  } catch (error) {
    throw asToolError(path, error);
  }
}

interface FoundFile {
  readonly relative: string;
  readonly stats: BigIntStats;
}

async function walk(
  path: ResolvedPath,
  { maximumFiles }: TreeLimits,
  admit: (relative: string) => void,
): Promise<{ readonly found: readonly FoundFile[]; readonly folders: readonly string[] }> {
  const found: FoundFile[] = [];
  const folders = [''];
  for (const folder of folders) {
    const names = (await readdir(join(path.realPath, folder))).map((name) =>
      folder === '' ? name : `${folder}/${name}`,
    );
    for (const relative of names) admit(relative);
    if (found.length + folders.length + names.length > maximumFiles * 2) throw tooMany(path, maximumFiles);
    for (const relative of names) {
      const stats = await lstat(join(path.realPath, relative), { bigint: true });
      if (stats.isDirectory()) folders.push(relative);
      else found.push({ relative, stats });
    }
    if (found.length > maximumFiles) throw tooMany(path, maximumFiles);
  }
  return { found, folders };
}

async function readFile(root: ResolvedPath, { relative, stats }: FoundFile): Promise<TreeFiles[number]> {
  const path = relative === '' ? root : below(root, relative, stats);
  if (!stats.isFile() && !stats.isSymbolicLink()) throw unreadable(path, 'it is a pipe, socket or device');
  const size = Number(stats.size);
  const isLink = stats.isSymbolicLink();
  const bytes = isLink
    ? Buffer.from(await readlink(path.realPath))
    : // The size limit is the size just seen: a file that grew since then has changed, and is refused.
      (await readRegularFile({ ...path, size }, size)).bytes;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { relative, sha256, size: bytes.length, mode: Number(stats.mode & 0o7777n), isLink, bytes };
}

function below(root: ResolvedPath, relative: string, stats: BigIntStats): ResolvedPath {
  return {
    ...root,
    path: `${root.path}/${relative}`,
    uri: `${root.uri}/${relative}`,
    fsPath: join(root.fsPath, relative),
    realPath: join(root.realPath, relative),
    kind: 'file',
    identity: identityOf(stats),
  };
}

function isSame(found: BigIntStats, { identity }: ResolvedPath): boolean {
  return found.dev === identity?.device && found.ino === identity.inode;
}

function tooMany(path: ResolvedPath, maximumFiles: number): ToolError {
  return tooMuch(path, `more than ${maximumFiles} files and folders`);
}

function tooMuch(path: ResolvedPath, what: string): ToolError {
  return new ToolError(
    'too_large',
    `${path.path} holds ${what}, which is too much for one change; nothing was changed.`,
    path.kind === 'directory'
      ? 'Do it in parts: name the files and folders in it one by one.'
      : 'Ask the user to do it.',
  );
}

function replaced(path: ResolvedPath): ToolError {
  return new ToolError('unavailable', `${path.path} was replaced while it was read.`, 'Call again.');
}

function unreadable(path: ResolvedPath, why: string): ToolError {
  return new ToolError('unavailable', `${path.path} cannot be read: ${why}.`, 'Leave it out, or ask the user.');
}

function asToolError(path: ResolvedPath, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ToolError || !('code' in error)) return error;
  return error.code === 'ENOENT' ? notFound(path) : unreadable(path, String(error.code));
}
