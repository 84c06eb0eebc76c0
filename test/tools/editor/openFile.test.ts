import { beforeEach, expect, test } from 'vitest';
import { openFile } from '#tools/editor/openFile.ts';
import { ToolRun } from '../workspace/toolRun.ts';

let run: ToolRun;

beforeEach(() => {
  run = new ToolRun({
    '/w/src/cart.ts': 'one\ntwo\nthree',
    '/w/logo.png': new Uint8Array([0x89, 0x50, 0, 1]),
    '/w/.env': 'KEY=1\n',
  });
});

test('shows lines as far as there are so many, without the keyboard', async () => {
  expect(await run.data(openFile, { path: 'src/cart.ts', firstLine: 2, lastLine: 90 })).toEqual({
    path: 'src/cart.ts',
    uri: 'file:///w/src/cart.ts',
    group: 1,
    isVisible: true,
    firstLine: 2,
    lastLine: 3,
  });
  const lines = { firstLine: 2, lastLine: 3 };
  expect(run.editorActions.shown).toEqual([{ path: 'src/cart.ts', lines, focus: false, isText: true }]);
});

test('takes the keyboard only when it is told to', async () => {
  await run.data(openFile, { path: 'src/cart.ts', focus: true });
  expect(run.editorActions.shown).toEqual([{ path: 'src/cart.ts', focus: true, isText: true }]);
});

test('says that a file waits in its tab while the user is typing, and of no lines then', async () => {
  run.editorActions.isVisible = false;
  const data = await run.data(openFile, { path: 'src/cart.ts', firstLine: 2 });
  expect(data).not.toHaveProperty('firstLine');
  expect(openFile.render(data).text).toBe(
    'src/cart.ts: Open in a tab of group 1; not shown, since the user is typing.',
  );
});

test('shows a picture as the editor shows pictures', async () => {
  await run.data(openFile, { path: 'logo.png', firstLine: 3 });
  expect(run.editorActions.shown).toEqual([{ path: 'logo.png', focus: false, isText: false }]);
});

test.each([
  ['gone.ts', 'does not exist'],
  ['src', 'is not a file'],
  ['.env', 'never read'],
])('does not show %s', async (path, why) => {
  await expect(run.data(openFile, { path })).rejects.toThrow(why);
  expect(run.editorActions.shown).toEqual([]);
});

test('refuses lines that end before they begin', async () => {
  await expect(run.data(openFile, { path: 'src/cart.ts', firstLine: 3, lastLine: 2 })).rejects.toThrow(
    'before firstLine',
  );
});
