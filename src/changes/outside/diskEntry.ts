/** Looks at one directory entry as it is on disk, without following links. */
import { createHash } from 'node:crypto';
import { lstatSync, type BigIntStats } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { readFlags } from '#base/openFlags.ts';
import { crlfToLf } from './lineEnds.ts';

/** The name of a hash function that Git uses for its object ids. */
export type GitHash = 'sha1' | 'sha256';

/** The ids that Git gives to a blob, by the hash function of the repository, hex. */
type GitIds = Readonly<Record<GitHash, string>>;

/** A file or link that was read whole. */
export interface DiskFile {
  readonly kind: 'file' | 'link';
  /** Hex SHA-256 of the bytes; for a link, of its target. */
  readonly sha256: string;
  /** The ids that Git gives to a blob of these bytes, hex. */
  readonly gitIds: GitIds;
  /** The ids of the text with LF, as Git keeps it; absent unless all of its line ends are CRLF. */
  readonly lfIds?: GitIds;
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** The bytes are not UTF-8 text without NUL. False for a link. */
  readonly isBinary: boolean;
  /** Changes whenever the file does, even when its size and time of modification are set back. */
  readonly stamp: string;
}

/** `opaque`: a file that is too large or cannot be read. `missing`: nothing, or a folder. `other`: a pipe, socket or device. */
export type DiskEntry =
  | DiskFile
  | { readonly kind: 'opaque'; readonly size: number; readonly mode: number; readonly stamp: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other' };

/** Larger files are compared by size and time alone, and are never kept. */
export const mostFileBytes = 20 * 1024 * 1024;

/** Looks at an entry. A path below something that is no folder is missing. */
export async function lookAt(fsPath: string, mostBytes = mostFileBytes): Promise<DiskEntry> {
  return (await readEntry(fsPath, mostBytes)).entry;
}

/** Looks at an entry again, and reads it only when it changed since. */
export async function lookAgain(fsPath: string, known: DiskEntry | undefined): Promise<DiskEntry> {
  if (known !== undefined && 'stamp' in known && known.stamp === stampAt(fsPath)) return known;
  return lookAt(fsPath);
}

/** Looks at an entry and returns its bytes too; for a link, its target. */
export async function readEntry(
  fsPath: string,
  mostBytes = mostFileBytes,
): Promise<{ readonly entry: DiskEntry; readonly bytes?: Buffer }> {
  const stats = await lstat(fsPath, { bigint: true }).catch(() => undefined);
  // The files in a folder are looked at by themselves.
  if (stats === undefined || stats.isDirectory()) return { entry: { kind: 'missing' } };
  if (stats.isSymbolicLink()) {
    const bytes = await readlink(fsPath, 'buffer').catch(() => undefined);
    return bytes === undefined ? { entry: { kind: 'missing' } } : { entry: described('link', bytes, stats), bytes };
  }
  if (!stats.isFile()) return { entry: { kind: 'other' } };
  if (stats.size > mostBytes) return { entry: opaque(stats) };
  try {
    // The entry may have become a link or a pipe since.
    await using file = await open(fsPath, readFlags);
    const found = await file.stat({ bigint: true });
    if (!found.isFile()) return { entry: { kind: 'other' } };
    if (found.size > mostBytes) return { entry: opaque(found) };
    const bytes = await file.readFile();
    return { entry: described('file', bytes, await file.stat({ bigint: true })), bytes };
  } catch {
    return { entry: opaque(stats) };
  }
}

/** Returns a text that changes whenever a file does. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Returns the stamp of what is at a path; `missing` for nothing. */
export function stampAt(fsPath: string): string {
  const stats = lstatSync(fsPath, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'missing' : stampOf(stats);
}

/** Returns the stamp of an entry; its kind where it has none. */
export function stampIn(entry: DiskEntry): string {
  return 'stamp' in entry ? entry.stamp : entry.kind;
}

/** Returns the id of a blob with these bytes. */
export function gitBlobId(hash: GitHash, bytes: Uint8Array): string {
  return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Returns hex SHA-256. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function gitIdsOf(bytes: Uint8Array): GitIds {
  return { sha1: gitBlobId('sha1', bytes), sha256: gitBlobId('sha256', bytes) };
}

function described(kind: 'file' | 'link', bytes: Buffer, stats: BigIntStats): DiskFile {
  const lf = kind === 'file' ? crlfToLf(bytes) : undefined;
  return {
    kind,
    sha256: sha256Of(bytes),
    gitIds: gitIdsOf(bytes),
    ...(lf && { lfIds: gitIdsOf(lf) }),
    size: bytes.length,
    mode: Number(stats.mode & 0o7777n),
    isBinary: kind === 'file' && !isText(bytes),
    stamp: stampOf(stats),
  };
}

function opaque(stats: BigIntStats): DiskEntry {
  return { kind: 'opaque', size: Number(stats.size), mode: Number(stats.mode & 0o7777n), stamp: stampOf(stats) };
}

/** Returns whether bytes are UTF-8 text without NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
