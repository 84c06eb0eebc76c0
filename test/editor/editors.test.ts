import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  Selection,
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  Uri,
} from 'vscode';
import { createEditors } from '#editor/editors.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';
import { closeTabs, openTab } from '../fakes/editor/tabs.ts';
import { activate, FakeTextEditor, select } from '../fakes/editor/textEditors.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

const a = Uri.file('/w/a.ts');
const b = Uri.file('/w/b.ts');
const uriOf = (scheme: string, path: string): Uri => Uri.file(path).with({ scheme });
const textEditorOf = (uri: Uri, text = ''): FakeTextEditor =>
  new FakeTextEditor(new FakeDocument(uri, text, 'typescript'));
let told: { tabs: number; selection: number };

function start() {
  const editors = createEditors(new FakeWorkspace());
  onTestFinished(() => editors.dispose());
  editors.onDidChange(() => (told.tabs += 1));
  editors.onDidChangeSelection(() => (told.selection += 1));
  return editors;
}

beforeEach(() => {
  resetEditor();
  told = { tabs: 0, selection: 0 };
});

test('lists each file once in the order of the tabs, the active one first', () => {
  const editors = start();
  textEditorOf(b);
  openTab(new TabInputText(a), { isDirty: true });
  openTab(new TabInputText(b));
  openTab(new TabInputText(a), { isActive: false });
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
  openTab(new TabInputNotebook(Uri.file('/w/n.ipynb'), 'toy'));
  openTab(new TabInputCustom(Uri.file('/w/p.png'), 'toy.picture'));
  openTab(new TabInputTextDiff(uriOf('git', '/w/old.ts'), Uri.file('/w/new.ts')));
  openTab(new TabInputNotebookDiff(uriOf('git', '/w/old.ipynb'), Uri.file('/w/new.ipynb'), 'toy'));
  expect(editors.open().map(({ path }) => path)).toEqual(['new.ipynb', 'n.ipynb', 'p.png', 'new.ts']);
});

test('leaves out tabs without a workspace file', () => {
  const editors = start();
  openTab(new TabInputText(uriOf('untitled', '/w/Untitled-1')));
  openTab(new TabInputText(Uri.file('/elsewhere/c.ts')));
  openTab(new TabInputTextDiff(Uri.file('/w/a.ts'), uriOf('drawbridge', '/w/a.ts')));
  // For example a terminal.
  openTab(undefined);
  expect(editors.open()).toEqual([]);
});

test('returns the selection with 1-based lines and columns and with LF', () => {
  const active = textEditorOf(a, '\r\n\r\n\r\n\r\n  one\r\ntwo');
  editor.activeEditor = active;
  const editors = start();
  select(active, new Selection(4, 2, 5, 3));
  expect(editors.selection()).toMatchObject({
    path: 'a.ts',
    firstLine: 5,
    firstColumn: 3,
    lastLine: 6,
    lastColumn: 4,
    text: 'one\ntwo',
  });
  expect(told.selection).toBe(1);
});

test('keeps the selection when a panel, a page or an untitled text gets the focus, and follows to another file', () => {
  const editors = start();
  expect(editors.selection()).toBeUndefined();
  const [active, other] = [textEditorOf(a, 'one'), textEditorOf(b, 'two')];
  activate(active);
  for (const elsewhere of [undefined, textEditorOf(uriOf('output', '/log')), textEditorOf(Uri.file('/out/x'))]) {
    activate(elsewhere);
    expect(editors.selection()?.path).toBe('a.ts');
  }
  select(other, new Selection(0, 0, 0, 1));
  expect(told.selection).toBe(1);
  activate(other);
  expect(editors.selection()?.path).toBe('b.ts');
  expect(told.selection).toBe(2);
});

test('drops the selection with the last tab of its file, though the editor keeps the document', () => {
  const editors = start();
  const [first, second] = [openTab(new TabInputText(a)), openTab(new TabInputText(a))];
  activate(textEditorOf(a, 'one'));
  closeTabs([first]);
  expect(editors.selection()?.path).toBe('a.ts');
  expect(told.selection).toBe(1);
  closeTabs([second]);
  expect(editors.selection()).toBeUndefined();
  expect(told.selection).toBe(2);
});

test('fires when the text under the selection changes, not when another file changes', () => {
  const editors = start();
  const active = textEditorOf(a, 'one');
  active.selection = new Selection(0, 0, 0, 3);
  activate(active);
  textEditorOf(b).document.load('other');
  expect(told.selection).toBe(1);
  active.document.load('new');
  expect([told.selection, editors.selection()?.text]).toEqual([2, 'new']);
  active.document.isClosed = true;
  expect(editors.selection()).toBeUndefined();
});
