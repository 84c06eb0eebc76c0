import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { applyRequests, type EditRequest } from '#tools/edit/replacements.ts';

const replace = (oldText: string, newText: string, replaceAll = false): EditRequest => ({
  path: 'a',
  oldText,
  newText,
  replaceAll,
});
const lines = (firstLine: number, lastLine: number, newText: string): EditRequest => ({
  path: 'a',
  firstLine,
  lastLine,
  newText,
});
const apply = (base: string, ...requests: EditRequest[]): string => applyRequests('a', base, requests);

function failure(run: () => unknown): ToolError {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('Expected a ToolError');
}

describe('exact text', () => {
  it('replaces the one occurrence', () => expect(apply('one two', replace('two', 'three'))).toBe('one three'));
  it('takes $ in the new text literally', () =>
    expect(apply('a', replace('a', "cost $& $1 $'"))).toBe("cost $& $1 $'"));
  it('replaces every occurrence only when asked to', () => {
    expect(apply('x x x', replace('x', 'y', true))).toBe('y y y');
    const error = failure(() => apply('x\nx', replace('x', 'y')));
    expect(error.code).toBe('ambiguous_match');
    expect(error.message).toContain('1\tx\n2\tx');
  });
  it('shows the nearest text when nothing matches', () => {
    const error = failure(() => apply('function add(a, b) {\n  return a + b;\n}\n', replace('  return a+b;', 'x')));
    expect(error.code).toBe('no_match');
    expect(error.message).toContain('2\t  return a + b;');
  });
  it('shows the nearest text when only the letter case differs', () => {
    expect(failure(() => apply('P ONE\nP TWO\n', replace('p one', 'x'))).message).toContain('1\tP ONE');
  });
  it('matches across CRLF and keeps it', () => {
    expect(apply('a\r\nb\r\nc\r\n', replace('a\nb', 'a\nx\nb'))).toBe('a\r\nx\r\nb\r\nc\r\n');
  });
  it('keeps the line ends of unchanged lines inside the edit in a file that mixes them', () => {
    expect(apply('a\r\nb\nc\r\nd', replace('a\nb\nc', 'a\nB\nc'))).toBe('a\r\nB\nc\r\nd');
  });
  it('keeps CR and LF apart when the text between them is removed', () => {
    expect(apply('a\rb\n', replace('b', ''))).toBe('a\r\r\n');
    expect(apply('a\rb\r\nc\n', lines(2, 2, '\n'))).toBe('a\r\r\nc\n');
    expect(apply('a\rb\r\n', lines(2, 1, '\n'))).toBe('a\r\r\nb\r\n');
  });
  it('refuses overlapping edits', () => {
    expect(failure(() => apply('abcd', replace('abc', '1'), replace('bcd', '2'))).code).toBe('ambiguous_match');
  });
  it('applies all edits to the same base', () =>
    expect(apply('a b', replace('a', 'b'), replace('b', 'a'))).toBe('b a'));
});

describe('line ranges', () => {
  const base = 'one\ntwo\nthree\n';
  it('replaces lines, with or without a final line end', () => {
    expect(apply(base, lines(2, 2, 'TWO'))).toBe('one\nTWO\nthree\n');
    expect(apply(base, lines(2, 2, 'TWO\n'))).toBe('one\nTWO\nthree\n');
  });
  it('inserts before a line', () => expect(apply(base, lines(2, 1, 'x\ny'))).toBe('one\nx\ny\ntwo\nthree\n'));
  it('inserts after the last line, with or without a final line end', () => {
    expect(apply(base, lines(4, 3, 'four'))).toBe('one\ntwo\nthree\nfour\n');
    expect(apply('one\r\ntwo', lines(3, 2, 'three'))).toBe('one\r\ntwo\r\nthree');
  });
  it('deletes whole lines', () => {
    expect(apply(base, lines(1, 2, ''))).toBe('three\n');
    expect(apply('one\ntwo', lines(2, 2, ''))).toBe('one');
    expect(apply('one', lines(1, 1, ''))).toBe('');
  });
  it('refuses lines that do not exist', () => {
    expect(failure(() => apply(base, lines(5, 5, 'x'))).code).toBe('no_match');
    expect(failure(() => apply(base, lines(7, 6, 'x'))).code).toBe('no_match');
  });
});

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const mixedText = fc
  .array(
    fc.tuple(
      fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
      lineEnd,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.map(([text, end]) => text + end).join(''));

describe('a replacement', () => {
  it('keeps every byte before and after a replaced line', () => {
    fc.assert(
      fc.property(mixedText, fc.nat(), fc.string({ maxLength: 8 }), (base, pick, newText) => {
        const starts = [0, ...[...base.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length)];
        const line = (pick % starts.length) + 1;
        const start = starts[line - 1] ?? 0;
        const next = starts[line] ?? base.length;
        const ownEnd = /(\r\n|\n|\r)?$/.exec(base.slice(start, next))?.[0] ?? '';
        const text = newText.replaceAll(/[\r\n]/g, '');
        if (text === '') return;
        const result = apply(base, lines(line, line, text));
        expect(result).toBe(base.slice(0, start) + text + ownEnd + base.slice(next));
      }),
    );
  });

  it('changes nothing when the new text is the old one', () => {
    fc.assert(
      fc.property(mixedText, (base) => {
        const lf = base.replaceAll(/\r\n|\r/g, '\n');
        if (lf === '') return;
        expect(apply(base, replace(lf, lf))).toBe(base);
      }),
    );
  });
});
