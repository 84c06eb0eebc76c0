import { visibleText } from '#base/visibleText.ts';
import { type DiffRow, diffRows, type LineRow } from './diffRows.ts';
import type { Review } from './review.ts';

/** A file of a change. */
export interface FileAsText {
  readonly path: string;
  /** The path to which the file moves. */
  readonly to?: string;
  readonly change: 'edit' | 'create' | 'move' | 'delete';
  /** Absent for a file whose text is not shown. */
  readonly text?: { readonly base: string; readonly review: Pick<Review, 'hunks' | 'rough'> };
}

/**
 * Returns a whole change as a unified diff for a person who reads, searches or copies it. Hidden characters are escaped as on the
 * card, so that the text is no patch that could be applied. Parts that the user left out are marked.
 */
export function changeAsText(files: readonly FileAsText[]): string {
  return files.map(fileAsText).join('\n');
}

function fileAsText({ path, to, change, text }: FileAsText): string {
  const [from, target] = [shown(path), shown(to ?? path)];
  const lines =
    change === 'move' && text === undefined
      ? [`rename from ${from}`, `rename to ${target}`]
      : [`--- ${change === 'create' ? '/dev/null' : from}`, `+++ ${change === 'delete' ? '/dev/null' : target}`];
  if (text === undefined) {
    if (change !== 'move') lines.push('The text of this file is not shown.');
    return `${lines.join('\n')}\n`;
  }
  const { hunks } = text.review;
  for (const rows of hunksOf(diffRows(text.base, text.review))) {
    const [header] = rows;
    if (header?.kind !== 'hunk') continue;
    const isOut = hunks[header.hunk]?.included === false;
    lines.push(`@@ ${rangeOf(rows)} @@${isOut ? ' left out' : ''}`);
    for (const row of rows) if (row.kind !== 'hunk') lines.push(lineOf(row));
  }
  return `${lines.join('\n')}\n`;
}

function hunksOf(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const hunks: DiffRow[][] = [];
  for (const row of rows) {
    if (row.kind === 'hunk') hunks.push([row]);
    else hunks.at(-1)?.push(row);
  }
  return hunks;
}

/** Returns the lines of both sides, such as "-3,2 +3,4". */
function rangeOf(rows: readonly DiffRow[]): string {
  const lines = rows.filter((row): row is LineRow => row.kind !== 'hunk' && row.kind !== 'note');
  const before = lines.filter(({ kind }) => kind !== 'added');
  const after = lines.filter(({ kind }) => kind !== 'removed');
  const [first, last] = [before[0], after[0]];
  const start = first?.baseLine ?? first?.line ?? 0;
  return `-${start},${before.length} +${last?.line ?? 0},${after.length}`;
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

function lineOf(row: Exclude<DiffRow, { kind: 'hunk' }>): string {
  if (row.kind === 'note') return '\\ No newline at end of file';
  const end = row.unusualEnd === undefined ? '' : row.unusualEnd === '\n' ? '<LF>' : '<CR><LF>';
  return `${signs[row.kind]}${shown(row.text)}${end}`;
}

function shown(text: string): string {
  return visibleText(text)
    .map((part) => part.text)
    .join('');
}
