/** Arranges the rows of a file: hunks, the unchanged lines between them, and pairs of removed and added lines. */
import type { HunkHeader, PageRow } from './messages.ts';

export type LineRow = Extract<PageRow, { kind: 'context' | 'added' | 'removed' }>;

/** The rows between two headers. */
export interface Hunk {
  readonly header: HunkHeader | undefined;
  readonly rows: readonly PageRow[];
}

/** Lines of one side; 1-based, both included. */
export interface Lines {
  readonly side: 'before' | 'after';
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Unchanged lines that are not among the rows. */
export interface Gap {
  /** 1-based, in the text before the change. */
  readonly line: number;
  readonly count: number;
}

export function isLine(row: PageRow): row is LineRow {
  return row.kind === 'context' || row.kind === 'added' || row.kind === 'removed';
}

/** Returns the hunks of the rows of a file. Rows without a header make one hunk. */
export function hunksOf(rows: readonly PageRow[]): readonly Hunk[] {
  const hunks: { header: HunkHeader | undefined; rows: PageRow[] }[] = [];
  for (const row of rows) {
    if (row.kind === 'hunk') hunks.push({ header: row, rows: [] });
    else {
      if (hunks.length === 0) hunks.push({ header: undefined, rows: [] });
      hunks.at(-1)?.rows.push(row);
    }
  }
  return hunks;
}

/**
 * Returns the gap above each hunk, and as the last element the gap below the last one.
 * @param baseLines number of lines before the change; undefined while rows are missing, so that the end is not known
 */
export function gapsOf(hunks: readonly Hunk[], baseLines: number | undefined): readonly (Gap | undefined)[] {
  let last = 0;
  const gapUpTo = (line: number): Gap | undefined =>
    line > last + 1 ? { line: last + 1, count: line - last - 1 } : undefined;
  const gaps = hunks.map(({ rows }) => {
    const lines = rows.flatMap((row) => (isLine(row) && row.before !== undefined ? [row.before] : []));
    const [first] = lines;
    const gap = first === undefined ? undefined : gapUpTo(first);
    last = lines.at(-1) ?? last;
    return gap;
  });
  return [...gaps, baseLines === undefined || hunks.length === 0 ? undefined : gapUpTo(baseLines + 1)];
}

/** Returns rows as pairs of what stands on the left and on the right: removed lines beside the added ones that replace them. */
export function pairsOf(rows: readonly PageRow[]): readonly (readonly [PageRow | undefined, PageRow | undefined])[] {
  const pairs: [PageRow | undefined, PageRow | undefined][] = [];
  let open = 0;
  for (const row of rows) {
    if (row.kind === 'removed') pairs.push([row, undefined]);
    else if (row.kind === 'added') {
      while (open < pairs.length && !(pairs[open]?.[0]?.kind === 'removed' && pairs[open]?.[1] === undefined))
        open += 1;
      const place = pairs[open];
      if (place) place[1] = row;
      else pairs.push([undefined, row]);
    } else {
      pairs.push([row, isLine(row) ? row : undefined]);
      open = pairs.length;
    }
  }
  return pairs;
}

/** Returns the changed lines of a hunk: the added ones, or the removed ones where none is added. */
export function changedLines({ rows }: Hunk): Lines | undefined {
  const numbers = (side: 'before' | 'after', kind: PageRow['kind']): number[] =>
    rows.flatMap((row) => (isLine(row) && row.kind === kind && row[side] !== undefined ? [row[side]] : []));
  const [added, removed] = [numbers('after', 'added'), numbers('before', 'removed')];
  const lines = added.length > 0 ? added : removed;
  const [firstLine, lastLine] = [lines[0], lines.at(-1)];
  if (firstLine === undefined || lastLine === undefined) return undefined;
  return { side: added.length > 0 ? 'after' : 'before', firstLine, lastLine };
}
