import { beforeEach, describe, expect, test } from 'vitest';
import { getEditorState } from '#tools/editor/getEditorState.ts';
import { ToolRun } from '../workspace/toolRun.ts';
import { editorOf, fileAt, tabOf } from './window.ts';

const code = 'export class Cart {\r\n  add(qty) {\r\n    return qty;\r\n  }\r\n}\r\n';
let run: ToolRun;

beforeEach(() => {
  run = new ToolRun({ '/w/src/cart.ts': code, '/w/.env': 'API_KEY=secret\n', '/w/a.txt': 'x'.repeat(10_000) });
});

const state = () => run.data(getEditorState, {});
const text = async (): Promise<string> => (await run.rendering(getEditorState, {})).text;

test('reports only that nothing is open when no editor is open', async () => {
  expect(await text()).toBe('No file of the workspace is active.\nProblems: 0 errors, 0 warnings');
});

describe('selections', () => {
  test('have their text with LF in the active editor', async () => {
    const selections = [
      { firstLine: 1, firstColumn: 8, lastLine: 2, lastColumn: 6 },
      { firstLine: 3, firstColumn: 5, lastLine: 3, lastColumn: 11 },
      { firstLine: 5, firstColumn: 1, lastLine: 5, lastColumn: 1 },
    ];
    run.editorState.editors = [editorOf('src/cart.ts', { selections })];
    const { editors } = await state();
    expect(editors[0]?.selections).toEqual([
      { ...selections[0], text: 'class Cart {\n  add' },
      { ...selections[1], text: 'return' },
      selections[2],
    ]);
    expect(await text()).toContain('  selected 3:5 to 3:11:\nreturn\n  cursor 5:1');
  });

  test('have no text in other editors', async () => {
    const selections = [{ firstLine: 1, firstColumn: 8, lastLine: 1, lastColumn: 13 }];
    run.editorState.editors = [editorOf('src/cart.ts', { selections, isActive: false })];
    expect((await state()).editors[0]?.selections).toEqual(selections);
  });

  test('are cut and marked as cut when they are long', async () => {
    const selections = [{ firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 10_001 }];
    run.editorState.editors = [editorOf('a.txt', { selections })];
    const [selection] = (await state()).editors[0]?.selections ?? [];
    expect([selection?.text?.length, selection?.cut]).toEqual([4000, true]);
    expect(await text()).toContain('(cut; read_file reads all of it)');
  });

  test('redact a part of a secret that only the whole file reveals as such', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    run = new ToolRun({ '/w/t.ts': `const token = '${token}';\n` });
    const selections = [{ firstLine: 1, firstColumn: 20, lastLine: 1, lastColumn: 40 }];
    run.editorState.editors = [editorOf('t.ts', { selections })];
    expect(await text()).not.toContain(token.slice(6, 16));
  });

  test('have no text when the file is gone or is not text', async () => {
    const selections = [{ firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 5 }];
    run.editorState.editors = [editorOf('gone.ts', { selections })];
    expect((await state()).editors[0]?.selections).toEqual(selections);
  });
});

test('lists tabs, recent files, marks, terminals, debug sessions and problems', async () => {
  const { editorState } = run;
  editorState.tabsShown = [
    tabOf('src/cart.ts', { isShown: true, isActive: true, isDirty: true }),
    tabOf('a.txt', { group: 2, isPreview: true, isPinned: true }),
  ];
  editorState.recent = [fileAt('src/cart.ts'), fileAt('a.txt')];
  editorState.openTerminals = [
    { name: 'zsh', isActive: true },
    { name: 'node', isActive: false },
  ];
  editorState.debugging = { sessions: [{ name: 'Launch', isActive: true }], breakpoints: 3 };
  run.markedContext.set({ ...fileAt('src/cart.ts'), firstLine: 2, lastLine: 4 }, fileAt('a.txt'));
  const at = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 2, message: 'no' };
  run.diagnostics.publish({
    ...fileAt('a.txt'),
    diagnostics: [
      { ...at, severity: 'error' },
      { ...at, severity: 'warning' },
      { ...at, severity: 'warning' },
      { ...at, severity: 'hint' },
    ],
  });
  expect(await text()).toBe(
    [
      'Active: src/cart.ts',
      'Tabs:',
      '  src/cart.ts (shown, unsaved)',
      '  a.txt (group 2, preview, pinned)',
      'Marked for you by the user: src/cart.ts:2-4, a.txt',
      'Recent files: src/cart.ts, a.txt',
      'Terminals: zsh (active), node',
      'Debugging: Launch (active)',
      'Problems: 1 error, 2 warnings',
      '3 breakpoints',
    ].join('\n'),
  );
});

test('omits files that assistants may not read', async () => {
  const { editorState } = run;
  editorState.editors = [
    editorOf('.env', { selections: [{ firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 9 }] }),
  ];
  editorState.tabsShown = [tabOf('.env', { isActive: true, isShown: true })];
  editorState.recent = [fileAt('.env')];
  run.markedContext.set(fileAt('.env'));
  expect(await text()).toBe('No file of the workspace is active.\nProblems: 0 errors, 0 warnings');
});

test('counts what it omits when the state is too large', async () => {
  run.editorState.tabsShown = Array.from({ length: 103 }, (_, at) => tabOf(`${at}.ts`));
  run.editorState.openTerminals = Array.from({ length: 21 }, (_, at) => ({ name: `t${at}\u202E`, isActive: false }));
  expect((await state()).more).toEqual(['3 tabs', '1 terminal']);
  expect((await state()).tabs).toHaveLength(100);
  expect(await text()).toContain('t0<U+202E>');
});
