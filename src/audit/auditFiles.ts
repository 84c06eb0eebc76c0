import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of records. A run of a window has one, and a further part for each rotation. */
export interface AuditFileName {
  /** `YYYY-MM-DD` (UTC) on which it was begun. */
  readonly day: string;
  readonly windowId: string;
  /** When the run began, milliseconds since the epoch. */
  readonly start: number;
  /** 1-based. */
  readonly part: number;
}

export interface AuditFile extends AuditFileName {
  readonly path: string;
  readonly bytes: number;
  /** Of its last line, milliseconds since the epoch. */
  readonly modified: number;
}

/**
 * `<YYYY-MM-DD>-<windowId>-<start of the run, ms since the epoch>[.<part, from 2>].jsonl`
 * @throws RangeError for an id that is more than letters, digits, `-` and `_`
 */
export function auditFileName({ day, windowId, start, part }: AuditFileName): string {
  if (!/^[\w-]{1,100}$/.test(windowId)) throw new RangeError(`Not a window id: ${windowId}`);
  return `${day}-${windowId}-${start}${part === 1 ? '' : `.${part}`}.jsonl`;
}

export function parseAuditFileName(name: string): AuditFileName | undefined {
  const pattern =
    /^(?<day>\d{4}-\d\d-\d\d)-(?<windowId>[\w-]{1,100})-(?<start>\d{1,16})(?:\.(?<part>[1-9]\d{0,8}))?\.jsonl$/;
  const { day, windowId, start, part } = pattern.exec(name)?.groups ?? {};
  if (day === undefined || windowId === undefined) return undefined;
  return { day, windowId, start: Number(start), part: Number(part ?? 1) };
}

/** The UTC day of a time, as in the names of files. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Files of one run have the same. */
export function runOf({ windowId, start }: Pick<AuditFileName, 'windowId' | 'start'>): string {
  return `${windowId}-${start}`;
}

/** All record files, runs by their start and their parts in order. A missing folder is an empty one. */
export async function listAuditFiles(folder: string): Promise<AuditFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const parsed = parseAuditFileName(name);
      if (parsed === undefined) return [];
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => undefined);
      // A link in the place of a file is not ours, and not followed.
      if (stats?.isFile() !== true) return [];
      return [{ ...parsed, path, bytes: stats.size, modified: stats.mtimeMs }];
    }),
  );
  return found.flat().toSorted(inOrder);
}

export function inOrder(a: AuditFileName, b: AuditFileName): number {
  return a.start - b.start || (a.windowId < b.windowId ? -1 : a.windowId > b.windowId ? 1 : a.part - b.part);
}

export interface RecordLine {
  /** As it is on disk, without its line end. */
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** It has a line end; false for the last one of a file at most. */
  readonly isEnded: boolean;
}

const lineFeed = 0x0a;

/**
 * The lines of a file of records, one after the other; a link is not followed.
 * @param mostBytes what is behind them is not read
 * @throws when it cannot be read
 */
export async function* readRecordLines(path: string, mostBytes = Infinity): AsyncGenerator<RecordLine> {
  if (mostBytes === 0) return;
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  await using file = await open(path, flags);
  const stream = file.createReadStream({ end: mostBytes - 1, autoClose: false, highWaterMark: 256 * 1024 });
  let begun: Buffer[] = [];
  let number = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, at)) {
      number += 1;
      yield { bytes: Buffer.concat([...begun, chunk.subarray(at, end)]), number, isEnded: true };
      begun = [];
      at = end + 1;
    }
    begun.push(chunk.subarray(at));
  }
  const rest = Buffer.concat(begun);
  if (rest.length > 0) yield { bytes: rest, number: number + 1, isEnded: false };
}
