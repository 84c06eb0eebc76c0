import { lstatSync, unlinkSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

export interface RetentionLimits {
  /** Records of finished changes are kept this long after they were last written. */
  readonly ageMilliseconds: number;
  /** Of all contents together; the oldest finished changes go until they fit. */
  readonly bytes: number;
  /** A content that no record names may belong to one that is about to be written: it is kept this long. */
  readonly graceMilliseconds: number;
}

/** How long texts are kept (docs/security.md, "History and undo"). */
export const shippedRetention: RetentionLimits = {
  ageMilliseconds: 14 * 24 * 60 * 60_000,
  bytes: 500 * 1024 * 1024,
  graceMilliseconds: 60 * 60_000,
};

/** What was deleted. */
export interface Swept {
  readonly records: number;
  readonly contents: number;
  readonly bytes: number;
}

interface StoredRecord {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly written: number;
  /** It waits, is being applied, or is being undone: it stays, whatever its age. */
  readonly isOpen: boolean;
  /** Hashes that it names. */
  readonly contents: ReadonlySet<string>;
}

interface StoredContent {
  readonly path: string;
  readonly size: number;
  readonly written: number;
}

/** As much of a record, of any version, as tells whether it may go. */
const recordState = z.object({
  approval: z.object({ state: z.string(), expiresAt: z.number().optional() }),
  pending: z.unknown().optional(),
});

export interface KeepHistoryOptions {
  readonly history: { sweep(now: number, limits: RetentionLimits): Promise<unknown> };
  readonly clock: Clock;
  /** Read each time, so that a changed setting counts. */
  readonly maxMegabytes: () => number;
  readonly onError: (error: unknown) => void;
}

const [afterStart, daily] = [60_000, 24 * 60 * 60_000];

/** Sweeps the history a minute after the start and once a day; nothing waits for it. */
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
 * Deletes what is too old or too much, over the records of all windows: first records, then the contents that no record names
 * any more. Windows may do so at the same time.
 * @param folder of the history, with `records` and `content` in it
 * @throws when something cannot be read now, since it may name what would be deleted; nothing is deleted then
 */
export async function sweepHistory(folder: string, now: number, limits: RetentionLimits): Promise<Swept> {
  // Contents before records: what is written in between is then among the records, or younger than the grace.
  const contents = await storedContents(join(folder, 'content'));
  const records = await storedRecords(join(folder, 'records'), now, limits);
  // What its window has written again meanwhile, since it is being undone for example, stays.
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

/** Too old; then the oldest of those that are left, until their contents fit. */
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

/** One after the other: there may be more of them than files that may be open at a time. */
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

/** None in what is not there, or is no folder. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** A file of another name is what is being written, or what a crash left of that. */
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

/** What cannot be understood goes by its age; so does a card whose window never came back to end it. */
function isOpenRecord(text: string, now: number): boolean {
  try {
    const { data } = recordState.safeParse(JSON.parse(text));
    if (data === undefined) return false;
    const { state, expiresAt = Infinity } = data.approval;
    if (state === 'waiting') return now < expiresAt + shippedRetention.ageMilliseconds;
    return state === 'applying' || data.pending !== undefined;
  } catch {
    return false;
  }
}

/** By hash, or by their names where a crash left a part of one. */
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

/** In one turn with the look at its time: another window that needs it again touches it first. */
function removeOlder(path: string, time: number): boolean {
  try {
    if (lstatSync(path).mtimeMs > time) return false;
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
