import { describe, expect, it } from 'vitest';
import { diffRows } from '#changes/diffRows.ts';
import { hunksBetween } from '#changes/hunks.ts';
import { reviewOfAll } from '#changes/review.ts';
import { chunkOf, segmentsOf, textRows } from '#ui/approvals/cardRows.ts';
import { visibleRuns } from '#ui/approvals/rowColours.ts';
import type { PageRow } from '#ui/page/messages.ts';

function rowsOf(base: string, result: string, warnedLine?: number): PageRow[] {
  const segments = segmentsOf(
    diffRows(base, reviewOfAll(hunksBetween(base, result), true)),
    ({ kind, line }) => kind === 'added' && line === warnedLine,
  );
  return chunkOf({ path: 'a', segments, hunks: [], canSelect: false }, 0);
}

const textOf = (row: PageRow): string => ('parts' in row ? row.parts.map(({ text }) => text).join('') : row.kind);
const shown = (rows: readonly PageRow[]): string[] => rows.map(textOf);

describe('A39 the rows of a card', () => {
  it('have a mark in the place of a long run of blanks, so that the text behind it stands beside it', () => {
    const rows = rowsOf('', `var ok=1;${' '.repeat(20_000)}exec("evil")\n`);
    expect(shown(rows)).toEqual(['hunk', 'var ok=1;<20000 spaces>exec("evil")']);
    const [, row] = rows;
    expect(row && 'parts' in row && row.parts[1]).toEqual({ text: '<20000 spaces>', escaped: true });
    expect(shown(rowsOf('', `${'\t'.repeat(21)}a\n`))).toEqual(['hunk', '<21 tabs>a']);
    expect(shown(rowsOf('', `a${' \t'.repeat(60)}b\n`))).toEqual(['hunk', 'a<120 blanks>b']);
    expect(shown(rowsOf('', `a${' '.repeat(80)}b\n`))).toEqual(['hunk', `a${' '.repeat(80)}b`]);
  });

  it('have a mark in the place of more than 20 blank lines', () => {
    expect(shown(rowsOf('', `a\n${' \n'.repeat(2900)}b\n`))).toEqual(['hunk', 'a', '<2900 blank lines>', 'b']);
    expect(rowsOf('', `a\n${'\n'.repeat(20)}b\n`)).toHaveLength(23);
    // White space of another kind is drawn as an escape, which no mark may hide.
    expect(rowsOf('', `a\n${'\u00A0\n'.repeat(21)}b\n`)).toHaveLength(24);
    expect(shown(rowsOf(`a\n${'\n'.repeat(30)}b\n`, 'a\nb\n'))).toContain('<30 blank lines>');
  });

  it('never cut a run of blanks in two, and lose no character', () => {
    const line = `${'x'.repeat(990)}${' '.repeat(3000)}${'y'.repeat(990)}`;
    const rows = shown(rowsOf('', `${line}\n`)).slice(1);
    expect(rows.join('')).toBe(`${'x'.repeat(990)}<3000 spaces>${'y'.repeat(990)}`);
    expect(rows).toHaveLength(2);
  });

  it('are short where a warning is about the line, and mark the letters that look like others', () => {
    expect(rowsOf('', `${'x'.repeat(1000)}\n`, 1)).toHaveLength(5);
    const [, row] = rowsOf('', 'is\u0410dmin\n');
    expect(row && 'parts' in row && row.parts).toEqual([
      { text: 'is' },
      { text: '\u0410', alike: true },
      { text: 'dmin' },
    ]);
  });

  it('have their colours behind a mark', () => {
    const [, row] = rowsOf('', `ab${' '.repeat(100)}cd\n`);
    const parts = row && 'parts' in row ? row.parts : [];
    expect(visibleRuns(parts, [2, 16, 102, 0, 104, 32], 0)).toEqual([2, 16, 14, 0, 16, 32]);
  });

  it('have the same marks in the text of a command', () => {
    const { segments } = textRows(`ls${' '.repeat(500)}; rm -r x${'\n'.repeat(22)}rm y`);
    const rows = chunkOf({ path: '', segments, hunks: [], canSelect: false }, 0);
    expect(shown(rows)).toEqual(['ls<500 spaces>; rm -r x', '<21 blank lines>', 'rm y']);
  });
});
