import { blankMark, blankRuns, visibleText, type TextRange } from '#base/visibleText.ts';
import type { DiffRow, LineRow } from '#changes/diffRows.ts';
import { linesOf } from '#changes/hunks.ts';
import { alikeWords } from '#changes/lookAlikes.ts';
import type { ReviewHunk } from '#changes/review.ts';
import { isBlank, longLine, mostBlankLines } from '#changes/warnings.ts';
import type { PageRow, RowPart } from '#ui/page/messages.ts';
import { changedSpans, type Span } from './changedSpans.ts';

/**
 * Characters of a line that are drawn as one row; a longer line goes on in the next row. The rows of a line with a warning are short,
 * so that half of each has room in a low view.
 */
const [segmentLength, warnedLength] = [longLine, 250];
/** The length of a mark that stands for a run of blanks. */
const markLength = 15;
/** What is sent at a time, whichever is reached first. */
const [chunkRows, chunkCharacters] = [300, 20_000];

/** Lines with more segments than this are shown only around what differs. */
const wholeSegments = 2;
/** Milliseconds that the comparison of lines by words may take in one file. */
const comparing = 100;
/** A line of which more than this part differs is drawn without marks: they would mark all of it. */
const mostChanged = 0.6;

/** A line of what is no change. */
interface TextRow {
  readonly kind: 'text';
  readonly text: string;
}

/** A piece of a row that is drawn as one row of the card. */
export interface Segment {
  readonly row: DiffRow | TextRow;
  /** Range of the row's text in UTF-16 units, end excluded. */
  readonly start: number;
  readonly end: number;
  /** The first piece of its row that is drawn. */
  readonly isFirst: boolean;
  /** Not drawn: it is the same in the line that this one replaces, or is replaced by. */
  readonly folded?: true;
  /** The number of blank lines that are drawn as one mark. */
  readonly blankLines?: number;
  /** A warning is about its line. */
  readonly isWarned?: true;
  /** The number by which the page says that it was on screen; only where a warning is about it. */
  readonly part?: number;
  /** Ranges of the row's text that differ from that line. */
  readonly changed?: readonly Span[];
}

/** What is drawn of one file's changes. */
export interface ShownRows {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly hunks: readonly ReviewHunk[];
  /** Each hunk can be left out by itself. */
  readonly canSelect: boolean;
}

/**
 * Splits long lines so that no change is cut off and no row is slow to draw. What did not change is folded instead, and many blank
 * lines are one mark.
 * @param isWarned returns whether a warning is about a line
 */
export function segmentsOf(rows: readonly DiffRow[], isWarned: (row: LineRow) => boolean = () => false): Segment[] {
  const spans = spansOf(rows);
  return withBlankMarks(rows).flatMap(({ row, blankLines }) => {
    if (row.kind === 'hunk' || row.kind === 'note') return [{ row, start: 0, end: 0, isFirst: true }];
    if (blankLines !== undefined) return [{ row, start: 0, end: 0, isFirst: true, blankLines }];
    const segments = isWarned(row)
      ? splitRow(row, warnedLength).map((segment) => ({ ...segment, isWarned: true as const }))
      : splitRow(row);
    const changed = spans.get(row);
    const marked =
      changed !== undefined && isMarked(row, changed) ? segments.map((each) => ({ ...each, changed })) : segments;
    return folded(row.kind === 'context' ? marked.slice(0, 1) : marked, changed);
  });
}

interface MarkedRow<Row> {
  readonly row: Row;
  readonly blankLines?: number;
}

/** Returns the rows with one in the place of many blank lines of the same kind. */
function withBlankMarks<Row extends Segment['row']>(rows: readonly Row[]): MarkedRow<Row>[] {
  const marked: MarkedRow<Row>[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at];
    if (row === undefined) break;
    let end = at + 1;
    if (isBlankRow(row)) while (end < rows.length && rows[end]?.kind === row.kind && isBlankRow(rows[end])) end += 1;
    const run = rows.slice(at, end);
    if (run.length > mostBlankLines) marked.push({ row, blankLines: run.length });
    else for (const each of run) marked.push({ row: each });
    at = end;
  }
  return marked;
}

function isBlankRow(row: Segment['row'] | undefined): boolean {
  return row !== undefined && 'text' in row && isBlank(row.text) && !hasUnusualEnd(row);
}

/** A text to be read, all of it. Without rows when it is empty. */
export function textRows(text: string): ShownRows {
  const lines = text === '' ? [] : text.split('\n');
  const rows = withBlankMarks(lines.map((line): TextRow => ({ kind: 'text', text: line })));
  const segments = rows.flatMap(({ row, blankLines }): Segment[] =>
    blankLines === undefined ? splitRow(row) : [{ row, start: 0, end: 0, isFirst: true, blankLines }],
  );
  return { path: '', segments, hunks: [], canSelect: false };
}

function splitRow(row: LineRow | TextRow, length = segmentLength): Segment[] {
  const segments: Segment[] = [];
  const runs = blankRuns(row.text);
  let start = 0;
  do {
    const end = segmentEnd(row.text, start, length, runs);
    segments.push({ row, start, end, isFirst: start === 0 });
    start = end;
  } while (start < row.text.length);
  return segments;
}

/** Returns true when marks tell something: a part of the line differs, and not most of it. */
function isMarked({ text }: LineRow, spans: readonly Span[]): boolean {
  const length = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  return length > 0 && length <= text.length * mostChanged;
}

/** Where lines differ from those that they replace or are replaced by. */
function spansOf(rows: readonly DiffRow[]): Map<DiffRow, readonly Span[]> {
  const spans = new Map<DiffRow, readonly Span[]>();
  const deadline = performance.now() + comparing;
  for (const [removed, added] of pairsOf(rows)) {
    const { before, after } = changedSpans(removed.text, added.text, deadline - performance.now());
    spans.set(removed, before);
    spans.set(added, after);
  }
  return spans;
}

/** Removed lines with the added ones in their place, in order. */
function pairsOf(rows: readonly DiffRow[]): [LineRow, LineRow][] {
  const pairs: [LineRow, LineRow][] = [];
  let removed: LineRow[] = [];
  for (const row of rows) {
    if (row.kind === 'removed') removed.push(row);
    else if (row.kind === 'added') {
      const before = removed.shift();
      if (before) pairs.push([before, row]);
    } else if (row.kind !== 'note') removed = [];
  }
  return pairs;
}

/** Keeps what differs and one segment around it. */
function folded(segments: readonly Segment[], spans: readonly Span[] | undefined): Segment[] {
  if (!spans || segments.length <= wholeSegments) return [...segments];
  const kept = segments.map(({ start, end }) => spans.some((span) => span.start <= end && span.end >= start));
  // A line end that differs is drawn in the last one.
  kept[kept.length - 1] ||= hasUnusualEnd(segments.at(-1)?.row);
  const shown: Segment[] = [];
  for (const [index, segment] of segments.entries()) {
    const last = shown.at(-1);
    if (kept[index - 1] || kept[index] || kept[index + 1]) {
      shown.push({ ...segment, isFirst: shown.every((each) => each.folded) });
    } else if (last?.folded) shown[shown.length - 1] = { ...last, end: segment.end };
    else shown.push({ ...segment, isFirst: false, folded: true });
  }
  return shown;
}

function hasUnusualEnd(row: Segment['row'] | undefined): boolean {
  return row !== undefined && 'unusualEnd' in row;
}

/** Returns the rows of a card from segment `from` on, at most `limit` of them. */
export function chunkOf({ segments }: ShownRows, from: number, limit = chunkRows): PageRow[] {
  let to = from;
  for (let characters = 0; to < segments.length && to - from < limit && characters < chunkCharacters; to += 1) {
    const segment = segments[to];
    if (segment && !segment.folded) characters += segment.end - segment.start;
  }
  return segments.slice(from, to).map(rowOf);
}

/** Returns the indexes of the rows in which a text begins, in upper or lower case. */
export function rowsWith({ segments }: ShownRows, text: string): number[] {
  const wanted = text.toLowerCase();
  return segments.flatMap(({ row, start, end, folded: isFolded }, index) => {
    if (!('text' in row) || isFolded) return [];
    // A text that goes on in the next row of its line counts for the row in which it begins.
    const found = row.text.slice(start, end + wanted.length - 1).toLowerCase();
    return found.includes(wanted) ? [index] : [];
  });
}

/**
 * Returns unchanged lines of a file, which the card leaves out between its hunks.
 * @param baseLine 1-based line in the text before the change
 */
export function unchangedRows(base: string, hunks: readonly ReviewHunk[], baseLine: number, count: number): PageRow[] {
  const above = hunks.findLast(({ baseStart, baseLines }) => baseStart + baseLines.length < baseLine);
  const moved = above ? above.resultStart + above.resultLines.length - above.baseStart - above.baseLines.length : 0;
  const lines = linesOf(base).slice(baseLine - 1, baseLine - 1 + count);
  const rows = lines.map((line, index): LineRow => ({
    kind: 'context',
    line: baseLine + index + moved,
    baseLine: baseLine + index,
    text: line.replace(/\r?\n$/, ''),
  }));
  return segmentsOf(rows).map(rowOf);
}

/** @param runs the runs of blanks that are drawn as a mark; none is cut in two */
function segmentEnd(text: string, start: number, length: number, runs: readonly TextRange[]): number {
  let [at, left] = [start, length];
  for (const run of runs) {
    if (run.start < start) continue;
    if (run.start - at >= left) break;
    left = Math.max(0, left - (run.start - at) - markLength);
    at = run.end;
  }
  const end = Math.min(at + left, text.length);
  const isInsidePair = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
  return isInsidePair ? end + 1 : end;
}

function rowOf({ row, start, end, isFirst, folded: isFolded, changed, blankLines, part }: Segment): PageRow {
  if (row.kind === 'hunk' || row.kind === 'note') return row;
  if (isFolded) return { kind: 'folded', characters: end - start };
  const mark = blankLines === undefined ? undefined : [{ text: `<${blankLines} blank lines>`, escaped: true as const }];
  if (row.kind === 'text') return { kind: 'text', parts: mark ?? partsOf(row.text, start, end, []) };
  const { kind, line, baseLine, text, unusualEnd } = row;
  const isEnd = mark !== undefined || end === text.length;
  return {
    kind,
    ...(kind === 'removed' ? { before: line } : { after: line }),
    ...(baseLine !== undefined && { before: baseLine }),
    parts: mark ?? partsOf(text, start, end, changed ?? [], kind === 'added'),
    ...(part !== undefined && { part }),
    ...(!isFirst && { isRest: true }),
    ...(!isEnd && kind === 'context' && { isCut: true }),
    ...(isEnd && unusualEnd !== undefined && { unusualEnd }),
  };
}

/**
 * Returns a range of a line as visible parts, with marks on the words that differ, in the place of long runs of blanks and, where
 * `marksAlike`, on letters that look like others.
 */
function partsOf(text: string, start: number, end: number, changed: readonly Span[], marksAlike = false): RowPart[] {
  const shown = text.slice(start, end);
  const letters = marksAlike ? alikeWords(shown).flatMap((word) => word.letters) : [];
  const marked = [
    ...blankRuns(shown).map((run) => ({ ...run, isRun: true })),
    ...letters.map((letter) => ({ ...letter, isRun: false })),
  ].toSorted((a, b) => a.start - b.start);
  const parts: RowPart[] = [];
  const add = (from: number, to: number, isChanged: boolean): void => {
    const push = (some: readonly RowPart[]): void => {
      for (const part of some) parts.push(isChanged ? { ...part, changed: true } : part);
    };
    let at = from;
    for (const { start: first, end: last, isRun } of marked) {
      const [left, right] = [Math.max(first + start, from), Math.min(last + start, to)];
      if (left >= right) continue;
      push(visibleText(text.slice(at, left)).map(withLineEnds));
      const piece = text.slice(left, right);
      push([isRun ? { text: blankMark(piece), escaped: true } : { text: piece, alike: true }]);
      at = right;
    }
    push(visibleText(text.slice(at, to)).map(withLineEnds));
  };
  let at = start;
  for (const span of changed) {
    const [from, to] = [Math.max(span.start, start), Math.min(span.end, end)];
    if (from >= to) continue;
    if (from > at) add(at, from, false);
    add(from, to, true);
    at = to;
  }
  if (at < end) add(at, end, false);
  return parts;
}

/** A carriage return inside a line is drawn as the line end that it once was. */
function withLineEnds(part: RowPart): RowPart {
  return part.escaped ? { ...part, text: part.text.replaceAll('<U+000D>', '<CR>') } : part;
}
