import { beforeEach, expect, test } from 'vitest';
import { markLines } from '#tools/editor/markLines.ts';
import { ToolRun } from '../workspace/toolRun.ts';

let run: ToolRun;
const principal = { credential: 'window' };

beforeEach(() => {
  run = new ToolRun({ '/w/a.ts': 'a\nb\nc\n', '/w/b.ts': 'b\n', '/w/.env': 'KEY=1\n' });
});

test('replaces the earlier marks, and clears them when given none', async () => {
  const first = [
    { path: 'a.ts', firstLine: 1, note: 'Here' },
    { path: 'a.ts', firstLine: 2, lastLine: 3, note: 'And here' },
  ];
  expect(await run.data(markLines, { marks: first })).toEqual({ marked: 2, cleared: 0 });
  expect(run.lineMarks.of(principal)).toMatchObject([
    { file: { path: 'a.ts' }, firstLine: 1, lastLine: 1, note: 'Here' },
    { file: { path: 'a.ts' }, firstLine: 2, lastLine: 3, note: 'And here' },
  ]);
  expect(await run.data(markLines, { marks: [{ path: 'b.ts', firstLine: 1, note: 'Now here' }] })).toEqual({
    marked: 1,
    cleared: 2,
  });
  const cleared = await run.rendering(markLines, { marks: [] });
  expect(cleared.text).toBe('Marked 0 places; 1 earlier mark cleared.');
  expect(run.lineMarks.of(principal)).toEqual([]);
});

test.each([
  ['a file that is not there', { path: 'c.ts', firstLine: 1, note: 'x' }, 'There is no file'],
  ['a file that may not be read', { path: '.env', firstLine: 1, note: 'x' }, 'never read'],
  ['lines that end before they begin', { path: 'a.ts', firstLine: 2, lastLine: 1, note: 'x' }, 'before firstLine'],
])('marks nothing with %s among the marks', async (_, mark, why) => {
  const marks = [{ path: 'b.ts', firstLine: 1, note: 'fine' }, mark];
  await expect(run.data(markLines, { marks })).rejects.toThrow(why);
  expect(run.lineMarks.of(principal)).toEqual([]);
});

test('refuses too many marks and too long notes', () => {
  const mark = { path: 'a.ts', firstLine: 1, note: 'x' };
  expect(() => markLines.input.parse({ marks: Array.from({ length: 101 }, () => mark) })).toThrow('marks');
  expect(() => markLines.input.parse({ marks: [{ ...mark, note: 'x'.repeat(501) }] })).toThrow('note');
});
