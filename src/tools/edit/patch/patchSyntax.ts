import { InvalidArgumentsError } from '#base/toolError.ts';

/** One line of a hunk, without its line end. */
export interface HunkLine {
  readonly kind: 'context' | 'removed' | 'added';
  readonly text: string;
}

/** Consecutive lines of a file with their changes. */
export interface Hunk {
  /** Line of the patch, 1-based; for errors. */
  readonly patchLine: number;
  /** First line in the file according to the patch, 1-based. Only a hint, because models count badly. */
  readonly firstLine: number | undefined;
  /** Lines above the hunk, outermost first (`@@ class Cart`), trimmed at both ends. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** The last old line ends the file (`*** End of File`). */
  readonly atEnd: boolean;
  /** `\ No newline at end of file` stands after the last old line, or after the last new one. */
  readonly oldUnterminated: boolean;
  readonly newUnterminated: boolean;
}

/** What a patch does to one file. Addresses are as in the patch, without `a/` and `b/`. */
export type FilePatch =
  /** `to` is set when the patch renames the file; then there may be no hunks. */
  | { readonly kind: 'edit'; readonly path: string; readonly to: string | undefined; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'create'; readonly path: string; readonly content: string }
  /** The hunks, if any, state the text of the file. */
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly Hunk[] };

/** Reads the lines of a patch once, from top to bottom. */
export class PatchReader {
  readonly lines: readonly string[];
  /** Index of the next line. */
  at = 0;

  constructor(patch: string) {
    const lines = patch.split(/\r?\n/);
    this.lines = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }

  /** The next line; undefined at the end. */
  get line(): string | undefined {
    return this.lines[this.at];
  }

  /** @param index of the offending line; the one to be read next unless given. */
  fail(expected: string, index = this.at): InvalidArgumentsError {
    const line = this.lines[index];
    const found = line === undefined ? 'the end of the patch' : JSON.stringify(shortened(line));
    return new InvalidArgumentsError(`patch line ${index + 1}: expected ${expected}, found ${found}`);
  }

  /** @param index of the offending line; the one to be read next unless given. */
  refuse(what: string, index = this.at): InvalidArgumentsError {
    return new InvalidArgumentsError(`patch line ${index + 1}: ${what}`);
  }
}

const numbers = /^@@\s*-(\d{1,9})(?:,(\d{1,9}))?\s+\+(\d{1,9})(?:,(\d{1,9}))?\s*(?:@@|$)/;

interface HunkHeader {
  readonly firstLine?: number;
  readonly counts?: LineCounts;
  readonly anchors: readonly string[];
}

interface LineCounts {
  readonly old: number;
  readonly new: number;
}

/**
 * Reads consecutive hunks. The counts of a header are used only when the body agrees with them; otherwise a body ends at
 * the next line that cannot belong to it.
 * @param endsBody returns true when the line at an index ends a hunk in this form of patch
 * @throws InvalidArgumentsError
 */
export function readHunks(reader: PatchReader, endsBody: (index: number) => boolean): readonly Hunk[] {
  const hunks: Hunk[] = [];
  while (reader.line?.startsWith('@@') === true) hunks.push(readHunk(reader, endsBody));
  return hunks;
}

/** Reads one hunk; its header may be missing. */
export function readHunk(reader: PatchReader, endsBody: (index: number) => boolean): Hunk {
  const patchLine = reader.at + 1;
  const { firstLine, counts, anchors } = readHeader(reader);
  const start = reader.at;
  reader.at = endByCounts(reader.lines, start, counts, endsBody) ?? endBySyntax(reader.lines, start, endsBody);
  if (reader.at === start) throw reader.fail('lines that begin with a space, "-" or "+"');
  return { patchLine, firstLine, anchors, atEnd: false, ...readBody(reader, start) };
}

/** Reads one header, or several in a row that name the blocks around the hunk: `@@ class Cart`, `@@ def total():`. */
function readHeader(reader: PatchReader): HunkHeader {
  const anchors: string[] = [];
  for (; reader.line?.startsWith('@@') === true; reader.at += 1) {
    const { line } = reader;
    if (line.startsWith('@@@'))
      throw reader.refuse('combined diffs of merges (@@@) cannot be applied; send a plain diff');
    const [whole, firstLine, oldCount = '1', , newCount = '1'] = numbers.exec(line) ?? [];
    if (whole !== undefined) {
      reader.at += 1;
      return { firstLine: Number(firstLine), counts: { old: Number(oldCount), new: Number(newCount) }, anchors };
    }
    const anchor = line
      .slice(2)
      .replace(/@@\s*$/, '')
      .trim();
    if (!/^(\.{3}|…)?$/.test(anchor)) anchors.push(anchor);
  }
  return { anchors };
}

/** Returns the end of the body when the counts are right, and undefined when they are not. */
function endByCounts(
  lines: readonly string[],
  start: number,
  counts: LineCounts | undefined,
  endsBody: (index: number) => boolean,
): number | undefined {
  if (counts === undefined) return undefined;
  let { old: oldLeft, new: newLeft } = counts;
  let at = start;
  for (; oldLeft > 0 || newLeft > 0 || lines[at]?.startsWith('\\') === true; at += 1) {
    const line = lines[at];
    if (line === undefined || (line !== '' && !/^[ \-+\\]/.test(line))) return undefined;
    if (!/^[+\\]/.test(line)) oldLeft -= 1;
    if (!/^[-\\]/.test(line)) newLeft -= 1;
    if (oldLeft < 0 || newLeft < 0) return undefined;
  }
  let next = at;
  while (lines[next] === '') next += 1;
  return isOutside(lines, next) || endsBody(next) ? at : undefined;
}

function endBySyntax(lines: readonly string[], start: number, endsBody: (index: number) => boolean): number {
  let end = start;
  while ((lines[end] === '' || !isOutside(lines, end)) && !endsBody(end)) end += 1;
  // Empty lines at the end are usually separators, and trailing context is optional.
  while (end > start && lines[end - 1] === '') end -= 1;
  return end;
}

/** Returns true when the line cannot belong to a hunk in any form of patch. */
function isOutside(lines: readonly string[], index: number): boolean {
  const line = lines[index];
  return line === undefined || !/^[ \-+\\]/.test(line) || isSignature(lines, index);
}

/** Returns true at the signature that `git format-patch` writes below a patch. */
export function isSignature(lines: readonly string[], index: number): boolean {
  return /^-- ?$/.test(lines[index] ?? '') && /^\d+\.\d+/.test(lines[index + 1] ?? '');
}

type HunkBody = Pick<Hunk, 'lines' | 'oldUnterminated' | 'newUnterminated'>;

/** Reads the lines from `start` up to the position of the reader. */
function readBody(reader: PatchReader, start: number): HunkBody {
  const lines: HunkLine[] = [];
  let oldMarker: number | undefined;
  let newMarker: number | undefined;
  for (let index = start; index < reader.at; index += 1) {
    const line = reader.lines[index] ?? '';
    if (line.startsWith('\\')) {
      const marked = lines.at(-1);
      if (marked === undefined) throw reader.fail('a line of the hunk before the marker', index);
      if (marked.kind !== 'added') oldMarker = index;
      if (marked.kind !== 'removed') newMarker = index;
      continue;
    }
    const kind = line[0] === '-' ? 'removed' : line[0] === '+' ? 'added' : 'context';
    const follows = kind === 'added' ? newMarker : kind === 'removed' ? oldMarker : (oldMarker ?? newMarker);
    if (follows !== undefined) {
      throw reader.refuse('"\\ No newline at end of file" stands before another line of the same side', follows);
    }
    // In a diff of a file with CR line ends, one line holds several lines of the file.
    for (const text of line.slice(1).split('\r')) lines.push({ kind, text });
  }
  return { lines, oldUnterminated: oldMarker !== undefined, newUnterminated: newMarker !== undefined };
}

function shortened(line: string): string {
  return line.length > 80 ? `${line.slice(0, 80)}...` : line;
}
