import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, findAnchors, hunksBetween, linesOf } from '#changes/hunks.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', '{\n', '}\n', 'only once\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('', 'end', '\r'))
  .map(([lines, end]) => lines.join('') + end);
const numbered = (count: number, change: (line: number) => string = (each) => `line ${each}`): string =>
  Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join('');

describe('hunks', () => {
  it('compose to the result, and never touch each other', () => {
    fc.assert(
      fc.property(text, text, (base, result) => {
        const { hunks } = hunksBetween(base, result);
        expect(compose(base, hunks)).toBe(result);
        expect(compose(base, [])).toBe(base);
        for (const [index, hunk] of hunks.entries()) {
          const next = hunks[index + 1];
          if (next) expect(next.baseStart).toBeGreaterThan(hunk.baseStart + hunk.baseLines.length);
        }
      }),
    );
  });

  it('hold the start of their lines in the base and in the result', () => {
    const check = (base: string, result: string): void => {
      const [before, after] = [linesOf(base), linesOf(result)];
      for (const { baseStart, baseLines, resultStart, resultLines } of hunksBetween(base, result).hunks) {
        expect(before.slice(baseStart, baseStart + baseLines.length)).toEqual(baseLines);
        expect(after.slice(resultStart, resultStart + resultLines.length)).toEqual(resultLines);
      }
    };
    fc.assert(fc.property(text, text, check));
    const rough = (words: string): string =>
      `first ${words}\nonce\n${'same\n'.repeat(3)}${words.repeat(400)}end\nend\nlast\n`;
    check(rough('a\nb\n'), rough('b\nc\na\n'));
  });

  it('leave out the common first and last lines of a part that is too different', () => {
    const around = (part: string): string => `${'x\n'.repeat(3)}once\nx\nx\n${part}y\ny\nalso once\n${'y\n'.repeat(3)}`;
    const [base, result] = [`${around('a\nb\n'.repeat(400))}old\n`, `new\n${around('c\na\n'.repeat(450))}`];
    const { hunks, rough } = hunksBetween(base, result);
    expect(rough).toBe(true);
    expect(compose(base, hunks)).toBe(result);
    const large = hunks.find(({ baseLines }) => baseLines.length > 300);
    expect(large).toMatchObject({ baseStart: 6, resultStart: 7 });
    expect([large?.baseLines.length, large?.resultLines.length]).toEqual([800, 900]);
  });

  it('are computed between unique common lines when the texts are large', () => {
    const base = numbered(9000);
    const result = numbered(9000, (each) => (each % 9 === 0 ? `changed ${each}` : `line ${each}`));
    const { hunks, rough } = hunksBetween(base, result);
    expect(hunks).toHaveLength(1000);
    expect(rough).toBe(false);
    expect(compose(base, hunks)).toBe(result);
  });

  it('are marked rough and lose nothing when the texts are too different', () => {
    const base = `${'same\nx\n'.repeat(700)}old\n`;
    const result = `${'x\ny\nsame\n'.repeat(900)}new`;
    const { hunks, rough } = hunksBetween(base, result);
    expect(rough).toBe(true);
    expect(compose(base, hunks)).toBe(result);
  });

  it('use only lines that occur once in each text as anchors', () => {
    expect(findAnchors(['x', 'once', 'x', 'gone'], ['new', 'x', 'once'])).toEqual([{ oldIndex: 1, newIndex: 2 }]);
    expect(findAnchors(['once', 'x'], ['x', 'once', 'x'])).toEqual([{ oldIndex: 0, newIndex: 1 }]);
  });
});
