import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffRows } from '#changes/diffRows.ts';
import { hunksBetween, linesOf } from '#changes/hunks.ts';
import { reviewOf } from '#changes/review.ts';
import { chunkOf, segmentsOf, unchangedRows } from '#ui/approvals/cardRows.ts';
import { gapsOf, hunksOf, isLine, type LineRow } from '#ui/page/rowLayout.ts';

/** Returns the rows of a change, its hunks, and what the page shows of its unchanged lines. */
function shownOf(base: string, result: string) {
  const review = reviewOf(base, hunksBetween(base, result), result);
  const segments = segmentsOf(diffRows(base, review));
  const rows = chunkOf({ path: 'a.ts', segments, hunks: review.hunks, canSelect: true }, 0, Infinity);
  return { rows, review, gaps: gapsOf(hunksOf(rows), linesOf(base).length) };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

/** Returns the text of one side, in the order of its line numbers. */
function sideOf(rows: readonly LineRow[], side: 'before' | 'after'): readonly string[] {
  const numbers = rows.flatMap((row) => row[side] ?? []).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  return numbers.flatMap((number) =>
    rows.filter((row) => row[side] === number).map(({ parts }) => `${parts.map(({ text }) => text).join('')}\n`),
  );
}

describe('gapsOf', () => {
  it('returns the unchanged lines above, between and below the hunks', () => {
    const lines = numbered(40);
    const { gaps } = shownOf(lines.join(''), lines.with(9, 'ten\n').with(29, 'thirty\n').join(''));
    expect(gaps).toEqual([
      { line: 1, count: 8 },
      { line: 12, count: 17 },
      { line: 32, count: 9 },
    ]);
  });

  it('returns no gap for a new file, and for changes that stand close together', () => {
    expect(shownOf('', 'one\ntwo\n').gaps).toEqual([undefined, undefined]);
    const lines = numbered(4);
    expect(shownOf(lines.join(''), lines.with(0, 'a\n').with(2, 'b\n').join('')).gaps).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('returns no gap at the end while rows are missing', () => {
    const lines = numbered(40);
    const { rows } = shownOf(lines.join(''), lines.with(9, 'ten\n').join(''));
    expect(gapsOf(hunksOf(rows), undefined)).toEqual([{ line: 1, count: 8 }, undefined]);
  });

  it('shows every line of the base exactly once, with its numbers on both sides, when all gaps are shown', () => {
    // Each line is kept, or replaced by up to two lines.
    const edits = fc.array(fc.option(fc.array(fc.nat(999), { maxLength: 2 }), { freq: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(edits, (changes) => {
        const lines = numbered(changes.length);
        const result = lines.flatMap((line, at) => changes[at]?.map((number) => `new ${number}\n`) ?? [line]);
        const { rows, review, gaps } = shownOf(lines.join(''), result.join(''));
        if (review.hunks.length === 0) return;
        const hidden = gaps.flatMap((gap) =>
          gap ? unchangedRows(lines.join(''), review.hunks, gap.line, gap.count) : [],
        );
        const drawn = [...rows, ...hidden].filter(isLine);
        expect(sideOf(drawn, 'before')).toEqual(lines);
        expect(sideOf(drawn, 'after')).toEqual(result);
      }),
    );
  });
});
