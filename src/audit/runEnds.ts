/** Reads the ends of runs, which the first line of a later run carries. */
import { basename } from 'node:path';
import * as z from 'zod';
import { listAuditFiles, readLastLines, readRecordLines, runOf, type AuditFile } from './auditFiles.ts';
import { isSealIntact, readSeal, sequenceOf } from './hashChain.ts';

/** A line that a run had reached at some time. The run may have continued after it, but it never lacks this line. */
export interface RunEnd {
  /** Name of the file that holds the line. */
  readonly auditFile: string;
  readonly seq: number;
  /** Hash of the line. */
  readonly hash: string;
}

export const runEnd = z.object({
  auditFile: z.string(),
  seq: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** How much earlier than the last run began a file may have been written, so that clocks may differ and runs may start at once. */
const marginMilliseconds = 60_000;
/** The first run of this version finds up to thirty days of runs. */
const mostEnds = 200;

/** Returns the ends of the runs that wrote since the newest run that carries such ends, so that the next run can carry them. */
export async function readRunEnds(folder: string, now: number): Promise<readonly RunEnd[]> {
  const files = await listAuditFiles(folder);
  const since = (await lastCarrier(files, now)) - marginMilliseconds;
  const runs = [...Map.groupBy(files, runOf).values()].filter((parts) =>
    parts.some(({ modified }) => modified >= since),
  );
  const ends = await Promise.all(runs.slice(-mostEnds).map(endOfRun));
  return ends.flatMap((end) => end ?? []);
}

/** Returns the ends that the first line of a run carries; undefined when that line is damaged or carries none. */
export async function carriedEnds(path: string): Promise<readonly RunEnd[] | undefined> {
  try {
    for await (const { bytes } of readRecordLines(path)) {
      const seal = readSeal(bytes);
      if (seal === undefined || !isSealIntact(bytes, seal)) return undefined;
      return z.object({ before: z.array(runEnd) }).safeParse(JSON.parse(bytes.toString('utf8'))).data?.before;
    }
  } catch {
    // A file that cannot be read is named when its own run is verified.
  }
  return undefined;
}

async function lastCarrier(files: readonly AuditFile[], now: number): Promise<number> {
  for (const { path, part, start } of files.toReversed()) {
    if (part === 1 && start <= now && (await carriedEnds(path)) !== undefined) return start;
  }
  return -Infinity;
}

/** Returns the last intact line of a run; a window may have been killed in the middle of a line, or before the first of a file. */
async function endOfRun(parts: readonly AuditFile[]): Promise<RunEnd | undefined> {
  for (const { path } of parts.toReversed()) {
    for (const line of (await readLastLines(path)).toReversed()) {
      const seal = readSeal(line);
      const seq = sequenceOf(line);
      if (seal !== undefined && seq !== undefined && isSealIntact(line, seal)) {
        return { auditFile: basename(path), seq, hash: seal.hash };
      }
    }
  }
  return undefined;
}
