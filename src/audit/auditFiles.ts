/** Names, lists and reads the files of the audit record. */
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags } from '#base/openFlags.ts';

/** The name of an audit file. A run of a window writes one file, and one more part at each rotation. */
export interface AuditFileName {
  /** UTC day on which the file was created, as `YYYY-MM-DD`. */
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
  /** Time of the last write, milliseconds since the epoch. */
  readonly modified: number;
}

/**
 * Returns `<YYYY-MM-DD>-<windowId>-<start of the run, ms since the epoch>[.<part, from 2>].jsonl`.
 * @throws RangeError when the window id contains anything but letters, digits, `-` and `_`
 */
export function auditFileName({ day, windowId, start, part }: AuditFileName): string {
  if (!/^[\w-]{1,100}$/.test(windowId)) throw new RangeError(`Not a window id: ${windowId}`);
  return `${day}-${windowId}-${start}${part === 1 ? '' : `.${part}`}.jsonl`;
}

/** Reads the parts of a file name; undefined when the file is not an audit file. */
export function parseAuditFileName(name: string): AuditFileName | undefined {
  const pattern =
    /^(?<day>\d{4}-\d\d-\d\d)-(?<windowId>[\w-]{1,100})-(?<start>\d{1,16})(?:\.(?<part>[1-9]\d{0,8}))?\.jsonl$/;
  const { day, windowId, start, part } = pattern.exec(name)?.groups ?? {};
  if (day === undefined || windowId === undefined) return undefined;
  return { day, windowId, start: Number(start), part: Number(part ?? 1) };
}

/** Returns the UTC day of a time as `YYYY-MM-DD`, as file names contain it. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the id of the run that wrote a file; all files of one run share it. */
export function runOf({ windowId, start }: Pick<AuditFileName, 'windowId' | 'start'>): string {
  return `${windowId}-${start}`;
}

/** Lists all audit files, ordered by the start of their run and then by part. A missing folder counts as empty. */
export async function listAuditFiles(folder: string): Promise<AuditFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const parsed = parseAuditFileName(name);
      if (parsed === undefined) return [];
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => undefined);
      // Drawbridge never writes links here, so a link is skipped and not followed.
      if (stats?.isFile() !== true) return [];
      return [{ ...parsed, path, bytes: stats.size, modified: stats.mtimeMs }];
    }),
  );
  return found.flat().toSorted(inOrder);
}

/** Compares two files by the start of their run, then by window and part. */
export function inOrder(a: AuditFileName, b: AuditFileName): number {
  return a.start - b.start || (a.windowId < b.windowId ? -1 : a.windowId > b.windowId ? 1 : a.part - b.part);
}

/** One line of an audit file. */
export interface RecordLine {
  /** The bytes on disk, without the line end. */
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** True when the line has a line end; only the last line of a file may lack one. */
  readonly isEnded: boolean;
}

const lineFeed = 0x0a;

/**
 * Reads the lines of an audit file one after the other, without following a link.
 * @param mostBytes reads at most this many bytes of the file
 * @throws when the file cannot be read
 */
export async function* readRecordLines(path: string, mostBytes = Infinity): AsyncGenerator<RecordLine> {
  if (mostBytes === 0) return;
  await using file = await open(path, readFlags);
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

/** Bytes that {@link readLastLines} reads; enough for about 300 calls. */
const tailBytes = 256 * 1024;

/**
 * Returns the last whole lines of an audit file, without their line ends. The first of them may lack its beginning. A file that cannot
 * be read has none.
 */
export async function readLastLines(path: string): Promise<readonly Buffer[]> {
  try {
    await using file = await open(path, readFlags);
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: size - length });
    const lines: Buffer[] = [];
    let at = 0;
    for (let end = buffer.indexOf(lineFeed); end >= 0 && end < bytesRead; end = buffer.indexOf(lineFeed, at)) {
      lines.push(buffer.subarray(at, end));
      at = end + 1;
    }
    return lines;
  } catch {
    return [];
  }
}
