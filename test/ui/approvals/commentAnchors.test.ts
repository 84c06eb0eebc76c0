import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hunksBetween } from '#changes/hunks.ts';
import { reviewOf } from '#changes/review.ts';
import { anchored, moved } from '#ui/approvals/commentAnchors.ts';
import type { LineComment } from '#ui/page/fromPage.ts';

const fileOf = (path: string, base: string, result: string) => ({
  path,
  base,
  hunks: reviewOf(base, hunksBetween(base, result), result).hunks,
});
const comment = (firstLine: number, lastLine = firstLine, side: LineComment['side'] = 'after'): LineComment => ({
  file: 0,
  side,
  firstLine,
  lastLine,
  comment: 'why?',
});
const keep = (comments: readonly LineComment[]) => ({ id: 'a', viewed: [], comments: [...comments] });

describe('a comment', () => {
  const before = fileOf('a.ts', 'one\ntwo\nthree\n', 'one\nzwei\ndrei\n');

  it('moves with its lines when lines come above them, on either side', () => {
    const comments = anchored([comment(2, 3), comment(2, 2, 'before')], [before]);
    const later = fileOf('a.ts', 'new\none\ntwo\nthree\n', 'new\none\nzwei\ndrei\n');
    expect(moved(keep(comments), [later]).comments).toMatchObject([
      { firstLine: 3, lastLine: 4, side: 'after' },
      { firstLine: 3, lastLine: 3, side: 'before' },
    ]);
  });

  it('follows its file when the files come in another order', () => {
    const comments = anchored([comment(2)], [before]);
    const other = fileOf('b.ts', 'x\n', 'zwei\n');
    expect(moved(keep(comments), [other, before]).comments).toMatchObject([{ file: 1, firstLine: 2 }]);
  });

  it('stays where it is and is marked when its lines are gone, and loses the mark when they come back', () => {
    const comments = anchored([comment(2)], [before]);
    const gone = moved(keep(comments), [fileOf('a.ts', 'one\n', 'eins\n')]);
    expect(gone.comments).toMatchObject([{ firstLine: 2, outdated: true, comment: 'why?' }]);
    const [back] = moved(gone, [before]).comments;
    expect(back).toMatchObject({ firstLine: 2 });
    expect(back).not.toHaveProperty('outdated');
  });

  it('becomes words of the decline when its file is gone', () => {
    const comments = anchored([comment(2)], [before]);
    const kept = { ...keep(comments), draft: { message: 'Not so.', isOpen: false } };
    expect(moved(kept, [fileOf('b.ts', 'x\n', 'y\n')])).toMatchObject({
      comments: [],
      draft: { message: 'Not so.\na.ts:2: why?', isOpen: false },
    });
  });

  it('holds no text of its lines', () => {
    expect(JSON.stringify(anchored([comment(2)], [before]))).not.toContain('zwei');
  });

  it('is found again wherever its lines stand, when they stand in the text once', () => {
    const lines = fc.uniqueArray(fc.nat(10_000), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lines, lines, fc.nat(), fc.nat(), (old, added, at, place) => {
        const textOf = (numbers: readonly number[]): string => numbers.map((number) => `line ${number}\n`).join('');
        const line = at % old.length;
        const fresh = added.filter((number) => number !== old[line]);
        const position = place % (fresh.length + 1);
        const later = fresh.toSpliced(position, 0, old[line] ?? 0);
        const comments = anchored([comment(line + 1)], [fileOf('a.ts', '', textOf(old))]);
        const after = moved(keep(comments), [fileOf('a.ts', '', textOf(later))]);
        expect(after.comments).toMatchObject([{ firstLine: position + 1, lastLine: position + 1 }]);
      }),
    );
  });
});
