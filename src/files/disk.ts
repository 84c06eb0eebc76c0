import { closeSync, fstatSync, open, read, type BigIntStats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FileIdentity, FileKind, Location, Purpose, ResolvedPath } from '#base/files.ts';
import { readFlags } from '#base/openFlags.ts';
import { MissingPathError, ToolError } from '#base/toolError.ts';

/** The bytes of a regular file, with facts from its open descriptor. */
export interface FileContent {
  readonly bytes: Buffer;
  /** When the file was modified, in milliseconds since the epoch. */
  readonly modified: number;
  /** The mode gives nobody the right to write. */
  readonly readonly: boolean;
}

const openAsync = promisify(open);

/** Number of dangling links that are followed one from the other; a longer chain counts as a circle. */
const maximumHops = 40;

/** Finds where a path leads, links followed (`Files.locate`). The usual case, an existing path, takes one round trip to the disk. */
export async function locate(fsPath: string, purpose: Purpose): Promise<Location> {
  try {
    const [realPath, found] = await Promise.all([realpath(fsPath), stat(fsPath, { bigint: true })]);
    const parent = purpose === 'change' ? await stat(dirname(realPath), { bigint: true }) : undefined;
    return {
      realPath,
      kind: kindOf(found),
      dangling: false,
      identity: identityOf(found),
      ...(parent && { parent: identityOf(parent) }),
      size: Number(found.size),
      modified: Number(found.mtimeMs),
      linkCount: Number(found.nlink),
    };
  } catch (error) {
    if (!isMissing(error)) throw unreachable(fsPath, error);
    return locateMissing(fsPath, purpose, maximumHops);
  }
}

/** Locates a missing path: resolves its deepest existing ancestor, follows dangling links, and appends the missing rest. */
async function locateMissing(fsPath: string, purpose: Purpose, hops: number): Promise<Location> {
  if (hops === 0) throw unreachable(fsPath, new Error('its links lead in a circle'));
  const target = await readlink(fsPath).catch(() => undefined);
  if (target !== undefined) {
    const found = await locateWithin(resolve(await realpath(dirname(fsPath)), target), purpose, hops - 1);
    return { ...found, dangling: found.kind === 'missing' };
  }
  const folder = dirname(fsPath);
  if (folder === fsPath) throw unreachable(fsPath, new Error('its root does not exist'));
  const holder = await locateWithin(folder, purpose, hops);
  return {
    realPath: join(holder.realPath, basename(fsPath)),
    kind: 'missing',
    dangling: holder.dangling,
    ...(holder.identity === undefined ? {} : { parent: holder.identity }),
    size: 0,
    modified: 0,
    linkCount: 0,
  };
}

async function locateWithin(fsPath: string, purpose: Purpose, hops: number): Promise<Location> {
  return (await exists(fsPath)) ? locate(fsPath, purpose) : locateMissing(fsPath, purpose, hops);
}

async function exists(fsPath: string): Promise<boolean> {
  try {
    await stat(fsPath);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw unreachable(fsPath, error);
  }
}

/**
 * Reads a whole regular file over one descriptor. Opening it never blocks and never follows a link at the last name, and the opened
 * file must be the one that was resolved (threat rows P5, P11).
 * @throws ToolError `not_found`, `unavailable`, `too_large`
 */
export async function readRegularFile(path: ResolvedPath, maxBytes: number): Promise<FileContent> {
  refuseKind(path);
  if (path.size > maxBytes) throw tooLarge(path, path.size, maxBytes);
  const descriptor = await openRegular(path);
  try {
    // The file nearly always has the size that it had when it was resolved. The extra byte shows when it has grown.
    const expected = Buffer.allocUnsafe(path.size + 1);
    const count = await readSome(descriptor, expected, 0).catch((error: unknown) => error);
    const found = fstatSync(descriptor, { bigint: true });
    if (!found.isFile()) throw notRegular(path);
    if (!isSame(identityOf(found), path.identity)) throw replaced(path);
    if (typeof count !== 'number') throw unreachable(path.path, count);
    const size = Number(found.size);
    if (size > maxBytes) throw tooLarge(path, size, maxBytes);
    const bytes = count === size ? expected.subarray(0, size) : await readAll(descriptor, size);
    return { bytes, modified: Number(found.mtimeMs), readonly: (found.mode & 0o222n) === 0n };
  } finally {
    // fstat and close need no disk access, so the synchronous calls are cheaper than a trip to another thread.
    closeSync(descriptor);
  }
}

/** Bytes of a large file that are in memory at a time. */
const chunkBytes = 1024 * 1024;

/**
 * Reads a regular file piece by piece, opened as {@link readRegularFile} opens it. Each piece is a buffer of its own.
 * @throws ToolError `not_found`, `unavailable`
 */
export async function* chunksOf(path: ResolvedPath): AsyncGenerator<Buffer> {
  refuseKind(path);
  const descriptor = await openRegular(path);
  try {
    const found = fstatSync(descriptor, { bigint: true });
    if (!found.isFile()) throw notRegular(path);
    if (!isSame(identityOf(found), path.identity)) throw replaced(path);
    for (let position = 0; ;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = await readSome(descriptor, chunk, 0, position).catch((error: unknown) => {
        throw unreachable(path.path, error);
      });
      if (count === 0) return;
      position += count;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

async function openRegular(path: ResolvedPath): Promise<number> {
  return openAsync(path.realPath, readFlags).catch((error: unknown) => {
    if (isMissing(error)) throw notFound(path);
    // The last name became a link after the path was resolved.
    throw codeOf(error) === 'ELOOP' ? replaced(path) : unreachable(path.path, error);
  });
}

async function readAll(descriptor: number, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = await readSome(descriptor, buffer, length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function readSome(descriptor: number, buffer: Buffer, offset: number, position = offset): Promise<number> {
  const { promise, resolve: done, reject } = Promise.withResolvers<number>();
  read(descriptor, buffer, offset, buffer.length - offset, position, (error, count) =>
    error === null ? done(count) : reject(error),
  );
  return promise;
}

/** A direct child of a listed directory. */
export interface ListedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/**
 * Lists the direct children of a directory. Links are not followed.
 * @throws ToolError `not_found`, `unavailable`
 */
export async function listDirectory(path: ResolvedPath): Promise<readonly ListedEntry[]> {
  if (path.kind === 'missing') throw notFound(path);
  if (path.kind !== 'directory') {
    throw new ToolError('unavailable', `${path.path} is not a directory.`, 'Use read_file to read a file.');
  }
  try {
    const entries = await readdir(path.realPath, { withFileTypes: true });
    const now = await lstat(path.realPath, { bigint: true });
    if (!isSame(identityOf(now), path.identity)) throw new Error('it was replaced while it was read');
    return entries.map((entry) => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other',
    }));
  } catch (error) {
    throw isMissing(error) ? notFound(path) : unreachable(path.path, error);
  }
}

function refuseKind(path: ResolvedPath): void {
  if (path.kind === 'missing') throw notFound(path);
  if (path.kind === 'directory') {
    throw new ToolError('unavailable', `${path.path} is a directory.`, 'Use list_directory to see what it holds.');
  }
  if (path.kind === 'other') throw notRegular(path);
}

/** Returns the error for a missing path. Its hint says how to find the file. */
export function notFound(path: ResolvedPath): ToolError {
  return new MissingPathError(
    path.path,
    `${path.path} does not exist.`,
    startsWithFolderName(path)
      ? `Paths start without the name of the folder: ${path.path.slice(path.folder.name.length + 1)}.`
      : 'Use find_files to find the file by a part of its name.',
  );
}

/** Returns true when the path begins with the name of the only folder. With one folder, paths do not begin with its name. */
function startsWithFolderName({ path, folder, fsPath }: ResolvedPath): boolean {
  return path.startsWith(`${folder.name}/`) && fsPath === join(folder.fsPath, path);
}

function replaced(path: ResolvedPath): ToolError {
  return new ToolError('unavailable', `${path.path} was replaced while it was read.`, 'Call again.');
}

function notRegular(path: ResolvedPath): ToolError {
  return new ToolError(
    'unavailable',
    `${path.path} is a pipe, socket or device, not a file.`,
    'Only regular files can be read.',
  );
}

/** Returns the error for a file with more bytes than a tool can handle. */
export function tooLarge(path: ResolvedPath, size: number, maxBytes: number): ToolError {
  return new ToolError(
    'too_large',
    `${path.path} has ${size} bytes, more than the ${maxBytes} that can be handled whole.`,
    'Read a range of its lines with read_file, or use search_code with this path; linesBefore and linesAfter show up to 10 lines around each match.',
  );
}

function unreachable(path: string, error: unknown): ToolError {
  // The messages of Node end with the system call and the absolute path, which the assistant must not see.
  const reason = (error instanceof Error ? error.message : String(error)).replace(/, \w+ '[^]*$/, '');
  const isGone = codeOf(error) === 'ELOOP' || codeOf(error) === 'ENAMETOOLONG';
  return new ToolError(
    isGone ? 'not_found' : 'unavailable',
    `${path} cannot be reached: ${reason}.`,
    'Use another path.',
  );
}

/** Returns true when the path does not exist. ENOTDIR is such a case: nothing exists below a file. */
function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function kindOf(found: BigIntStats): FileKind {
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'directory' : 'other';
}

/** Returns the identity of a file from its stats. */
export function identityOf(found: BigIntStats): FileIdentity {
  return { device: found.dev, inode: found.ino };
}

function isSame(one: FileIdentity, other: FileIdentity | undefined): boolean {
  return other !== undefined && one.device === other.device && one.inode === other.inode;
}
