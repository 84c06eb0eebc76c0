import { beforeEach, expect, test } from 'vitest';
import { MarkdownString, Range, TabInputText, Uri } from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { AssistantMarks } from '#editor/lineMarks.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { resetEditor } from '../fakes/editor/editor.ts';
import { closeTabs, openTab } from '../fakes/editor/tabs.ts';
import { type FakeTextEditor, show } from '../fakes/editor/textEditors.ts';
import { folderAt } from '../fakes/workspace.ts';

const claude = { principal: { credential: 'window', connectionId: '1' }, client: { name: 'Claude', version: '1' } };
const other = { principal: { credential: 'window', connectionId: '2' }, client: undefined };
const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');

let marks: AssistantMarks | undefined;
let document: FakeDocument;
let editor: FakeTextEditor;

beforeEach(() => {
  marks?.dispose();
  resetEditor();
  document = new FakeDocument(Uri.parse('file:///w/a.ts'), text);
  editor = show(document);
});

function start(): AssistantMarks {
  marks = new AssistantMarks();
  marks.showAssistants([claude, other]);
  return marks;
}

function mark(firstLine: number, lastLine: number, note = 'Look') {
  const file: ResolvedPath = {
    path: 'a.ts',
    uri: 'file:///w/a.ts',
    fsPath: '/w/a.ts',
    realPath: '/w/a.ts',
    folder: folderAt('/w'),
    kind: 'file',
    linked: false,
    dangling: false,
    size: 1,
    modified: 1,
    linkCount: 1,
  };
  return { file, firstLine, lastLine, note };
}

const lines = (): number[][] => editor.decorations.map(({ range }) => [range.start.line, range.end.line]);
/** The text of the notes, in which blanks are escaped. */
const notes = (): unknown[] =>
  editor.decorations.map(
    ({ hoverMessage }) => hoverMessage instanceof MarkdownString && hoverMessage.value.replaceAll('&nbsp;', ' '),
  );

test('marks lines with a note that names the assistant, in place of its earlier marks', () => {
  const made = start();
  expect(made.replace(claude.principal, [mark(2, 3), mark(5, 5)])).toBe(0);
  expect(made.replace(other.principal, [mark(9, 9, 'Here\u202E')])).toBe(0);
  expect(lines()).toEqual([
    [1, 2],
    [4, 4],
    [8, 8],
  ]);
  expect(notes()).toEqual([
    'Marked by Claude: Look',
    'Marked by Claude: Look',
    expect.stringMatching(/^Marked by an assistant: Here.*202E/),
  ]);
  expect(made.replace(claude.principal, [mark(1, 1)])).toBe(2);
  expect(lines()).toEqual([
    [8, 8],
    [0, 0],
  ]);
});

test('shows the marks in an editor that is opened later', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3)]);
  editor = show(document);
  expect(lines()).toEqual([[1, 2]]);
});

test('moves marks with the edits of their file and removes them with their lines', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3), mark(10, 10)]);
  document.edit(new Range(0, 0, 0, 0), 'new\nnew\n');
  expect(lines()).toEqual([
    [3, 4],
    [11, 11],
  ]);
  document.edit(new Range(3, 0, 5, 0), '');
  expect(lines()).toEqual([[9, 9]]);
});

test('removes marks with the last tab of their file', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3)]);
  const tabs = [openTab(new TabInputText(Uri.file('/w/a.ts'))), openTab(new TabInputText(Uri.file('/w/a.ts')))];
  for (const [left, tab] of tabs.entries()) {
    expect(lines()).toHaveLength(1);
    closeTabs([tab]);
    expect(lines()).toHaveLength(left === 0 ? 1 : 0);
  }
});

test('removes marks when the assistant disconnects or the user clears them', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3)]);
  made.replace(other.principal, [mark(5, 5)]);
  made.showAssistants([other]);
  expect(lines()).toEqual([[4, 4]]);
  expect(made.hasMarks).toBe(true);
  let changes = 0;
  made.onDidChange(() => (changes += 1));
  made.clear();
  expect(lines()).toEqual([]);
  expect([made.hasMarks, changes]).toEqual([false, 1]);
});
