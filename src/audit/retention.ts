import { readdir, rm } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import { listAuditFiles, runOf, type AuditFile } from './auditFiles.ts';
import type { FileAuditLog } from './fileAuditLog.ts';

/** A file that was written to so recently belongs to a window that runs. */
const liveMilliseconds = 5 * 60_000;
const dayMilliseconds = 24 * 60 * 60_000;
/** Long enough after the start of a window not to be in its way. */
const firstAfter = 60_000;
/** How long records are kept (docs/security.md, "Audit"). */
const mostBytes = 200 * 1024 * 1024;

export interface RetentionOptions {
  readonly state: StateFolder;
  readonly fileAuditLog: Pick<FileAuditLog, 'head' | 'onDidRotate'>;
  readonly clock: Clock;
  readonly retentionDays: () => number;
  /** So many days are kept even when they are too much; an organization may ask for it. */
  readonly leastDays?: () => number;
  readonly onError: (error: unknown) => void;
  /** Of all files together. */
  readonly mostBytes?: number;
}

/** Removes old records in the background: soon after the start, and whenever a new file is begun. */
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

/** Removes records older than the days that are set, then the oldest ones until the rest is small enough. */
export async function removeOldRecords(options: Omit<RetentionOptions, 'onError'>): Promise<void> {
  const { state, fileAuditLog, clock, retentionDays, leastDays = () => 0 } = options;
  const files = await listAuditFiles(state.audit);
  const live = await livePaths(files, { state, fileAuditLog, clock });
  const oldestFirst = files.toSorted((a, b) => a.modified - b.modified || a.part - b.part);
  const oldest = clock.now() - Math.max(retentionDays(), leastDays()) * dayMilliseconds;
  const required = leastDays() === 0 ? Infinity : clock.now() - leastDays() * dayMilliseconds;
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of oldestFirst) {
    const isKept = file.modified >= oldest && bytes <= (options.mostBytes ?? mostBytes);
    if (isKept || file.modified >= required || live.has(file.path)) continue;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
  }
}

/**
 * Files to which a window still writes: ours, those that were written to within five minutes, and the last one of each window
 * that says that it runs, however quiet it is.
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

/** Files of runs that have ended. */
export function finishedFiles(files: readonly AuditFile[], live: ReadonlySet<string>): readonly AuditFile[] {
  const running = new Set(files.filter(({ path }) => live.has(path)).map(runOf));
  return files.filter((file) => !running.has(runOf(file)));
}
