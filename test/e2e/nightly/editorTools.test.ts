import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Assistant, connectAssistant, patience } from '../assistant.ts';
import { bufferOf, closeAll, openFile, tabsOf, typeInto } from '../editor.ts';
import { type Drawbridge, startDrawbridge, until, type Window } from '../harness.ts';
import { setMode } from '../quickPick.ts';

const lines = (name: string): string => Array.from({ length: 200 }, (_, at) => `${name} ${at + 1}\n`).join('');
const names = ['a', 'b', 'c', 'typed', 'beside'];
const files = {
  ...Object.fromEntries(names.map((name) => [`${name}.txt`, lines(name)])),
  '.env': 'API_KEY=secret\n',
};
const settings = { ...patience, 'drawbridge.toolsets': { editor: true } };

let drawbridge: Drawbridge;
let window: Window;
let assistant: Assistant;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files, settings });
  ({ window } = drawbridge);
});
afterAll(() => drawbridge?.stop());

beforeEach(async () => {
  assistant = await connectAssistant(await drawbridge.record());
});
afterEach(async () => {
  await assistant?.close();
  await closeAll(window);
});

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);

/** All that the user sees of the editors, and what has the keyboard. */
async function seen(): Promise<unknown> {
  const state = await window.evaluate(async (vscode) => ({
    tabs: vscode.window.tabGroups.all.map(({ tabs, isActive }) => [
      isActive,
      tabs.map(({ label, isActive: isShown, isDirty, isPreview, isPinned }) => [
        label,
        isShown,
        isDirty,
        isPreview,
        isPinned,
      ]),
    ]),
    editors: vscode.window.visibleTextEditors.map(({ document, selections, visibleRanges }) => [
      document.uri.path,
      selections,
      visibleRanges,
    ]),
    clipboard: await vscode.env.clipboard.readText(),
  }));
  const focus = await window.page.evaluate('document.activeElement?.className + document.activeElement?.ariaLabel');
  return { state, focus };
}

/** Lines on screen that are marked: nothing else is decorated by an extension here. */
const marks = (): Locator => window.page.locator('.view-overlays [class*="TextEditorDecorationType"]');

test('open_file shows a position and leaves the focus where it is', async () => {
  await window.command('workbench.view.explorer');
  const focus = (): Promise<unknown> => window.page.evaluate(`document.activeElement?.closest('.part')?.id`);
  await until(async () => (await focus()) === 'workbench.parts.sidebar', 'the explorer to have the keyboard');
  expect(await assistant.say('open_file', { path: 'b.txt', firstLine: 120 })).toBe('b.txt:120-120: Shown in group 1.');
  await window.page.locator('.view-line', { hasText: 'b 120' }).first().waitFor();
  expect(await focus()).toBe('workbench.parts.sidebar');
  // The preview makes room for the next one.
  await assistant.say('open_file', { path: 'c.txt' });
  expect(await tabsOf(window)).toEqual([pathOf('c.txt')]);
  // VS Code would show only one of two files that are opened at the same time.
  const both = await Promise.all(['b.txt', 'c.txt'].map((path) => assistant.say('open_file', { path, firstLine: 1 })));
  expect(both).toEqual(['b.txt:1-1: Shown in group 1.', 'c.txt:1-1: Shown in group 1.']);
  expect(await assistant.say('open_file', { path: '.env' })).toContain('[denied]');
});

test('get_editor_state returns what the user sees and changes nothing of it', async () => {
  await window.evaluate(
    async (vscode, a, b, c) => {
      await vscode.env.clipboard.writeText('mine');
      await vscode.window.showTextDocument(vscode.Uri.file(c), { preview: true });
      await vscode.window.showTextDocument(vscode.Uri.file(b), { preview: false, viewColumn: vscode.ViewColumn.Two });
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(a), {
        preview: false,
        viewColumn: vscode.ViewColumn.One,
      });
      editor.selections = [new vscode.Selection(1, 0, 2, 3), new vscode.Selection(4, 1, 4, 1)];
      vscode.window.createTerminal({ name: 'Mine' });
    },
    pathOf('a.txt'),
    pathOf('b.txt'),
    pathOf('c.txt'),
  );
  await typeInto(window, pathOf('b.txt'), 'unsaved');
  await until(async () => (await tabsOf(window)).some((tab) => tab.endsWith('b.txt*')), 'the unsaved text');
  const before = await seen();
  const { structuredContent } = await assistant.call('get_editor_state');
  expect(await seen()).toEqual(before);
  const base = { isDirty: false, isPreview: false, isPinned: false };
  expect(structuredContent).toMatchObject({
    active: 'a.txt',
    editors: [
      {
        path: 'a.txt',
        isActive: true,
        selections: [
          { firstLine: 2, firstColumn: 1, lastLine: 3, lastColumn: 4, text: 'a 2\na 3' },
          { firstLine: 5, firstColumn: 2, lastLine: 5, lastColumn: 2 },
        ],
      },
      { path: 'b.txt', group: 2, isActive: false },
    ],
    tabs: [
      { ...base, path: 'c.txt', group: 1, isShown: false, isPreview: true },
      { ...base, path: 'a.txt', group: 1, isShown: true },
      { ...base, path: 'b.txt', group: 2, isShown: true, isDirty: true },
    ],
    recentFiles: ['a.txt', 'b.txt', 'c.txt'],
    terminals: expect.arrayContaining([{ name: 'Mine', isActive: expect.any(Boolean) }]),
    breakpoints: 0,
  });
});

/** Opens a file for a user who types into it. */
async function openToType(name: string, beside = false): Promise<void> {
  await openFile(window, pathOf(name), beside);
  await window.command('workbench.action.focusActiveEditorGroup');
  const hasKeyboard = `document.activeElement?.closest('.monaco-editor') !== null && document.hasFocus()`;
  await until(async () => (await window.page.evaluate(hasKeyboard)) === true, 'the editor to have the keyboard');
}

test('open_file does not interrupt a user who is typing', async () => {
  await openToType('typed.txt');
  await window.page.keyboard.type('before ');
  await until(async () => (await bufferOf(window, pathOf('typed.txt'))).text.startsWith('before '), 'the typing');
  expect(await assistant.say('open_file', { path: 'b.txt', firstLine: 100 })).toContain('not shown');
  await window.page.keyboard.type('after ');
  await until(async () => (await bufferOf(window, pathOf('typed.txt'))).text.startsWith('before after '), 'the typing');
  expect(await tabsOf(window)).toEqual([`${pathOf('typed.txt')}*`, pathOf('b.txt')]);

  // In another group it covers nothing.
  await openToType('beside.txt', true);
  await window.page.keyboard.type('beside ');
  expect(await assistant.say('open_file', { path: 'b.txt', firstLine: 100 })).toContain('Shown in group 1');
  await window.page.locator('.view-line', { hasText: 'b 100' }).first().waitFor();
  await window.page.keyboard.type('still ');
  await until(
    async () => (await bufferOf(window, pathOf('beside.txt'))).text.startsWith('beside still '),
    'the typing',
  );
});

test('mark_lines adds a plain note until the assistant or the user clears it', async () => {
  await openToType('c.txt');
  const note = '[look](command:workbench.action.quit) here';
  await assistant.say('mark_lines', { marks: [{ path: 'c.txt', firstLine: 2, lastLine: 3, note }] });
  await marks().first().waitFor();
  await window.command('cursorMove', { to: 'down' });
  await window.command('editor.action.showHover');
  await window.page.locator('.monaco-hover', { hasText: 'Marked by assistant: [look](command' }).first().waitFor();
  expect(await window.page.locator('.monaco-hover a', { hasText: 'look' }).count()).toBe(0);
  await assistant.say('mark_lines', { marks: [] });
  await marks().first().waitFor({ state: 'detached' });

  await assistant.say('mark_lines', { marks: [{ path: 'c.txt', firstLine: 2, note }] });
  await marks().first().waitFor();
  await window.command('drawbridge.clearMarks');
  await marks().first().waitFor({ state: 'detached' });
});

test('save_files and close_editors do exactly what was approved, and never lose text', async () => {
  await openFile(window, pathOf('a.txt'));
  await typeInto(window, pathOf('a.txt'), 'kept ');
  await openFile(window, pathOf('b.txt'));
  await setMode(window, 'Accept edits');
  expect(await assistant.say('close_editors', { paths: ['a.txt'] })).toContain('Unsaved changes would be lost');
  expect(await assistant.say('save_files')).toContain('a.txt: saved');
  expect((await bufferOf(window, pathOf('a.txt'))).dirty).toBe(false);
  expect(await assistant.say('close_editors')).toContain('b.txt: closed');
  expect(await tabsOf(window)).toEqual([]);
  await setMode(window, 'Manual');
});

test('get_marked_context returns the lines that the user marked, follows edits, and omits marks that the user removed', async () => {
  const marked = async (): Promise<unknown> => (await assistant.call('get_editor_state')).structuredContent?.['marked'];
  await window.evaluate(async (vscode, path) => {
    const selection = new vscode.Range(4, 0, 6, 2);
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false, selection });
    await vscode.commands.executeCommand('drawbridge.addToContext');
  }, pathOf('c.txt'));
  expect(await marked()).toEqual([{ path: 'c.txt', firstLine: 5, lastLine: 7 }]);
  await typeInto(window, pathOf('c.txt'), 'one\ntwo\n');
  expect(await marked()).toEqual([{ path: 'c.txt', firstLine: 7, lastLine: 9 }]);
  await window.evaluate(async (vscode, path) => {
    await vscode.commands.executeCommand('drawbridge.addToContext', vscode.Uri.file(path), [vscode.Uri.file(path)]);
  }, pathOf('.env'));
  // The user may mark it; an assistant may not read it, and hears nothing of it.
  expect(await marked()).toHaveLength(1);
  await window.command('drawbridge.clearContext');
  expect(await marked()).toEqual([]);
});
