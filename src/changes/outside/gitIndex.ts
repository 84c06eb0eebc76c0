/** Reads and writes the index of a Git work tree (gitformat-index(5)), without Git. */
import { createHash } from 'node:crypto';
import { TimeSlice } from '#base/timeSlice.ts';
import type { GitHash } from './diskEntry.ts';

/** An entry of an index. */
export interface IndexEntry {
  /** Relative to the work tree, with `/`. Not exact where the name is not UTF-8. */
  readonly path: string;
  readonly name: Buffer;
  /** 0o100644, 0o100755, 0o120000 (link) or 0o160000 (another repository). */
  readonly mode: number;
  readonly id: string;
  /** Size of the file at its last look, modulo 2^32; 0 when Git must read the file to compare. */
  readonly size: number;
  /** 0, or 1 to 3 in a conflict. */
  readonly stage: number;
  /** `git add --intent-to-add`: the entry has no content yet. */
  readonly isIntended: boolean;
  /** The first 40 bytes: times, device, inode, mode, owner and size. */
  readonly stat: Buffer;
}

const idBytes: Readonly<Record<GitHash, number>> = { sha1: 20, sha256: 32 };
const statBytes = 40;

/**
 * Returns the entries of an index. Returns undefined for one that cannot be used by itself: split, sparse, damaged, or of a version
 * other than 2 to 4.
 */
export async function parseIndex(bytes: Buffer, hash: GitHash): Promise<readonly IndexEntry[] | undefined> {
  try {
    return await entriesOf(bytes, hash);
  } catch (error) {
    // It ends in the middle of an entry.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function entriesOf(bytes: Buffer, hash: GitHash): Promise<readonly IndexEntry[] | undefined> {
  const end = bytes.length - idBytes[hash];
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4 || end < 12) return undefined;
  const checksum = bytes.subarray(end);
  // With `index.skipHash`, the checksum is zero.
  const isSummed = checksum.some((byte) => byte !== 0);
  if (isSummed && !(await digestOf([bytes.subarray(0, end)], hash)).equals(checksum)) return undefined;
  const entries: IndexEntry[] = [];
  let at = 12;
  let before = Buffer.alloc(0);
  const slice = new TimeSlice();
  for (let count = bytes.readUInt32BE(8); count > 0; count -= 1) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    const begin = at;
    const id = bytes.toString('hex', begin + statBytes, begin + statBytes + idBytes[hash]);
    const flags = bytes.readUInt16BE(begin + statBytes + idBytes[hash]);
    at = begin + statBytes + idBytes[hash] + 2;
    const isExtended = (flags & 0x4000) !== 0;
    const extended = isExtended ? bytes.readUInt16BE(at) : 0;
    if (isExtended) at += 2;
    let kept = 0;
    if (version === 4) {
      const strip = readOffset(bytes, at);
      at = strip.next;
      kept = before.length - strip.value;
      if (kept < 0) return undefined;
    }
    const nameEnd = bytes.indexOf(0, at);
    if (nameEnd < 0 || nameEnd >= end) return undefined;
    const name = Buffer.concat([before.subarray(0, kept), bytes.subarray(at, nameEnd)]);
    at = version === 4 ? nameEnd + 1 : begin + paddedLength(nameEnd - begin);
    before = name;
    entries.push({
      path: name.toString(),
      name,
      mode: bytes.readUInt32BE(begin + 24),
      id,
      size: bytes.readUInt32BE(begin + 36),
      stage: (flags >> 12) & 3,
      isIntended: (extended & 0x2000) !== 0,
      stat: bytes.subarray(begin, begin + statBytes),
    });
  }
  return hasOnlyOptionalExtensions(bytes, at, end) ? entries : undefined;
}

/** Extensions that begin with a small letter change the meaning of the entries, such as `link` (split) and `sdir` (sparse). */
function hasOnlyOptionalExtensions(bytes: Buffer, begin: number, end: number): boolean {
  for (let at = begin; at < end; at += 8 + bytes.readUInt32BE(at + 4)) {
    const first = bytes.readUInt8(at);
    if (first < 0x41 || first > 0x5a) return false;
  }
  return true;
}

/** Reads a number of variable length, as pack files have them. */
function readOffset(bytes: Buffer, begin: number): { readonly value: number; readonly next: number } {
  let byte = bytes.readUInt8(begin);
  let value = byte & 0x7f;
  let next = begin + 1;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next);
    value = (value + 1) * 128 + (byte & 0x7f);
    next += 1;
  }
  return { value, next };
}

/** Entries end with one to eight NUL, at a multiple of eight bytes. */
function paddedLength(length: number): number {
  return (length + 8) & ~7;
}

/**
 * Returns an index of version 2 with these entries, which must be in their order. It has no extensions and no flags, so no entry is
 * assumed to be unchanged, and nothing is remembered of untracked files.
 */
export async function writeIndex(entries: readonly IndexEntry[], hash: GitHash): Promise<Buffer> {
  const header = Buffer.alloc(12);
  header.write('DIRC', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const pieces: Buffer[] = [header];
  const slice = new TimeSlice();
  for (const { stat, id, name } of entries) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    const fixed = statBytes + idBytes[hash] + 2;
    const entry = Buffer.alloc(paddedLength(fixed + name.length));
    stat.copy(entry);
    entry.write(id, statBytes, 'hex');
    entry.writeUInt16BE(Math.min(name.length, 0xfff), fixed - 2);
    name.copy(entry, fixed);
    pieces.push(entry);
  }
  pieces.push(await digestOf(pieces, hash));
  return Buffer.concat(pieces);
}

/** The digest of so many bytes takes less than a time slice. */
const digestedAtOnce = 1024 * 1024;

/** Returns the digest of the pieces, one after the other. */
async function digestOf(pieces: readonly Buffer[], hash: GitHash): Promise<Buffer> {
  const digest = createHash(hash);
  const slice = new TimeSlice();
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += digestedAtOnce) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      digest.update(piece.subarray(at, at + digestedAtOnce));
    }
  }
  return digest.digest();
}
