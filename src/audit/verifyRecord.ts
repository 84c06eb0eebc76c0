/** Verifies the whole record: the chain of each run, its end, and that no run is missing. */
import { messageOf } from '#base/messageOf.ts';
import { dayOf, listAuditFiles, parseAuditFileName, runOf, type AuditFile, type AuditFileName } from './auditFiles.ts';
import type { ChainHead } from './chainedFiles.ts';
import { carriedEnds, type RunEnd } from './runEnds.ts';
import { runOfFile, type StoredHeads } from './storedHeads.ts';
import { verifyRun, type RunReport } from './verifyRun.ts';

/** The result of checking the record. */
export interface RecordReport {
  readonly runs: readonly RunReport[];
  /** Name of the last known file of each run of which nothing is left, though no removal is recorded. */
  readonly missing: readonly string[];
  /** Number of runs of which nothing is left, as only a run without a stored head records it. */
  readonly unconfirmed: number;
  /** Number of runs whose first files are missing, though no removal is recorded. */
  readonly unrecorded: number;
  /** Number of chained runs, except that of this window, whose head the secret storage does not have. */
  readonly withoutHead: number;
  /** Why the stored heads could not be read. */
  readonly problem: string | undefined;
}

export interface VerifyRecordOptions {
  readonly folder: string;
  /** Returns the end of the run that this window writes. */
  readonly head: () => ChainHead;
  readonly heads: StoredHeads;
  /** Runs of days before this time (milliseconds since the epoch) may have been removed because of their age. */
  readonly oldest: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (percent: number) => void;
}

/** A file whose removal a line of a run records. */
interface Removal {
  readonly run: string;
  readonly seq: number;
}

/** @throws when the signal is aborted, or another window does not release the lock of the record */
export async function verifyRecord(options: VerifyRecordOptions): Promise<RecordReport> {
  const { signal, onProgress } = options;
  const { stored, problem, carried, files, head } = await takeStock(options);
  const ends = Map.groupBy([...stored, ...carried], ({ auditFile }) => runOfFile(auditFile));
  const heads = new Map(stored.map((end) => [runOfFile(end.auditFile), end]));
  const own = runOf(head);
  const all = Math.max(
    1,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const runs = Map.groupBy(files, runOf);
  // The run of this window is checked even when all its files are missing.
  if (!runs.has(own)) runs.set(own, []);
  const removals = new Map<string, Removal[]>();
  const reports = new Map<string, RunReport>();
  for (const [run, parts] of runs) {
    const report = await verifyRun(parts, {
      ...(run === own && { head }),
      ends: ends.get(run) ?? [],
      ...(signal && { signal }),
      onFile: (bytes) => onProgress?.((bytes / all) * 100),
      onRemoval(seq, removed) {
        for (const name of removed) removals.set(name, [...(removals.get(name) ?? []), { run, seq }]);
      },
    });
    reports.set(run, report);
  }
  const isConfirmed = ({ run, seq }: Removal): boolean => run === own || seq <= (heads.get(run)?.seq ?? 0);
  const missing: string[] = [];
  let unconfirmed = 0;
  for (const [run, known] of ends) {
    if (run === undefined || runs.has(run)) continue;
    const { auditFile } = known.reduce((last, end) => (end.seq > last.seq ? end : last));
    const told = removals.get(auditFile) ?? [];
    if ((parseAuditFileName(auditFile)?.day ?? '') < dayOf(options.oldest) || told.some(isConfirmed)) continue;
    if (told.some((removal) => !heads.has(removal.run))) unconfirmed += 1;
    else missing.push(auditFile);
  }
  const removedParts = new Set([...removals.keys()].map((name) => partOf(parseAuditFileName(name))));
  const isUnrecorded = ([first]: readonly AuditFile[]): boolean =>
    first !== undefined && first.part > 1 && !removedParts.has(partOf({ ...first, part: first.part - 1 }));
  return {
    runs: [...reports.values()],
    missing,
    unconfirmed,
    unrecorded: [...runs.values()].filter(isUnrecorded).length,
    withoutHead: [...reports].filter(
      ([run, { isChained, files: count }]) => isChained && count > 0 && run !== own && !heads.has(run),
    ).length,
    problem,
  };
}

/** Reads what is known of the ends before the files themselves, so that each file reaches the end that is known of it. */
async function takeStock({ folder, head, heads }: VerifyRecordOptions) {
  return heads.locked(async (held) => {
    let problem: string | undefined;
    const stored = await held.read().catch((error: unknown): readonly RunEnd[] => {
      problem = messageOf(error);
      return [];
    });
    const carried: RunEnd[] = [];
    for (const { path, part } of await listAuditFiles(folder)) {
      if (part === 1) carried.push(...((await carriedEnds(path)) ?? []));
    }
    return { stored, problem, carried, files: await listAuditFiles(folder), head: head() };
  });
}

function partOf(name: AuditFileName | undefined): string | undefined {
  return name && `${runOf(name)}.${name.part}`;
}
