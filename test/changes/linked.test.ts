import { expect, it } from 'vitest';
import { linked } from '#changes/linked.ts';

function linksOf(...results: readonly string[]): readonly (readonly number[])[] {
  const hunks = results.map((text) => ({ baseLines: [], resultLines: [text] }));
  return linked(hunks).map((hunk) => hunk.linked);
}

it('what one hunk opens and another closes belongs together', () => {
  expect(linksOf('f(', 'a', ')')).toEqual([[2], [], [0]]);
  expect(linksOf('{', '[', ']', '}')).toEqual([
    [1, 2, 3],
    [0, 2, 3],
    [0, 1, 3],
    [0, 1, 2],
  ]);
  expect(linksOf('(', ')', '{', '}')).toEqual([[1], [0], [3], [2]]);
});

it('hunks whose brackets close themselves, or never, belong to none', () => {
  expect(linksOf('f(a)', '[1]', '{}')).toEqual([[], [], []]);
  expect(linksOf('(', 'a')).toEqual([[], []]);
  expect(linksOf('(', '[')).toEqual([[], []]);
  expect(linksOf('(', '{', ')')).toEqual([[], [], []]);
});

it('what was there before does not count', () => {
  const hunks = [
    { baseLines: ['f('], resultLines: ['g('] },
    { baseLines: [')'], resultLines: [') // end'] },
  ];
  expect(linked(hunks).map((hunk) => hunk.linked)).toEqual([[], []]);
});

it('A4: fifty hunks hang together at most', () => {
  const fifty = ['(', ...Array.from({ length: 48 }, () => '('), ')'.repeat(49)];
  expect(linksOf(...fifty)[0]).toHaveLength(49);
  const more = ['(', ...Array.from({ length: 49 }, () => '('), ')'.repeat(50)];
  expect(linksOf(...more).every((links) => links.length === 0)).toBe(true);
});
