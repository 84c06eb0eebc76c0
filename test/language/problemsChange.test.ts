import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoundProblem, problemsChange } from '#language/problemsChange.ts';
import { githubToken } from '../fakes/secrets.ts';

const problem = (line: number, facts: Partial<FoundProblem> = {}): FoundProblem => ({
  line,
  severity: 'error',
  message: 'No.',
  code: 'ts(1)',
  lineText: 'let a',
  ...facts,
});
const fresh = (...problems: FoundProblem[]) => ({ problems, isFresh: true });
const change = (before: readonly FoundProblem[], after: readonly FoundProblem[]) =>
  problemsChange([{ path: 'a.ts', before: fresh(...before), after: fresh(...after) }]);

test('treats a problem whose line moved as unchanged', () => {
  expect(change([problem(3)], [problem(30)])).toEqual({
    new: [],
    newCount: 0,
    fixedCount: 0,
    unchangedCount: 1,
    freshness: 'fresh',
  });
});

test.each([
  ['severity', { severity: 'warning' }],
  ['code', { code: 'ts(2)' }],
  ['message', { message: 'Not this.' }],
  ['text of its line', { lineText: 'let b' }],
] as const)('a problem with another %s is another one', (_what, facts) => {
  expect(change([problem(3)], [problem(3, facts)])).toMatchObject({
    new: [{ path: 'a.ts', line: 3 }],
    newCount: 1,
    fixedCount: 1,
    unchangedCount: 0,
  });
});

test('counts equal problems on lines with equal text', () => {
  const change1 = change([problem(1)], [problem(9), problem(5), problem(1)]);
  expect(change1).toMatchObject({ newCount: 2, fixedCount: 0 });
  expect(change([problem(1), problem(2), problem(3)], [problem(2)])).toMatchObject({ newCount: 0, fixedCount: 2 });
});

test('keeps the problems of different files apart', () => {
  const found = problemsChange([
    { path: 'a.ts', before: fresh(problem(1)), after: fresh() },
    { path: 'b.ts', before: fresh(), after: fresh(problem(1)) },
  ]);
  expect(found).toMatchObject({ new: [{ path: 'b.ts' }], newCount: 1, fixedCount: 1 });
});

test('lists the first 20 problems, counts all, and cuts long messages', () => {
  const many = Array.from({ length: 25 }, (_each, at) => problem(25 - at, { message: `${at}${'!'.repeat(5000)}` }));
  const found = change([], many);
  expect(found).toMatchObject({ newCount: 25 });
  expect(found?.new.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_each, at) => at + 1));
  expect(found?.new[0]?.message.length).toBeLessThan(1100);
});

test('A8: redacts a quoted secret before it cuts the message', () => {
  const quoting = problem(1, { message: `${'x'.repeat(980)} "${githubToken}"` });
  const message = change([], [quoting])?.new[0]?.message;
  expect(message).toContain('[redacted:');
  expect(message).not.toContain(githubToken.slice(0, 8));
});

test('is still settling when one file has no answer for the present text', () => {
  const known = { path: 'a.ts', before: fresh(), after: fresh() };
  expect(problemsChange([known, { ...known, after: undefined }])?.freshness).toBe('settling');
  expect(problemsChange([known, { ...known, after: { problems: [], isFresh: false } }])?.freshness).toBe('settling');
  expect(problemsChange([known])?.freshness).toBe('fresh');
  expect(problemsChange([])).toBeUndefined();
});

test('reports new minus fixed as the growth of the list', () => {
  const some = fc.array(fc.record({ line: fc.integer({ min: 1, max: 5 }), message: fc.constantFrom('a', 'b') }), {
    maxLength: 15,
  });
  fc.assert(
    fc.property(some, some, (one, other) => {
      const [before, after] = [one, other].map((all) => all.map(({ line, message }) => problem(line, { message })));
      const forth = change(before ?? [], after ?? []);
      const back = change(after ?? [], before ?? []);
      expect((forth?.newCount ?? 0) - (forth?.fixedCount ?? 0)).toBe(other.length - one.length);
      expect([forth?.newCount, forth?.fixedCount]).toEqual([back?.fixedCount, back?.newCount]);
      expect(change(before ?? [], (before ?? []).toReversed())).toMatchObject({ newCount: 0, fixedCount: 0 });
    }),
  );
});
