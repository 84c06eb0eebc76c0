import type { PageRow, RowPart } from './messages.ts';

/** Returns the classes of a style; see `ColoursMessage`. */
export function styleClasses(style: number): string[] {
  const bits = [0, 1, 2, 3].flatMap((bit) => (style & (1 << bit) ? [`f${bit}`] : []));
  return style >> 4 === 0 ? bits : [`k${style >> 4}`, ...bits];
}

/** Returns a row whose text has these colours, instead of those that it had. Escaped characters get none (threat row A5). */
export function withColours(row: PageRow, runs: readonly number[] | undefined): PageRow {
  if (runs === undefined || !('parts' in row)) return row;
  const parts: RowPart[] = [];
  let [at, run] = [0, 0];
  for (const { style: _, ...part } of row.parts) {
    const end = at + part.text.length;
    if (part.escaped) {
      parts.push(part);
      at = end;
      continue;
    }
    const from = at;
    while (at < end) {
      while (run < runs.length && (runs[run] ?? 0) <= at) run += 2;
      const next = Math.min(runs[run] ?? end, end);
      const style = runs[run + 1] ?? 0;
      parts.push({ ...part, text: part.text.slice(at - from, next - from), ...(style !== 0 && { style }) });
      at = next;
    }
  }
  return { ...row, parts };
}
