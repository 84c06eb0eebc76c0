import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterEdit,
  editedSpans,
  type LineEdit,
  lineEdits,
  type LineSpan,
  withoutLines,
} from '../../../src/vscode/marks/lineSpans.ts';

const lines = (spans: readonly LineSpan[]): number[] =>
  spans.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

const spansIn = fc.array(fc.nat(30), { maxLength: 10 }).map((all) => {
  const firsts = [...new Set(all)].toSorted((a, b) => a - b);
  return firsts.map((first, index) => ({ first, last: Math.min(first + 2, (firsts[index + 1] ?? 99) - 1) }));
});

describe('marked lines', () => {
  test('are those that a text got, whatever the line ends', () => {
    const edits = lineEdits('a\r\nb\r\nc\r\nd\r\ne\r\n', 'a\nB\nB2\nc\ne\nf\n');
    expect(editedSpans(edits)).toEqual([
      { first: 1, last: 2 },
      { first: 4, last: 4 },
      { first: 5, last: 5 },
    ]);
    expect(lineEdits('a\r\nb', 'a\nb')).toEqual([]);
  });

  test('move with an edit above, and those that it touches are gone: as if every line carried its own mark', () => {
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

  test('that were looked at are gone, the others stay', () => {
    fc.assert(
      fc.property(spansIn, spansIn, (spans, seen) => {
        const gone = new Set(lines(seen));
        expect(lines(withoutLines(spans, seen))).toEqual(lines(spans).filter((line) => !gone.has(line)));
      }),
    );
  });
});
