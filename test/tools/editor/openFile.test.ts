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

test('shows the requested lines of the file without taking the focus', async () => {
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

test('takes the focus only when the call asks for it', async () => {
  await run.data(openFile, { path: 'src/cart.ts', focus: true });
  expect(run.editorActions.shown).toEqual([{ path: 'src/cart.ts', focus: true, isText: true }]);
});

test('opens a hidden tab and reports no lines when the user is typing', async () => {
  run.editorActions.isVisible = false;
  const data = await run.data(openFile, { path: 'src/cart.ts', firstLine: 2 });
  expect(data).not.toHaveProperty('firstLine');
  expect(openFile.render(data).text).toBe(
    'src/cart.ts: Open in a tab of group 1; not shown, since the user is typing.',
  );
});

test('shows an image in the image viewer', async () => {
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

test('refuses a range when lastLine is before firstLine', async () => {
  await expect(run.data(openFile, { path: 'src/cart.ts', firstLine: 3, lastLine: 2 })).rejects.toThrow(
    'before firstLine',
  );
});
