import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, hunksBetween } from '#changes/hunks.ts';
import { linkHunks, reviewOf, select } from '#changes/review.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', '{\n', '}\n', 'only once\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('', 'end', '\r'))
  .map(([lines, end]) => lines.join('') + end);
const numbered = (count: number, change: (line: number) => string = (each) => `line ${each}`): string =>
  Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join('');

describe('a review', () => {
  it('shows and applies exactly the selected hunks, for every subset', () => {
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

  it('shows the complete text that would be applied, for any text the user types', () => {
    fc.assert(
      fc.property(text, text, text, (base, result, typed) => {
        const review = reviewOf(base, hunksBetween(base, result), typed);
        const included = review.hunks.filter((hunk) => hunk.included);
        expect(compose(base, included)).toBe(typed);
        if (!review.edited) expect(review.hunks.every(({ origin }) => origin === 'proposed')).toBe(true);
      }),
    );
  });

  it('matches the text after any sequence of toggles', () => {
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
            // A hunk of the user that is taken out is gone: only the undo of the editor remembers it.
            if (hunk?.origin === 'proposed' && !after.edited && !review.edited) {
              expect(after.hunks[index]?.resultLines).toEqual(hunk.resultLines);
            }
          }
        },
      ),
    );
  });

  it('marks the lines that the user typed as edited, and keeps the other hunks as proposed', () => {
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

  it('links hunks that open and close the same brackets, so that they toggle together', () => {
    const base = 'one();\ntwo();\nthree();\nfour();\n';
    const result = 'one();\nif (yes) {\ntwo();\n}\nthree();\nfünf();\n';
    const proposed = hunksBetween(base, result);
    const review = reviewOf(base, proposed, result);
    expect(review.hunks.map(({ linked }) => linked)).toEqual([[1], [0], []]);
    expect(select(base, review, 1, false)).toBe(base.replace('four', 'fünf'));
  });

  it('recognizes the selection in a repetitive text without trying every one', () => {
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

function linksOf(...results: readonly string[]): readonly (readonly number[])[] {
  const hunks = results.map((each) => ({ baseLines: [], resultLines: [each] }));
  return linkHunks(hunks).map((hunk) => hunk.linked);
}

describe('linkHunks', () => {
  it('links the hunks that open and close a bracket', () => {
    expect(linksOf('f(', 'a', ')')).toEqual([[2], [], [0]]);
    expect(linksOf('{', '[', ']', '}')).toEqual([
      [1, 2, 3],
      [0, 2, 3],
      [0, 1, 3],
      [0, 1, 2],
    ]);
    expect(linksOf('(', ')', '{', '}')).toEqual([[1], [0], [3], [2]]);
  });

  it('links no hunk whose brackets are balanced, or never closed', () => {
    expect(linksOf('f(a)', '[1]', '{}')).toEqual([[], [], []]);
    expect(linksOf('(', 'a')).toEqual([[], []]);
    expect(linksOf('(', '[')).toEqual([[], []]);
    expect(linksOf('(', '{', ')')).toEqual([[], [], []]);
  });

  it('ignores brackets of unchanged lines', () => {
    const hunks = [
      { baseLines: ['f('], resultLines: ['g('] },
      { baseLines: [')'], resultLines: [') // end'] },
    ];
    expect(linkHunks(hunks).map((hunk) => hunk.linked)).toEqual([[], []]);
  });

  it('A4: links at most fifty hunks', () => {
    const fifty = ['(', ...Array.from({ length: 48 }, () => '('), ')'.repeat(49)];
    expect(linksOf(...fifty)[0]).toHaveLength(49);
    const more = ['(', ...Array.from({ length: 49 }, () => '('), ')'.repeat(50)];
    expect(linksOf(...more).every((links) => links.length === 0)).toBe(true);
  });
});
