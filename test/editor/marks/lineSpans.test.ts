import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterEdit,
  editedSpans,
  followed,
  type LineEdit,
  lineEdits,
  type LineSpan,
  withoutLines,
} from '#editor/marks/lineSpans.ts';

const lines = (spans: readonly LineSpan[]): number[] =>
  spans.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

const spansIn = fc.array(fc.nat(30), { maxLength: 10 }).map((all) => {
  const firsts = [...new Set(all)].toSorted((a, b) => a - b);
  return firsts.map((first, index) => ({ first, last: Math.min(first + 2, (firsts[index + 1] ?? 99) - 1) }));
});

describe('marked lines', () => {
  test('are the added and changed lines of a text, whatever its line ends', () => {
    const edits = lineEdits('a\r\nb\r\nc\r\nd\r\ne\r\n', 'a\nB\nB2\nc\ne\nf\n');
    expect(editedSpans(edits)).toEqual([
      { first: 1, last: 2 },
      { first: 4, last: 4 },
      { first: 5, last: 5 },
    ]);
    expect(lineEdits('a\r\nb', 'a\nb')).toEqual([]);
  });

  test('move with an edit above and disappear when an edit replaces them, as if every line had its own mark', () => {
    fc.assert(
      fc.property(spansIn, fc.nat(30), fc.nat(5), fc.nat(5), (spans, first, removed, count) => {
        const edit: LineEdit = { first, end: first + removed, count };
        const marked = new Set(lines(spans));
        const text = Array.from({ length: 60 }, (_, line) => marked.has(line));
        text.splice(first, removed, ...Array<boolean>(count).fill(false));
        const wanted = text.flatMap((isMarked, line) => (isMarked ? [line] : []));
        expect(lines(afterEdit(spans, edit))).toEqual(wanted);
      }),
    );
  });

  test('followed as one span hold all of their remaining lines and no other line', () => {
    const edits = fc.record({ first: fc.nat(30), removed: fc.nat(12), count: fc.nat(5) });
    fc.assert(
      fc.property(fc.nat(20), fc.nat(8), edits, (first, length, { first: at, removed, count }) => {
        const span = { first, last: first + length };
        const text: (number | undefined)[] = Array.from({ length: 60 }, (_, line) => line);
        text.splice(at, removed, ...Array<undefined>(count).fill(undefined));
        const after = followed(span, { first: at, end: at + removed, count });
        const isIn = (line: number): boolean => line >= span.first && line <= span.last;
        const spanned = after === undefined ? [] : text.slice(after.first, after.last + 1);
        const left = text.filter((line) => line !== undefined && isIn(line));
        expect(spanned.filter((line) => line !== undefined)).toEqual(left);
        if (after !== undefined) expect(after.last).toBeGreaterThanOrEqual(after.first);
      }),
    );
  });

  test('followed as one span grow by inserted lines, and disappear with their last line', () => {
    expect(followed({ first: 2, last: 4 }, { first: 3, end: 3, count: 2 })).toEqual({ first: 2, last: 6 });
    expect(followed({ first: 2, last: 4 }, { first: 2, end: 2, count: 2 })).toEqual({ first: 4, last: 6 });
    expect(followed({ first: 2, last: 4 }, { first: 1, end: 6, count: 1 })).toEqual({ first: 1, last: 1 });
    expect(followed({ first: 2, last: 4 }, { first: 2, end: 5, count: 0 })).toBeUndefined();
  });

  test('disappear when the user has seen them, and the others stay', () => {
    fc.assert(
      fc.property(spansIn, spansIn, (spans, seen) => {
        const gone = new Set(lines(seen));
        expect(lines(withoutLines(spans, seen))).toEqual(lines(spans).filter((line) => !gone.has(line)));
      }),
    );
  });
});
