import { plain, visibleText } from '#base/visibleText.ts';
import type { DiffRow, HunkRow, LineEnd, LineRow } from '#changes/diffRows.ts';
import type { ReviewHunk } from '#changes/review.ts';
import type { Chip, Part, Row } from '#ui/page/messages.ts';
import { changedSpans, type Span } from './changedSpans.ts';
import type { Translate } from './translate.ts';

/** Characters of a line that are drawn as one row; a longer line goes on in the next row. */
const segmentLength = 1000;
/** What is sent at a time, whichever is reached first. */
const [chunkRows, chunkCharacters] = [300, 20_000];

/** Lines with more segments than this are shown only around what differs. */
const wholeSegments = 2;
/** Hunks that a header names by their numbers. */
const mostNamed = 3;
/** Milliseconds that the comparison of long lines may take in one file. */
const comparing = 100;

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
}

/** What is drawn of one file's changes. */
export interface ShownRows {
  /** For names of check boxes. */
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly hunks: readonly ReviewHunk[];
  /** Each hunk can be left out by itself. */
  readonly canSelect: boolean;
}

/** Splits long lines so that no change is cut off and no row is slow to draw. What did not change is folded instead. */
export function segmentsOf(rows: readonly DiffRow[]): Segment[] {
  const spans = spansOf(rows);
  return rows.flatMap((row) => {
    if (row.kind === 'hunk' || row.kind === 'note') return [{ row, start: 0, end: 0, isFirst: true }];
    const segments = splitRow(row);
    return folded(row.kind === 'context' ? segments.slice(0, 1) : segments, spans.get(row));
  });
}

/** A text to be read, all of it. Without rows when it is empty. */
export function textRows(text: string): ShownRows {
  const lines = text === '' ? [] : text.split('\n');
  const segments = lines.flatMap((line) => splitRow({ kind: 'text', text: line }));
  return { path: '', segments, hunks: [], canSelect: false };
}

function splitRow(row: LineRow | TextRow): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  do {
    const end = segmentEnd(row.text, start);
    segments.push({ row, start, end, isFirst: start === 0 });
    start = end;
  } while (start < row.text.length);
  return segments;
}

/** Where long lines differ from those they replace or are replaced by. */
function spansOf(rows: readonly DiffRow[]): Map<DiffRow, readonly Span[]> {
  const spans = new Map<DiffRow, readonly Span[]>();
  const deadline = performance.now() + comparing;
  for (const [removed, added] of pairsOf(rows)) {
    if (Math.max(removed.text.length, added.text.length) <= wholeSegments * segmentLength) continue;
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

export interface Chunk {
  readonly rows: Row[];
  /** Text of the button for the next rows; absent at the end. */
  readonly more?: string;
}

/** The rows of a card from segment `from` on, at most `limit` of them. */
export function chunkOf(shown: ShownRows, from: number, t: Translate, limit = chunkRows): Chunk {
  const { segments } = shown;
  let to = from;
  for (let characters = 0; to < segments.length && to - from < limit && characters < chunkCharacters; to += 1) {
    const segment = segments[to];
    if (segment && !segment.folded) characters += segment.end - segment.start;
  }
  const rows = segments.slice(from, to).map((segment) => drawn(segment, shown, t));
  const left = segments.length - to;
  if (left === 0) return { rows };
  return { rows, more: left === 1 ? t('Show more (1 row left)') : t('Show more ({0} rows left)', left) };
}

function segmentEnd(text: string, start: number): number {
  const end = Math.min(start + segmentLength, text.length);
  const isInsidePair = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
  return isInsidePair ? end + 1 : end;
}

function drawn({ row, start, end, isFirst, folded: isFolded }: Segment, shown: ShownRows, t: Translate): Row {
  if (row.kind === 'hunk') return header(row, shown, t);
  if (row.kind === 'note') return { kind: 'note', label: '', parts: [{ text: noteText(row.note, t) }] };
  if (isFolded) return { kind: 'note', label: '', parts: [{ text: t('… {0} characters unchanged …', end - start) }] };
  if (row.kind === 'text') return { kind: 'text', label: '', parts: visibleText(row.text.slice(start, end)) };
  const parts: Part[] = visibleText(row.text.slice(start, end)).map(withLineEnds);
  const isEnd = end === row.text.length;
  if (isEnd && row.unusualEnd) parts.push({ text: lineEndEscape(row.unusualEnd), escaped: true });
  if (!isEnd && row.kind === 'context') parts.push({ text: '…' });
  return { kind: row.kind, label: isFirst ? lineLabel(row, t) : '', parts };
}

/** How a line end is drawn where it would not be seen. */
export function lineEndEscape(end: LineEnd): string {
  return end === '\n' ? '<LF>' : '<CRLF>';
}

/** A carriage return inside a line is drawn as the line end that it once was. */
function withLineEnds(part: Part): Part {
  return part.escaped ? { ...part, text: part.text.replaceAll('<U+000D>', '<CR>') } : part;
}

function header(row: HunkRow, { path, hunks, canSelect }: ShownRows, t: Translate): Row {
  const { hunk: index, section, onlyRemoved } = row;
  const lines = linesText(row, t);
  const number = canSelect ? `${index + 1} · ` : '';
  const text = `${number}${onlyRemoved ? t('{0} removed', lines) : lines}`;
  const parts = section === '' ? [{ text }] : [{ text: `${text} · ` }, ...visibleText(section)];
  const { origin, linked = [] } = hunks[index] ?? {};
  const chips: Chip[] = [];
  if (origin === 'edited') chips.push({ text: t('yours'), tone: 'warning', title: t('You wrote this.') });
  if (!canSelect) return { kind: 'hunk', label: '', parts, hunk: { index, chips } };
  const together = linked.length === 0 ? undefined : linkText(linked, t);
  if (together !== undefined) {
    const title = t(
      'One of these changes opens a bracket that another closes, so you can only include or leave them out together.',
    );
    chips.push({ text: together, tone: 'plain', title });
  }
  const include = t('Include {0} of {1}', lines, plain(path));
  const selectLabel = together === undefined ? include : t('{0}, {1}', include, together);
  return { kind: 'hunk', label: '', parts, hunk: { index, selectLabel, chips } };
}

/** @param linked 0-based indexes of hunks */
function linkText(linked: readonly number[], t: Translate): string {
  if (linked.length > mostNamed) return t('goes with {0} other changes', linked.length);
  const numbers = linked.map((index) => index + 1).join(', ');
  return linked.length === 1 ? t('goes with change {0}', numbers) : t('goes with changes {0}', numbers);
}

function linesText({ firstLine, lastLine }: HunkRow, t: Translate): string {
  return firstLine === lastLine ? t('line {0}', firstLine) : t('lines {0}–{1}', firstLine, lastLine);
}

function lineLabel({ kind, line }: LineRow, t: Translate): string {
  if (kind === 'added') return t('line {0} added:', line);
  if (kind === 'removed') return t('line {0} removed:', line);
  return t('line {0} unchanged:', line);
}

function noteText(note: 'no_line_end' | 'rough', t: Translate): string {
  return note === 'no_line_end'
    ? t('No line end at the end of the file')
    : t('Too many changes to compare closely: some lines shown as removed and added did not change');
}
