import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  type Breakpoint,
  type DebugSession,
  Range,
  Selection,
  TabInputText,
  type Terminal,
  Uri,
  ViewColumn,
} from 'vscode';
import { createEditorState } from '#editor/editorState.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor, events, partOf, resetEditor } from '../fakes/editor/editor.ts';
import { type OpenFacts, openTab } from '../fakes/editor/tabs.ts';
import { FakeTextEditor } from '../fakes/editor/textEditors.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'state-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(folder, name), '');
  resetEditor();
});

function start() {
  const state = createEditorState(new FakeWorkspace([folderAt(folder)]));
  onTestFinished(() => state.dispose());
  return state;
}

const uriOf = (name: string): Uri => Uri.file(join(folder, name));
const open = (uri: Uri, facts?: OpenFacts) => openTab(new TabInputText(uri), facts);

test('returns tabs by group with their state, without tabs that show no workspace file', () => {
  open(Uri.parse('untitled:/Untitled-1'));
  open(uriOf('a.ts'), { isDirty: true });
  open(uriOf('b.ts'), { group: ViewColumn.Two, isPreview: true, isPinned: true });
  expect(start().tabs()).toMatchObject([
    { path: 'a.ts', group: 1, isShown: true, isActive: true, isDirty: true, isPreview: false, isPinned: false },
    { path: 'b.ts', group: 2, isShown: true, isActive: false, isDirty: false, isPreview: true, isPinned: true },
  ]);
});

test('returns visible editors with 1-based ranges, the active one first', () => {
  open(uriOf('b.ts'));
  const shown = (name: string, viewColumn: ViewColumn | undefined) => {
    const textEditor = new FakeTextEditor(new FakeDocument(uriOf(name), ''), new Range(0, 0, 9, 0), viewColumn);
    textEditor.selection = new Selection(1, 2, 3, 4);
    return textEditor;
  };
  editor.visibleEditors = [shown('a.ts', ViewColumn.Two), shown('b.ts', ViewColumn.One), shown('a.ts', undefined)];
  const place = { firstLine: 2, firstColumn: 3, lastLine: 4, lastColumn: 5 };
  expect(start().visibleEditors()).toMatchObject([
    { path: 'b.ts', isActive: true, selections: [place], visibleLines: [{ firstLine: 1, lastLine: 10 }] },
    { path: 'a.ts', isActive: false, group: 2 },
  ]);
});

test('remembers active files that still exist, the last one first', () => {
  open(uriOf('a.ts'));
  const state = start();
  open(uriOf('b.ts'));
  open(Uri.file('/elsewhere/c.ts'));
  open(uriOf('a.ts'));
  const recent = () => state.recentFiles().map(({ path }) => path);
  expect(recent()).toEqual(['a.ts', 'b.ts']);
  rmSync(join(folder, 'a.ts'));
  expect(recent()).toEqual(['b.ts']);
});

test('returns terminals and debug sessions', () => {
  const [zsh, node] = [partOf<Terminal>({ name: 'zsh' }), partOf<Terminal>({ name: 'node' })];
  Object.assign(editor, { terminals: [zsh, node], activeTerminal: node });
  const [launch, attach] = [
    partOf<DebugSession>({ id: '1', name: 'Launch' }),
    partOf<DebugSession>({ id: '2', name: 'Attach' }),
  ];
  editor.debugSession = launch;
  editor.breakpoints = [partOf<Breakpoint>({}), partOf<Breakpoint>({})];
  const state = start();
  events.debugStarted.fire(attach);
  expect(state.terminals()).toEqual([
    { name: 'zsh', isActive: false },
    { name: 'node', isActive: true },
  ]);
  const sessions = [
    { name: 'Launch', isActive: true },
    { name: 'Attach', isActive: false },
  ];
  expect(state.debug()).toEqual({ sessions, breakpoints: 2 });
  events.debugEnded.fire(launch);
  expect(state.debug().sessions).toEqual([{ name: 'Attach', isActive: false }]);
});
