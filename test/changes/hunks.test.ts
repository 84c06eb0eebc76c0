import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchors } from '#changes/anchors.ts';
import { compose, hunksBetween, linesOf, reviewOf, select } from '#changes/hunks.ts';

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

  it('say where their lines are, in the base and in the result', () => {
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

  it('of a part that is too different leave out the lines that it begins and ends with', () => {
    const around = (part: string): string => `${'x\n'.repeat(3)}once\nx\nx\n${part}y\ny\nalso once\n${'y\n'.repeat(3)}`;
    const [base, result] = [`${around('a\nb\n'.repeat(400))}old\n`, `new\n${around('c\na\n'.repeat(450))}`];
    const { hunks, rough } = hunksBetween(base, result);
    expect(rough).toBe(true);
    expect(compose(base, hunks)).toBe(result);
    const large = hunks.find(({ baseLines }) => baseLines.length > 300);
    expect(large).toMatchObject({ baseStart: 6, resultStart: 7 });
    expect([large?.baseLines.length, large?.resultLines.length]).toEqual([800, 900]);
  });

  it('of large texts are found between the lines that both have once', () => {
    const base = numbered(9000);
    const result = numbered(9000, (each) => (each % 9 === 0 ? `changed ${each}` : `line ${each}`));
    const { hunks, rough } = hunksBetween(base, result);
    expect(hunks).toHaveLength(1000);
    expect(rough).toBe(false);
    expect(compose(base, hunks)).toBe(result);
  });

  it('of texts that are too different are marked rough and lose nothing', () => {
    const base = `${'same\nx\n'.repeat(700)}old\n`;
    const result = `${'x\ny\nsame\n'.repeat(900)}new`;
    const { hunks, rough } = hunksBetween(base, result);
    expect(rough).toBe(true);
    expect(compose(base, hunks)).toBe(result);
  });
});

describe('a review', () => {
  it('of every subset of hunks shows exactly that subset, and applies to exactly what it shows', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (base, result, chosen) => {
        const proposed = hunksBetween(base, result);
        const subset = proposed.hunks.filter(() => chosen.next().value);
        const current = compose(base, subset);
        const review = reviewOf(base, proposed, current);
        expect(review.edited).toBe(false);
        const included = review.hunks.filter((hunk) => hunk.included);
        expect(compose(base, included)).toBe(current);
      }),
    );
  });

  it('of any text a human types shows what would be applied, whole', () => {
    fc.assert(
      fc.property(text, text, text, (base, result, typed) => {
        const review = reviewOf(base, hunksBetween(base, result), typed);
        const included = review.hunks.filter((hunk) => hunk.included);
        expect(compose(base, included)).toBe(typed);
        if (!review.edited) expect(review.hunks.every(({ origin }) => origin === 'proposed')).toBe(true);
      }),
    );
  });

  it('after any sequence of toggles still says what the text is', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 8 }),
        (base, result, typed, toggles) => {
          const proposed = hunksBetween(base, result);
          let current = typed;
          for (const [at, included] of toggles) {
            const review = reviewOf(base, proposed, current);
            if (review.hunks.length === 0) continue;
            const index = at % review.hunks.length;
            current = select(base, review, index, included);
            const hunk = review.hunks[index];
            const after = reviewOf(base, proposed, current);
            expect(
              compose(
                base,
                after.hunks.filter((each) => each.included),
              ),
            ).toBe(current);
            // A hunk of the human's own that is taken out is gone: nothing remembers it but the editor's undo.
            if (hunk?.origin === 'proposed' && !after.edited && !review.edited) {
              expect(after.hunks[index]?.resultLines).toEqual(hunk.resultLines);
            }
          }
        },
      ),
    );
  });

  it('marks what the human typed as theirs, and keeps what was proposed elsewhere', () => {
    const base = numbered(9);
    const result = base.replace('line 2', 'two').replace('line 8', 'eight');
    const typed = base.replace('line 2', 'zwei');
    const review = reviewOf(base, hunksBetween(base, result), typed);
    expect(review.edited).toBe(true);
    expect(review.hunks.map(({ origin, included, resultLines }) => [origin, included, resultLines.join('')])).toEqual([
      ['edited', true, 'zwei\n'],
      ['proposed', false, 'eight\n'],
    ]);
  });

  it('links hunks that open and close the same brackets, so that they go together', () => {
    const base = 'one();\ntwo();\nthree();\nfour();\n';
    const result = 'one();\nif (yes) {\ntwo();\n}\nthree();\nfünf();\n';
    const proposed = hunksBetween(base, result);
    const review = reviewOf(base, proposed, result);
    expect(review.hunks.map(({ linked }) => linked)).toEqual([[1], [0], []]);
    expect(select(base, review, 1, false)).toBe(base.replace('four', 'fünf'));
  });

  it('explains a text that repeats itself without trying every selection', () => {
    const base = 'x\n'.repeat(60);
    const result = 'x\ny\n'.repeat(60);
    const proposed = hunksBetween(base, result);
    const half = compose(
      base,
      proposed.hunks.filter((_, index) => index % 2 === 0),
    );
    expect(reviewOf(base, proposed, half).edited).toBe(false);
    expect(reviewOf(base, proposed, `${half}z\n`).edited).toBe(true);
  });
});

it('lines that hold two texts together occur once in each of them', () => {
  expect(anchors(['x', 'once', 'x', 'gone'], ['new', 'x', 'once'])).toEqual([{ oldIndex: 1, newIndex: 2 }]);
  expect(anchors(['once', 'x'], ['x', 'once', 'x'])).toEqual([{ oldIndex: 0, newIndex: 1 }]);
});
