/** Limits the history by age and size, and sweeps it regularly. */
import { lstatSync, unlinkSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

export interface RetentionLimits {
  /** Records of finished changes are kept this long after they were last written. */
  readonly ageMilliseconds: number;
  /** The limit for all contents together; the oldest finished changes are deleted until they fit. */
  readonly bytes: number;
  /** A content that no record names is kept this long, since its record may be about to be written. */
  readonly graceMilliseconds: number;
}

/** How long texts are kept (docs/security.md, "History and undo"). */
export const shippedRetention: RetentionLimits = {
  ageMilliseconds: 14 * 24 * 60 * 60_000,
  bytes: 500 * 1024 * 1024,
  graceMilliseconds: 60 * 60_000,
};

/** The counts of deleted records, contents and bytes. */
export interface Swept {
  readonly records: number;
  readonly contents: number;
  readonly bytes: number;
}

interface StoredRecord {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly written: number;
  /** True for an approval that waits, is being applied or undone: it is never deleted, whatever its age. */
  readonly isOpen: boolean;
  /** The hashes that the record names. */
  readonly contents: ReadonlySet<string>;
}

interface StoredContent {
  readonly path: string;
  readonly size: number;
  readonly written: number;
}

/** The part of a record of any version that says whether it may be deleted. */
const recordState = z.object({
  approval: z.object({ state: z.string(), expiresAt: z.number().optional() }),
  pending: z.unknown().optional(),
});

export interface KeepHistoryOptions {
  readonly history: { sweep(now: number, limits: RetentionLimits): Promise<unknown> };
  readonly clock: Clock;
  /** Called at each sweep, so that a changed setting counts. */
  readonly maxMegabytes: () => number;
  readonly onError: (error: unknown) => void;
}

const [afterStart, daily] = [60_000, 24 * 60 * 60_000];

/** Sweeps the history a minute after the start and once a day, in the background. */
export function keepHistory({ history, clock, maxMegabytes, onError }: KeepHistoryOptions): Subscription {
  let timer: Subscription;
  const sweep = (): void => {
    timer = clock.after(daily, sweep);
    history.sweep(clock.now(), { ...shippedRetention, bytes: maxMegabytes() * 1024 * 1024 }).catch(onError);
  };
  timer = clock.after(afterStart, sweep);
  return { dispose: () => timer.dispose() };
}

/**
 * Deletes what exceeds the limits, over the records of all windows: first records, then the contents that no record names any
 * more. Several windows may sweep at the same time.
 * @param folder of the history, with `records` and `content` in it
 * @throws when a record cannot be read, since it may name a content; nothing is deleted then
 */
export async function sweepHistory(folder: string, now: number, limits: RetentionLimits): Promise<Swept> {
  // Contents are listed before records: what is written in between is then named by a record, or younger than the grace.
  const contents = await storedContents(join(folder, 'content'));
  const records = await storedRecords(join(folder, 'records'), now, limits);
  // A record that its window has written again meanwhile stays, for example when the change is being undone.
  const leaving = leavingRecords(records, contents, now, limits).filter(({ path, written }) =>
    removeOlder(path, written),
  );
  const staying = records.filter((record) => !leaving.includes(record));
  const named = new Set(staying.flatMap((record) => [...record.contents]));
  let [count, bytes] = [0, 0];
  for (const [sha256, { path, size }] of contents) {
    if (named.has(sha256) || !removeOlder(path, now - limits.graceMilliseconds)) continue;
    count += 1;
    bytes += size;
  }
  return { records: leaving.length, contents: count, bytes };
}

/** Returns the records that are too old, then the oldest others until the remaining contents fit. */
function leavingRecords(
  records: readonly StoredRecord[],
  contents: ReadonlyMap<string, StoredContent>,
  now: number,
  { ageMilliseconds, bytes }: RetentionLimits,
): readonly StoredRecord[] {
  const finished = records.filter(({ isOpen }) => !isOpen).toSorted((a, b) => a.written - b.written);
  const users = new Map<string, number>();
  for (const record of records) for (const sha256 of record.contents) users.set(sha256, (users.get(sha256) ?? 0) + 1);
  let kept = 0;
  for (const sha256 of users.keys()) kept += contents.get(sha256)?.size ?? 0;
  const leaving: StoredRecord[] = [];
  for (const record of finished) {
    if (record.written > now - ageMilliseconds && kept <= bytes) break;
    leaving.push(record);
    for (const sha256 of record.contents) {
      const left = (users.get(sha256) ?? 1) - 1;
      users.set(sha256, left);
      if (left === 0) kept -= contents.get(sha256)?.size ?? 0;
    }
  }
  return leaving;
}

/** Reads one at a time, since there may be more records than files that may be open at once. */
async function storedRecords(
  folder: string,
  now: number,
  { graceMilliseconds }: RetentionLimits,
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (const windowId of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, windowId))) {
      const record = await storedRecord(join(folder, windowId, name), now, now - graceMilliseconds);
      if (record !== undefined) found.push(record);
    }
  }
  return found;
}

/** Returns the names in a folder; none when it is missing or no folder. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** Reads a record. A file that is not `.json` is being written, or was left by a crash. */
async function storedRecord(path: string, now: number, graceEnd: number): Promise<StoredRecord | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) return undefined;
    const written = found.mtimeMs;
    if (!path.endsWith('.json')) return { path, written, isOpen: written > graceEnd, contents: new Set() };
    const text = await readFile(path, 'utf8');
    return { path, written, isOpen: isOpenRecord(text, now), contents: new Set(text.match(/\b[0-9a-f]{64}\b/g)) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Returns whether the record must stay. An unreadable record, or a card whose window never came back, is deleted by its age. */
function isOpenRecord(text: string, now: number): boolean {
  try {
    const { data } = recordState.safeParse(JSON.parse(text));
    if (data === undefined) return false;
    const { state, expiresAt = Infinity } = data.approval;
    if (state === 'waiting') return now < expiresAt + shippedRetention.ageMilliseconds;
    return state === 'applying' || state === 'partly_applied' || data.pending !== undefined;
  } catch {
    return false;
  }
}

/** Returns the contents by hash, or by file name for a partial write that a crash left. */
async function storedContents(folder: string): Promise<ReadonlyMap<string, StoredContent>> {
  const contents = new Map<string, StoredContent>();
  for (const part of await readdir(folder).catch((): string[] => [])) {
    for (const name of await readdir(join(folder, part)).catch((): string[] => [])) {
      const path = join(folder, part, name);
      const found = await lstat(path).catch(() => undefined);
      if (found?.isFile() === true) contents.set(name, { path, size: found.size, written: found.mtimeMs });
    }
  }
  return contents;
}

/** Deletes the file when it is older. Checks and deletes synchronously, since another window touches a file that it needs again. */
function removeOlder(path: string, time: number): boolean {
  try {
    if (lstatSync(path).mtimeMs > time) return false;
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
