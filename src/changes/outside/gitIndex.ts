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

/** Bytes of an object id. */
export const idBytes: Readonly<Record<GitHash, number>> = { sha1: 20, sha256: 32 };
const statBytes = 40;
/** Offset of the first entry. */
export const headerBytes = 12;

/** An entry in the bytes of an index. Its texts are made when they are asked for: those of all entries take too much memory. */
class ParsedEntry implements IndexEntry {
  readonly #bytes: Buffer;
  readonly #begin: number;
  readonly #idEnd: number;
  readonly #named: Buffer;
  readonly #nameBegin: number;
  readonly #nameEnd: number;

  constructor(bytes: Buffer, begin: number, idEnd: number, named: Buffer, nameBegin: number, nameEnd: number) {
    this.#bytes = bytes;
    this.#begin = begin;
    this.#idEnd = idEnd;
    this.#named = named;
    this.#nameBegin = nameBegin;
    this.#nameEnd = nameEnd;
  }

  get path(): string {
    return this.#named.toString('utf8', this.#nameBegin, this.#nameEnd);
  }

  get name(): Buffer {
    return this.#named.subarray(this.#nameBegin, this.#nameEnd);
  }

  get mode(): number {
    return this.#bytes.readUInt32BE(this.#begin + 24);
  }

  get id(): string {
    return this.#bytes.toString('hex', this.#begin + statBytes, this.#idEnd);
  }

  get size(): number {
    return this.#bytes.readUInt32BE(this.#begin + 36);
  }

  get stage(): number {
    return (this.#bytes.readUInt16BE(this.#idEnd) >> 12) & 3;
  }

  get isIntended(): boolean {
    return isExtended(this.#bytes, this.#idEnd) && (this.#bytes.readUInt16BE(this.#idEnd + 2) & 0x2000) !== 0;
  }

  get stat(): Buffer {
    return this.#bytes.subarray(this.#begin, this.#begin + statBytes);
  }
}

/** Reads entries of an index one after the other. */
export class EntryReader {
  /** Offset of the next entry. */
  at: number;
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #idLength: number;
  /** Names of version 4 repeat the beginning of the name before them; undefined in other versions. */
  #nameBefore: Buffer | undefined;

  /**
   * @param bytes those of an index, or of a part of one
   * @param begin offset of the first entry
   * @param end no entry reaches beyond it
   */
  constructor(bytes: Buffer, hash: GitHash, version: number, begin: number, end: number) {
    this.#bytes = bytes;
    this.at = begin;
    this.#end = end;
    this.#idLength = idBytes[hash];
    this.#nameBefore = version === 4 ? Buffer.alloc(0) : undefined;
  }

  /** Returns the next entry. @throws {RangeError} when the bytes end in the middle of it */
  next(): IndexEntry {
    const bytes = this.#bytes;
    const begin = this.at;
    const idEnd = begin + statBytes + this.#idLength;
    let at = idEnd + (isExtended(bytes, idEnd) ? 4 : 2);
    let repeated = 0;
    if (this.#nameBefore !== undefined) {
      const strip = readOffset(bytes, at);
      at = strip.next;
      repeated = this.#nameBefore.length - strip.value;
    }
    const nameEnd = bytes.indexOf(0, at);
    if (repeated < 0 || nameEnd < 0 || nameEnd >= this.#end)
      throw new RangeError('The index ends in the middle of an entry.');
    if (this.#nameBefore === undefined) {
      this.at = begin + paddedLength(nameEnd - begin);
      return new ParsedEntry(bytes, begin, idEnd, bytes, at, nameEnd);
    }
    this.at = nameEnd + 1;
    const name = Buffer.concat([this.#nameBefore.subarray(0, repeated), bytes.subarray(at, nameEnd)]);
    this.#nameBefore = name;
    return new ParsedEntry(bytes, begin, idEnd, name, 0, name.length);
  }
}

/**
 * Returns the entries of an index. Returns undefined for one that cannot be used by itself: split, sparse, damaged, or of a version
 * other than 2 to 4.
 */
export async function parseIndex(bytes: Buffer, hash: GitHash): Promise<readonly IndexEntry[] | undefined> {
  try {
    const head = await headOfIndex(bytes, hash);
    if (head === undefined) return undefined;
    const entries: IndexEntry[] = [];
    const reader = new EntryReader(bytes, hash, head.version, headerBytes, head.end);
    const slice = new TimeSlice();
    for (let count = head.entries; count > 0; count -= 1) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      entries.push(reader.next());
    }
    return hasOnlyOptionalExtensions(bytes, reader.at, head.end) ? entries : undefined;
  } catch (error) {
    // It ends in the middle of an entry.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The header of an index, with the place of its checksum. */
interface IndexHead {
  readonly version: number;
  /** Number of entries. */
  readonly entries: number;
  /** Offset of the checksum. */
  readonly end: number;
}

/**
 * Returns the header of an index; undefined when the index is damaged or of a version other than 2 to 4.
 * @throws {RangeError} when it is shorter than its header
 */
export async function headOfIndex(bytes: Buffer, hash: GitHash): Promise<IndexHead | undefined> {
  const end = bytes.length - idBytes[hash];
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4 || end < headerBytes) return undefined;
  const checksum = bytes.subarray(end);
  // With `index.skipHash`, the checksum is zero.
  const isSummed = checksum.some((byte) => byte !== 0);
  if (isSummed && !(await digestOf(bytes.subarray(0, end), hash)).equals(checksum)) return undefined;
  return { version, entries: bytes.readUInt32BE(8), end };
}

function isExtended(bytes: Buffer, flags: number): boolean {
  return (bytes.readUInt16BE(flags) & 0x4000) !== 0;
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
  const slice = new TimeSlice();
  const fixed = statBytes + idBytes[hash] + 2;
  let end = headerBytes;
  for (const { name } of entries) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    end += paddedLength(fixed + name.length);
  }
  const bytes = Buffer.alloc(end + idBytes[hash]);
  bytes.write('DIRC', 'latin1');
  bytes.writeUInt32BE(2, 4);
  bytes.writeUInt32BE(entries.length, 8);
  let at = headerBytes;
  for (const { stat, id, name } of entries) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    stat.copy(bytes, at);
    bytes.write(id, at + statBytes, 'hex');
    bytes.writeUInt16BE(Math.min(name.length, 0xfff), at + fixed - 2);
    name.copy(bytes, at + fixed);
    at += paddedLength(fixed + name.length);
  }
  (await digestOf(bytes.subarray(0, end), hash)).copy(bytes, end);
  return bytes;
}

/** The digest of so many bytes takes less than a time slice. */
const digestedAtOnce = 1024 * 1024;

async function digestOf(bytes: Buffer, hash: GitHash): Promise<Buffer> {
  const digest = createHash(hash);
  const slice = new TimeSlice();
  for (let at = 0; at < bytes.length; at += digestedAtOnce) {
    if (slice.isUsedUp) await slice.yieldToEventLoop();
    digest.update(bytes.subarray(at, at + digestedAtOnce));
  }
  return digest.digest();
}
