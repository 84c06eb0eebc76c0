/** The rows of a diff as the card draws them. */
import { linesOf } from './hunks.ts';
import type { Review, ReviewHunk } from './review.ts';

/** The number of unchanged lines shown around a change. */
const contextLines = 1;

export interface HunkRow {
  readonly kind: 'hunk';
  /** The index of the hunk in the review. */
  readonly hunk: number;
  /** 1-based, both included: the changed lines of the result, or of the base when lines are only removed. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** True when lines are only removed: the numbers are then the base's. */
  readonly onlyRemoved: boolean;
}

export type LineEnd = '\r\n' | '\n';

export interface LineRow {
  readonly kind: 'context' | 'added' | 'removed';
  /** 1-based: in the base for `removed`, in the result otherwise. */
  readonly line: number;
  /** 1-based line in the base; only for an unchanged line, whose `line` counts in the result. */
  readonly baseLine?: number;
  /** Without its line end. */
  readonly text: string;
  /** Set only when it differs from the line end of most lines of the base. */
  readonly unusualEnd?: LineEnd;
}

export interface NoteRow {
  readonly kind: 'note';
  /** `rough`: the texts are too different to compare closely; all changes are here, with some unchanged lines among them. */
  readonly note: 'no_line_end' | 'rough';
}

export type DiffRow = HunkRow | LineRow | NoteRow;

/** Returns every changed line of a review in order, excluded hunks too, with folded context. Never leaves out a change. */
export function diffRows(base: string, { hunks, rough }: Pick<Review, 'hunks' | 'rough'>): DiffRow[] {
  const lines = linesOf(base);
  const usualEnd = usualLineEnd(base === '' ? hunks.flatMap(({ resultLines }) => resultLines).join('') : base);
  const rows: DiffRow[] = rough ? [{ kind: 'note', note: 'rough' }] : [];
  let shownUpTo = 0;
  for (const [index, hunk] of hunks.entries()) {
    const baseEnd = hunk.baseStart + hunk.baseLines.length;
    const next = hunks[index + 1]?.baseStart ?? lines.length;
    const before = Math.max(shownUpTo, hunk.baseStart - contextLines);
    const after = Math.min(next, baseEnd + contextLines);
    const moved = hunk.resultStart - hunk.baseStart;
    const movedAfter = moved + hunk.resultLines.length - hunk.baseLines.length;
    rows.push(headerOf(hunk, index));
    for (const part of [
      lineRows('context', lines.slice(before, hunk.baseStart), before + moved, usualEnd, before),
      lineRows('removed', hunk.baseLines, hunk.baseStart, usualEnd),
      lineRows('added', hunk.resultLines, hunk.resultStart, usualEnd),
      lineRows('context', lines.slice(baseEnd, after), baseEnd + movedAfter, usualEnd, baseEnd),
    ]) {
      // There may be more rows than a call takes arguments.
      for (const row of part) rows.push(row);
    }
    shownUpTo = after;
  }
  return rows;
}

/** @param start 0-based number of the first line @param baseStart the same in the base, for unchanged lines */
function lineRows(
  kind: LineRow['kind'],
  lines: readonly string[],
  start: number,
  usualEnd: LineEnd,
  baseStart?: number,
): DiffRow[] {
  return lines.flatMap((line, index): DiffRow[] => {
    const row = { kind, line: start + index + 1, ...(baseStart !== undefined && { baseLine: baseStart + index + 1 }) };
    if (!line.endsWith('\n'))
      return [
        { ...row, text: line },
        { kind: 'note', note: 'no_line_end' },
      ];
    const end = line.endsWith('\r\n') ? '\r\n' : '\n';
    const text = line.slice(0, -end.length);
    return [end === usualEnd ? { ...row, text } : { ...row, text, unusualEnd: end }];
  });
}

function headerOf(hunk: ReviewHunk, index: number): HunkRow {
  const onlyRemoved = hunk.resultLines.length === 0;
  const [start, count] = onlyRemoved
    ? [hunk.baseStart, hunk.baseLines.length]
    : [hunk.resultStart, hunk.resultLines.length];
  return {
    kind: 'hunk',
    hunk: index,
    firstLine: start + 1,
    lastLine: start + count,
    onlyRemoved,
  };
}

function usualLineEnd(text: string): LineEnd {
  const lineFeeds = text.match(/\n/g)?.length ?? 0;
  const pairs = text.match(/\r\n/g)?.length ?? 0;
  return pairs * 2 > lineFeeds ? '\r\n' : '\n';
}
