/** The history: texts and records that outlive a window's reload, and their store on disk. */
import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { readFlags } from '#base/openFlags.ts';
import { makePrivateFolder, type StateFolder } from '#home/stateFolder.ts';
import { shippedRetention, sweepHistory, type RetentionLimits, type Swept } from './historyRetention.ts';

/** The port to texts and small records that outlive a window's reload: pre-images, and the state of each approval. */
export interface History {
  /** Stores bytes under their SHA-256 (hex), which it returns. Flushed to the disk when it resolves. */
  putContent(bytes: Uint8Array): Promise<string>;
  /** Throws when the content is missing or damaged. */
  getContent(sha256: string): Promise<Uint8Array>;
  /** Replaces the record of that id. Flushed to the disk when it resolves. */
  putRecord(id: string, record: unknown): Promise<void>;
  /** Returns the records of this window, oldest first, without unreadable ones. */
  records(): Promise<readonly unknown[]>;
}

const mostRecords = 500;

/**
 * Stores texts and records below `~/.drawbridge/history`, readable by this user only. Contents are stored once, under their
 * SHA-256: `content/<first 2 digits>/<digits>`; records are `records/<windowId>/<id>.json`. Everything is written to a
 * temporary file, flushed and renamed, so that a crash leaves the old state or the new one.
 */
export class FileHistory implements History {
  readonly #state: StateFolder;
  readonly #contents: string;
  readonly #records: string;
  /** The newest write of each record, so that the next one comes after it. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor(state: StateFolder, windowId: string) {
    this.#state = state;
    this.#contents = join(state.history, 'content');
    this.#records = join(state.history, 'records', checkedId(windowId));
  }

  async putContent(bytes: Uint8Array): Promise<string> {
    const sha256 = hash(bytes);
    const path = this.#contentPath(sha256);
    if ((await holds(path, bytes)) && (await touch(path))) return sha256;
    await this.#makeFolder(join(this.#contents, sha256.slice(0, 2)));
    await writeWhole(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return sha256;
  }

  async getContent(sha256: string): Promise<Uint8Array> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError(`Not a SHA-256: ${sha256}`);
    const bytes = await readOwnFile(this.#contentPath(sha256)).catch((error: unknown) => {
      throw new Error('what was kept of it is no longer in the history', { cause: error });
    });
    if (hash(bytes) !== sha256) throw new Error(`what was kept of it (${sha256}) was damaged on the disk`);
    return bytes;
  }

  async putRecord(id: string, record: unknown): Promise<void> {
    const path = join(this.#records, `${checkedId(id)}.json`);
    const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
    const before = this.#writes.get(id) ?? Promise.resolve();
    const write = before
      .catch(() => undefined)
      .then(() => this.#makeFolder(this.#records))
      .then(() => writeWhole(path, bytes));
    this.#writes.set(id, write);
    try {
      await write;
    } finally {
      if (this.#writes.get(id) === write) this.#writes.delete(id);
    }
  }

  /** Returns the 500 records that were written last, in the order of writing. */
  async records(): Promise<readonly unknown[]> {
    const names = await readdir(this.#records).catch((): string[] => []);
    const files = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map(async (name) => {
          const path = join(this.#records, name);
          return { path, written: await writtenAt(path) };
        }),
    );
    const newest = files.toSorted((a, b) => a.written - b.written).slice(-mostRecords);
    const records: unknown[] = [];
    // Reads one at a time, since there may be more records than files that may be open at once.
    for (const { path } of newest) {
      const record = await readRecord(path);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** Deletes what exceeds the limits, of all windows of this user. */
  sweep(now: number, limits: RetentionLimits = shippedRetention): Promise<Swept> {
    return sweepHistory(this.#state.history, now, limits);
  }

  /** Deletes every finished change of all windows with its contents; waiting and applying approvals stay. */
  deleteAll(now: number): Promise<Swept> {
    // With this limit, every finished change is too old.
    return this.sweep(now, { ageMilliseconds: -Infinity, bytes: 0, graceMilliseconds: 60_000 });
  }

  #contentPath(sha256: string): string {
    return join(this.#contents, sha256.slice(0, 2), sha256);
  }

  async #makeFolder(folder: string): Promise<void> {
    makePrivateFolder(this.#state.home, this.#state.history);
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

/** Returns the id when it may be the name of a file or folder; throws otherwise. */
function checkedId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new RangeError(`Not an id: ${id}`);
  return id;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes and checks the size, since a full disk may take a part of a write without an error. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await writeFileAtomic(path, bytes, { mode: 0o600 });
  if ((await sizeOf(path)) !== bytes.length) throw new Error(`${path} could not be written whole`);
}

/** Returns the size of a regular file in bytes; undefined for anything else. */
async function sizeOf(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true ? stats.size : undefined;
}

/** Returns whether the file holds exactly these bytes, since it may have been damaged. */
async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes.length) return false;
  const found = await readOwnFile(path).catch(() => undefined);
  return found?.equals(bytes) === true;
}

/** Renews the file's time, so that no sweep of another window removes it before a record names it. Returns false when it is gone. */
async function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}

async function writtenAt(path: string): Promise<number> {
  return (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

async function readOwnFile(path: string): Promise<Buffer> {
  await using file = await open(path, readFlags);
  return await file.readFile();
}

async function readRecord(path: string): Promise<unknown> {
  try {
    const record: unknown = JSON.parse((await readOwnFile(path)).toString());
    return record;
  } catch {
    return undefined;
  }
}
