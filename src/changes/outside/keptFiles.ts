/** Finds the files of a snapshot in its index on disk, because the paths of hundreds of thousands of files take too much memory. */
import { closeSync, openSync, readSync } from 'node:fs';
import { readFlags } from '#base/openFlags.ts';
import { TimeSlice } from '#base/timeSlice.ts';
import { type GitHash, sha256Of } from './diskEntry.ts';
import { EntryReader, headerBytes, headOfIndex } from './gitIndex.ts';
import { readPlace } from './gitPlaces.ts';

/** A file as Git keeps it. */
export interface KeptFile {
  /** 0o100644, 0o100755 or 0o120000 (link). */
  readonly mode: number;
  readonly id: string;
}

/** Entries that one read of the index brings: about 15 KB. */
const blockEntries = 128;

/** Entries of the index that follow each other. */
interface Block {
  /** Offset of the first entry. */
  readonly begin: number;
  /** Offset after the last entry. */
  readonly end: number;
  /** The name of the first entry. */
  readonly name: Buffer;
  /** The hash of the bytes: a program that writes into the index must not change what a file was. */
  readonly sha256: string;
}

/** The files in an index that nobody writes any more. It holds the first name and the hash of each block of entries. */
export class KeptFiles {
  readonly #path: string;
  readonly #hash: GitHash;
  readonly #blocks: readonly Block[];

  private constructor(path: string, hash: GitHash, blocks: readonly Block[]) {
    this.#path = path;
    this.#hash = hash;
    this.#blocks = blocks;
  }

  /**
   * Opens the index at a path (absolute). It must be of version 2 or 3: those of version 4 shorten each name by the one before it, so
   * that no block can be read alone.
   * @throws when it is damaged, of another version or not sorted
   */
  static async open(path: string, hash: GitHash): Promise<KeptFiles> {
    const bytes = (await readPlace(path))?.bytes;
    const head = bytes && (await headOfIndex(bytes, hash));
    if (bytes === undefined || head === undefined || head.version > 3)
      throw new Error('The index of the snapshot is not understood.');
    const reader = new EntryReader(bytes, hash, head.version, headerBytes, head.end);
    const blocks: Block[] = [];
    const slice = new TimeSlice();
    let last: Buffer = Buffer.alloc(0);
    for (let left = head.entries; left > 0; left -= blockEntries) {
      if (slice.isUsedUp) await slice.yieldToEventLoop();
      const begin = reader.at;
      const names = Array.from({ length: Math.min(left, blockEntries) }, () => reader.next().name);
      for (const name of names) {
        if (last.compare(name) >= 0) throw new Error('The index of the snapshot is not sorted.');
        last = name;
      }
      // The name is copied, because a part of the bytes would keep all of them in memory.
      const name = Buffer.from(names[0] ?? '');
      blocks.push({ begin, end: reader.at, name, sha256: sha256Of(bytes.subarray(begin, reader.at)) });
    }
    return new KeptFiles(path, hash, blocks);
  }

  /**
   * Returns the file with this path (relative to the work tree, with `/`); undefined when the index has none.
   * @throws when the index cannot be read or was changed
   */
  find(path: string): KeptFile | undefined {
    const wanted = Buffer.from(path);
    const block = this.#blockOf(wanted);
    if (block === undefined) return undefined;
    const bytes = readPart(this.#path, block.begin, block.end - block.begin);
    if (sha256Of(bytes) !== block.sha256) throw new Error('The index of the snapshot was changed.');
    // Versions 2 and 3 have the same entries.
    const reader = new EntryReader(bytes, this.#hash, 2, 0, bytes.length);
    while (reader.at < bytes.length) {
      const { name, mode, id } = reader.next();
      if (name.equals(wanted)) return { mode, id };
    }
    return undefined;
  }

  /** Returns the last block whose first name does not come after this name. */
  #blockOf(name: Buffer): Block | undefined {
    let [first, end] = [0, this.#blocks.length];
    while (first < end) {
      const middle = Math.floor((first + end) / 2);
      if ((this.#blocks[middle]?.name.compare(name) ?? 1) > 0) end = middle;
      else first = middle + 1;
    }
    return this.#blocks[first - 1];
  }
}

/** Reads a part of a file, or less where the file ends before. */
function readPart(path: string, position: number, length: number): Buffer {
  const descriptor = openSync(path, readFlags);
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}
