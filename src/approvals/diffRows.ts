import { structuredPatch } from 'diff';

/** Unchanged lines shown around a change. */
const contextLines = 1;
/** Changed lines of one file, then milliseconds, after which a rougher comparison is used: a card is drawn within 300 ms. */
const limits = { maxEditLength: 600, timeout: 150 };
/** How far above a change its section is looked for, in lines, and how much of it is kept, in characters. */
const [sectionReach, sectionLength] = [200, 80];

export interface HunkRow {
  readonly kind: 'hunk';
  /** 1-based, both included: the changed lines of the result, or of the base when lines are only removed. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Lines are only removed: the numbers are the base's. */
  readonly onlyRemoved: boolean;
  /** The nearest unindented line above, such as a function's first line; empty when there is none. */
  readonly section: string;
}

export type LineEnd = '\r\n' | '\n';

export interface LineRow {
  readonly kind: 'context' | 'added' | 'removed';
  /** 1-based: in the base for `removed`, in the result otherwise. */
  readonly line: number;
  /** Without its line end. */
  readonly text: string;
  /** Only when it is not the line end that most lines of the base have. */
  readonly unusualEnd?: LineEnd;
}

export interface NoteRow {
  readonly kind: 'note';
  /** `rough`: too different to compare closely; all changes are here, but lines that did not change are among them. */
  readonly note: 'no_line_end' | 'rough';
}

export type DiffRow = HunkRow | LineRow | NoteRow;

/** Every changed line between two texts, in order, with folded context. Never leaves out a change. */
export function diffRows(base: string, result: string): DiffRow[] {
  const usualEnd = usualLineEnd(base === '' ? result : base);
  const baseLines = base.split('\n');
  const isTooMuch = Math.abs(result.split('\n').length - baseLines.length) > limits.maxEditLength;
  const options = { context: contextLines, ...limits };
  const patch = isTooMuch ? undefined : structuredPatch('', '', base, result, '', '', options);
  if (patch !== undefined) return patch.hunks.flatMap((hunk) => hunkRows(hunk, baseLines, usualEnd));
  const hunks = roughHunks(base, result);
  const rows = hunks.flatMap((hunk) => hunkRows(hunk, baseLines, usualEnd));
  return hunks.some(hasEqualLines) ? [{ kind: 'note', note: 'rough' }, ...rows] : rows;
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** Each with its mark: a space, `+`, `-`, or `\` for a missing line end. */
  readonly lines: readonly string[];
}

function hunkRows(hunk: Hunk, baseLines: readonly string[], usualEnd: LineEnd): DiffRow[] {
  const rows: DiffRow[] = [];
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
  for (const [index, line] of hunk.lines.entries()) {
    const mark = line[0];
    if (mark === '\\') {
      rows.push({ kind: 'note', note: 'no_line_end' });
      continue;
    }
    const isLast = hunk.lines[index + 1]?.startsWith('\\') ?? false;
    const text = lineText(line.slice(1), usualEnd, isLast);
    if (mark === '-') rows.push({ kind: 'removed', line: oldLine, ...text });
    else rows.push({ kind: mark === '+' ? 'added' : 'context', line: newLine, ...text });
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
  }
  return [headerOf(rows, baseLines, hunk.oldStart), ...rows];
}

function lineText(line: string, usualEnd: LineEnd, hasNoEnd: boolean): Pick<LineRow, 'text' | 'unusualEnd'> {
  if (hasNoEnd) return { text: line };
  const end = line.endsWith('\r') ? '\r\n' : '\n';
  const text = end === '\r\n' ? line.slice(0, -1) : line;
  return end === usualEnd ? { text } : { text, unusualEnd: end };
}

function headerOf(rows: readonly DiffRow[], baseLines: readonly string[], oldStart: number): HunkRow {
  const added = linesOf(rows, 'added');
  const changed = added.length > 0 ? added : linesOf(rows, 'removed');
  return {
    kind: 'hunk',
    firstLine: changed[0] ?? oldStart,
    lastLine: changed.at(-1) ?? oldStart,
    onlyRemoved: added.length === 0,
    section: sectionAbove(
      baseLines,
      oldStart,
      rows.findIndex((row) => row.kind !== 'context'),
    ),
  };
}

function linesOf(rows: readonly DiffRow[], kind: LineRow['kind']): number[] {
  return rows.flatMap((row) => (row.kind === kind ? [row.line] : []));
}

/**
 * As `git diff` finds the function name: the nearest line above that starts with a letter, `_` or `$`. Empty when that is
 * one of the `shown` lines of context from `oldStart` on.
 */
function sectionAbove(baseLines: readonly string[], oldStart: number, shown: number): string {
  const start = Math.min(oldStart + shown, baseLines.length) - 2;
  for (let index = start; index >= Math.max(0, start - sectionReach); index -= 1) {
    const text = baseLines[index] ?? '';
    if (/^[\p{L}_$]/u.test(text)) return index >= oldStart - 1 ? '' : text.slice(0, sectionLength).trimEnd();
  }
  return '';
}

/** Every difference between two texts, found in linear time by anchors; equal lines may be shown as changed, never the reverse. */
function roughHunks(base: string, result: string): Hunk[] {
  const [before, after] = [linesWithEnds(base), linesWithEnds(result)];
  const hunks: Hunk[] = [];
  let [oldIndex, newIndex] = [0, 0];
  for (const anchor of [...anchors(before, after), { oldIndex: before.length, newIndex: after.length }]) {
    while (oldIndex < anchor.oldIndex && newIndex < anchor.newIndex && before[oldIndex] === after[newIndex]) {
      oldIndex += 1;
      newIndex += 1;
    }
    let [oldEnd, newEnd] = [anchor.oldIndex, anchor.newIndex];
    while (oldEnd > oldIndex && newEnd > newIndex && before[oldEnd - 1] === after[newEnd - 1]) {
      oldEnd -= 1;
      newEnd -= 1;
    }
    const lines = [...marked('-', before.slice(oldIndex, oldEnd)), ...marked('+', after.slice(newIndex, newEnd))];
    if (lines.length > 0) hunks.push({ oldStart: oldIndex + 1, newStart: newIndex + 1, lines });
    oldIndex = anchor.oldIndex + 1;
    newIndex = anchor.newIndex + 1;
  }
  return hunks;
}

function hasEqualLines({ lines }: Hunk): boolean {
  const removed = new Set(lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1)));
  return lines.some((line) => line.startsWith('+') && removed.has(line.slice(1)));
}

interface Anchor {
  readonly oldIndex: number;
  readonly newIndex: number;
}

/** Lines that occur exactly once in both texts, in the longest order that both share (patience diff). */
function anchors(before: readonly string[], after: readonly string[]): Anchor[] {
  const old = uniqueLines(before);
  const candidates: Anchor[] = [];
  for (const [line, newIndex] of uniqueLines(after)) {
    const oldIndex = old.get(line);
    if (oldIndex !== undefined) candidates.push({ oldIndex, newIndex });
  }
  return longestRise(candidates);
}

function uniqueLines(lines: readonly string[]): Map<string, number> {
  const seen = new Set<string>();
  const unique = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (seen.has(line)) unique.delete(line);
    else unique.set(line, index);
    seen.add(line);
  }
  return unique;
}

/** The longest subsequence whose `oldIndex` rises. */
function longestRise(candidates: readonly Anchor[]): Anchor[] {
  interface Link extends Anchor {
    readonly before: Link | undefined;
  }
  const piles: Link[] = [];
  for (const candidate of candidates) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((piles[middle]?.oldIndex ?? 0) < candidate.oldIndex) low = middle + 1;
      else high = middle;
    }
    piles[low] = { ...candidate, before: piles[low - 1] };
  }
  const rise: Anchor[] = [];
  for (let link = piles.at(-1); link !== undefined; link = link.before) rise.push(link);
  return rise.toReversed();
}

function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function marked(mark: '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\']));
}

function usualLineEnd(text: string): LineEnd {
  const lineFeeds = text.match(/\n/g)?.length ?? 0;
  const pairs = text.match(/\r\n/g)?.length ?? 0;
  return pairs * 2 > lineFeeds ? '\r\n' : '\n';
}
