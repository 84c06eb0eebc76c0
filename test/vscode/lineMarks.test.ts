import { beforeEach, expect, test, vi } from 'vitest';
import type { ResolvedPath } from '../../src/ports/files.ts';
import { AssistantMarks } from '../../src/vscode/lineMarks.ts';
import { FakeDocument, type FakeEditor, Range, reset, show } from '../fakes/documents.ts';
import { folderAt } from '../fakes/workspace.ts';
import { host, TabInputText } from '../fakes/tabs.ts';
import { Uri } from '../fakes/vscode.ts';

vi.mock('vscode', async () => {
  const documents = await import('../fakes/documents.ts');
  const tabs = await import('../fakes/tabs.ts');
  const window = { ...documents.window, tabGroups: tabs.window.tabGroups };
  return { ...tabs, ...(await import('../fakes/vscode.ts')), ...documents, window };
});

const claude = { principal: { credential: 'window', connectionId: '1' }, client: { name: 'Claude', version: '1' } };
const other = { principal: { credential: 'window', connectionId: '2' }, client: undefined };
const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');

let marks: AssistantMarks | undefined;
let document: FakeDocument;
let editor: FakeEditor;

beforeEach(() => {
  marks?.dispose();
  reset();
  host.reset();
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
const notes = (): string[] => editor.decorations.map(({ hoverMessage }) => hoverMessage.value);

test('lines are marked with a note that says whose it is, in place of those before', () => {
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

test('an editor that is opened later shows them', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3)]);
  editor = show(document);
  expect(lines()).toEqual([[1, 2]]);
});

test('marks follow the edits of their file, and go with their lines', () => {
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

test('marks go with the last tab of their file', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3)]);
  const tabs = [host.open(new TabInputText(Uri.file('/w/a.ts'))), host.open(new TabInputText(Uri.file('/w/a.ts')))];
  for (const [left, tab] of tabs.entries()) {
    expect(lines()).toHaveLength(1);
    host.close(tab);
    expect(lines()).toHaveLength(left === 0 ? 1 : 0);
  }
});

test('marks go with their assistant, and with the word of the user', () => {
  const made = start();
  made.replace(claude.principal, [mark(2, 3)]);
  made.replace(other.principal, [mark(5, 5)]);
  made.showAssistants([other]);
  expect(lines()).toEqual([[4, 4]]);
  made.clear();
  expect(lines()).toEqual([]);
});
