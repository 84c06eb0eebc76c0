/** Removes old audit files. */
import { readdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import { dayOf, listAuditFiles, parseAuditFileName, readRecordLines, runOf, type AuditFile } from './auditFiles.ts';
import type { FileAuditLog } from './fileAuditLog.ts';
import { removedFiles } from './removals.ts';
import { withHead, type HeldHeads, type StoredHeads } from './storedHeads.ts';

/** A file with a write within this time belongs to a running window. */
const liveMilliseconds = 5 * 60_000;
const dayMilliseconds = 24 * 60 * 60_000;
/** Delay of the first removal, so that it does not slow down the start of the window. */
const firstAfter = 60_000;
/** Maximum size of all audit files together (docs/security.md, "Audit"). */
const mostBytes = 200 * 1024 * 1024;

export interface RetentionOptions {
  readonly state: StateFolder;
  readonly fileAuditLog: Pick<FileAuditLog, 'head' | 'event' | 'problem' | 'onDidRotate'>;
  readonly heads: StoredHeads;
  readonly clock: Clock;
  readonly retentionDays: () => number;
  /** Minimum number of days that an organization requires; they are kept even when they exceed `mostBytes`. */
  readonly leastDays?: () => number;
  readonly onError: (error: unknown) => void;
  /** Maximum size of all files together. */
  readonly mostBytes?: number;
}

/** Removes old records in the background: soon after the start, and whenever a new file begins. */
export function keepRetention(options: RetentionOptions): Subscription {
  const { fileAuditLog, clock, onError } = options;
  const run = (): void => void removeOldRecords(options).catch(onError);
  const first = clock.after(firstAfter, run);
  const rotations = fileAuditLog.onDidRotate(run);
  return {
    dispose() {
      first.dispose();
      rotations.dispose();
    },
  };
}

/** Removes files older than the configured days, and then the oldest files until the rest is at most `mostBytes`. */
export async function removeOldRecords(options: RetentionOptions): Promise<void> {
  if ((await listAuditFiles(options.state.audit)).length > 0)
    await options.heads.locked((held) => removeOld(options, held));
}

async function removeOld(options: RetentionOptions, held: HeldHeads): Promise<void> {
  const { state, fileAuditLog, clock, leastDays = () => 0 } = options;
  const files = await listAuditFiles(state.audit);
  const live = await livePaths(files, { state, fileAuditLog, clock });
  const oldestFirst = files.toSorted((a, b) => a.modified - b.modified || a.part - b.part);
  const oldest = oldestKept(options);
  const required = leastDays() === 0 ? Infinity : clock.now() - leastDays() * dayMilliseconds;
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const old: AuditFile[] = [];
  for (const file of oldestFirst) {
    const isKept = file.modified >= oldest && bytes <= (options.mostBytes ?? mostBytes);
    if (isKept || file.modified >= required || live.has(file.path)) continue;
    old.push(file);
    bytes -= file.bytes;
  }
  if (old.length === 0) return;
  await recordRemoval(old, 'age', { ...options, held, oldest });
  for (const { path } of old) await rm(path, { force: true });
}

/** Returns the time before which records are removed, in milliseconds since the epoch. */
export function oldestKept({
  clock,
  retentionDays,
  leastDays = () => 0,
}: Pick<RetentionOptions, 'clock' | 'retentionDays' | 'leastDays'>): number {
  return clock.now() - Math.max(retentionDays(), leastDays()) * dayMilliseconds;
}

interface RemovalOptions extends Pick<RetentionOptions, 'onError'> {
  readonly fileAuditLog: Pick<FileAuditLog, 'head' | 'event' | 'problem'>;
  readonly held: HeldHeads;
  /** Time before which records are removed. */
  readonly oldest: number;
}

/**
 * Writes into the record of this window which files are about to be removed, and stores its head with that line, so that
 * verification can tell a removal from tampering. What the removed files say about earlier removals is said again.
 * @throws when it cannot be recorded; no file may be removed then
 */
export async function recordRemoval(
  files: readonly AuditFile[],
  why: 'age' | 'user',
  { fileAuditLog, held, oldest, onError }: RemovalOptions,
): Promise<void> {
  const isKept = (name: string): boolean => (parseAuditFileName(name)?.day ?? '') >= dayOf(oldest);
  const removed = new Set(files.map(({ path }) => basename(path)));
  for (const { path } of files) for (const name of await earlierRemovals(path)) if (isKept(name)) removed.add(name);
  fileAuditLog.event({ event: 'records.removal', why, removed: [...removed].map((auditFile) => ({ auditFile })) });
  if (fileAuditLog.problem !== undefined) throw new Error(fileAuditLog.problem);
  try {
    const heads = (await held.read()).filter(({ auditFile }) => !removed.has(auditFile) && isKept(auditFile));
    await held.write(withHead(heads, fileAuditLog.head));
  } catch (error) {
    // Without the secret storage there are no heads that could miss the files.
    onError(error);
  }
}

async function earlierRemovals(path: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { bytes } of readRecordLines(path)) names.push(...removedFiles(bytes));
  } catch {
    // A file that cannot be read is removed all the same.
  }
  return names;
}

/**
 * Returns the paths of files to which a window still writes: the file of this window, files with a write within the last five
 * minutes, and the last file of each window that is published as running, even when that window is idle.
 */
export async function livePaths(
  files: readonly AuditFile[],
  {
    state,
    fileAuditLog,
    clock,
  }: Pick<RetentionOptions, 'state' | 'clock'> & { readonly fileAuditLog: Pick<FileAuditLog, 'head'> },
): Promise<ReadonlySet<string>> {
  const running = new Set(
    (await readdir(state.windows).catch((): string[] => [])).map((name) => name.replace(/\.json$/, '')),
  );
  const lastOfWindow = new Map(files.map((file) => [file.windowId, file.path]));
  const recently = clock.now() - liveMilliseconds;
  const live = files.filter(
    ({ path, windowId, modified }) =>
      modified >= recently || (running.has(windowId) && lastOfWindow.get(windowId) === path),
  );
  return new Set([fileAuditLog.head.path, ...live.map(({ path }) => path)]);
}

/** Returns the files of runs that have ended. */
export function finishedFiles(files: readonly AuditFile[], live: ReadonlySet<string>): readonly AuditFile[] {
  const running = new Set(files.filter(({ path }) => live.has(path)).map(runOf));
  return files.filter((file) => !running.has(runOf(file)));
}
