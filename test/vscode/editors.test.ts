import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEditors } from '../../src/vscode/editors.ts';
import {
  host,
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  textEditorOf,
  Uri,
} from '../fakes/tabs.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

vi.mock('vscode', () => import('../fakes/tabs.ts'));

const a = Uri.file('/w/a.ts');
const b = Uri.file('/w/b.ts');
let told: { tabs: number; selection: number };

function start() {
  const editors = createEditors(new FakeWorkspace());
  onTestFinished(() => editors.dispose());
  editors.onDidChange(() => (told.tabs += 1));
  editors.onDidChangeSelection(() => (told.selection += 1));
  return editors;
}

beforeEach(() => {
  host.reset();
  told = { tabs: 0, selection: 0 };
});

test('lists one entry a file in the order of the tabs, the active one first', () => {
  const editors = start();
  textEditorOf(b);
  host.open(new TabInputText(a), { isDirty: true });
  host.open(new TabInputText(b));
  host.open(new TabInputText(a), { isActive: false });
  expect(
    editors.open().map(({ path, isActive, isDirty, languageId }) => [path, isActive, isDirty, languageId]),
  ).toEqual([
    ['b.ts', true, false, 'typescript'],
    ['a.ts', false, true, undefined],
  ]);
  expect(told.tabs).toBe(3);
});

test('lists notebooks, custom editors and the side of a comparison that can be changed', () => {
  const editors = start();
  host.open(new TabInputNotebook(Uri.file('/w/n.ipynb')));
  host.open(new TabInputCustom(Uri.file('/w/p.png')));
  host.open(new TabInputTextDiff(new Uri('git', '/w/old.ts'), Uri.file('/w/new.ts')));
  host.open(new TabInputNotebookDiff(new Uri('git', '/w/old.ipynb'), Uri.file('/w/new.ipynb')));
  expect(editors.open().map(({ path }) => path)).toEqual(['new.ipynb', 'n.ipynb', 'p.png', 'new.ts']);
});

test('leaves out what is no file of the workspace', () => {
  const editors = start();
  host.open(new TabInputText(new Uri('untitled', '/w/Untitled-1')));
  host.open(new TabInputText(Uri.file('/elsewhere/c.ts')));
  host.open(new TabInputTextDiff(Uri.file('/w/a.ts'), new Uri('drawbridge', '/w/a.ts')));
  // A terminal, say.
  host.open(undefined);
  expect(editors.open()).toEqual([]);
});

test('tells the selection with 1-based lines and columns and with LF', () => {
  host.activeTextEditor = textEditorOf(a, 'one\r\ntwo');
  const editors = start();
  host.select(host.activeTextEditor, 4, 2, 6);
  expect(editors.selection()).toMatchObject({
    path: 'a.ts',
    firstLine: 5,
    firstColumn: 3,
    lastLine: 5,
    lastColumn: 7,
    text: 'one\ntwo',
  });
  expect(told.selection).toBe(1);
});

test('the selection stays when the focus moves to a panel, a page or an untitled text, and follows to another file', () => {
  const editors = start();
  expect(editors.selection()).toBeUndefined();
  const [editor, other] = [textEditorOf(a, 'one'), textEditorOf(b, 'two')];
  host.activate(editor);
  for (const elsewhere of [undefined, textEditorOf(new Uri('output', '/log')), textEditorOf(Uri.file('/out/x'))]) {
    host.activate(elsewhere);
    expect(editors.selection()?.path).toBe('a.ts');
  }
  host.select(other, 0, 0, 1);
  expect(told.selection).toBe(1);
  host.activate(other);
  expect(editors.selection()?.path).toBe('b.ts');
  expect(told.selection).toBe(2);
});

test('the selection goes with the last tab of its file, though the editor keeps the document', () => {
  const editors = start();
  const [first, second] = [host.open(new TabInputText(a)), host.open(new TabInputText(a))];
  host.activate(textEditorOf(a, 'one'));
  host.close(first);
  expect(editors.selection()?.path).toBe('a.ts');
  expect(told.selection).toBe(1);
  host.close(second);
  expect(editors.selection()).toBeUndefined();
  expect(told.selection).toBe(2);
});

test('text that changes under the selection is told, that of another file is not', () => {
  const editors = start();
  const editor = textEditorOf(a, 'one');
  host.activate(editor);
  host.type(textEditorOf(b).document, 'other');
  expect(told.selection).toBe(1);
  host.type(editor.document, 'new');
  expect([told.selection, editors.selection()?.text]).toEqual([2, 'new']);
  editor.document.isClosed = true;
  expect(editors.selection()).toBeUndefined();
});
