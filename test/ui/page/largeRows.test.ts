import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GridRows, RowTops, rowsIn, withRange, type RowRange } from '#ui/page/largeRows.ts';

describe('the rows of a large change', () => {
  it('stand below the own row of their file, and not at all while the file is closed', () => {
    const rows = new GridRows([2, 0, 1], (file) => [3, 0, 2][file] ?? 0);
    const all = Array.from({ length: rows.count }, (_, index) => rows.at(index));
    expect(all.map((each) => `${each?.file}:${each?.row ?? 'file'}`)).toEqual([
      '2:file',
      '2:0',
      '2:1',
      '0:file',
      '0:0',
      '0:1',
      '0:2',
      '1:file',
    ]);
    expect(rows.at(8)).toBeUndefined();
    expect(rows.at(-1)).toBeUndefined();
    // A row of a closed file is reached by the row of the file.
    expect(rows.indexOf({ file: 1, row: 5 })).toBe(7);
  });

  it('are found again by their file and number', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { minLength: 1, maxLength: 8 }), fc.nat(80), (counts, index) => {
        const rows = new GridRows([...counts.keys()].toReversed(), (file) => counts[file] ?? 0);
        const found = rows.at(index);
        expect(found === undefined ? index >= rows.count : rows.indexOf(found) === index).toBe(true);
      }),
    );
  });
});

describe('the tops of rows', () => {
  it('follow measured heights, and estimates where nothing was measured', () => {
    const tops = new RowTops(4, () => 10);
    expect(tops.topOf(4)).toBe(40);
    expect(tops.measure(1, 30)).toBe(true);
    expect(tops.measure(1, 30.2)).toBe(false);
    expect([0, 1, 2, 3, 4].map((index) => tops.topOf(index))).toEqual([0, 10, 40, 50, 60]);
    expect([-5, 0, 9, 10, 39, 40, 59, 60, 500].map((pixels) => tops.at(pixels))).toEqual([0, 0, 0, 1, 1, 2, 3, 3, 3]);
  });

  it('are those of no rows when there are none', () => {
    const tops = new RowTops(0, () => 10);
    expect([tops.topOf(0), tops.topOf(5), tops.at(0), tops.at(90)]).toEqual([0, 0, 0, 0]);
  });
});

describe('ranges of rows that were on screen', () => {
  it('hold each row once, in order, joined where they touch', () => {
    const range = fc
      .record({ file: fc.nat(2), first: fc.nat(20), length: fc.nat(5) })
      .map(({ file, first, length }): RowRange => ({ file, first, last: first + length }));
    fc.assert(
      fc.property(fc.array(range), (added) => {
        let ranges: readonly RowRange[] = [];
        for (const each of added) ranges = withRange(ranges, each);
        const rows = (some: readonly RowRange[]): string[] =>
          some.flatMap(({ file, first, last }) =>
            Array.from({ length: last - first + 1 }, (_, index) => `${file}:${first + index}`),
          );
        expect(rows(ranges).toSorted()).toEqual([...new Set(rows(added))].toSorted());
        expect(rowsIn(ranges)).toBe(new Set(rows(added)).size);
        for (const [index, { file, first }] of ranges.entries()) {
          const before = ranges[index - 1];
          if (before?.file === file) expect(before.last + 1).toBeLessThan(first);
        }
      }),
    );
  });
});
