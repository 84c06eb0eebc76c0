import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEditorState } from '../../src/vscode/editorState.ts';
import { Range } from '../fakes/documents.ts';
import { TabInputText, Uri } from '../fakes/tabs.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

interface Tab {
  readonly input: unknown;
  readonly isDirty: boolean;
  readonly isPreview: boolean;
  readonly isPinned: boolean;
}

const editor = vi.hoisted(() => ({
  groups: [] as { viewColumn: number; isActive: boolean; tabs: Tab[]; activeTab: Tab | undefined }[],
  visible: [] as object[],
  terminals: [] as { name: string }[],
  session: undefined as { id: string; name: string } | undefined,
  tabs: { fire: (): void => undefined },
  started: { fire: (_session: object): void => undefined },
  ended: { fire: (_session: object): void => undefined },
}));

vi.mock('vscode', async () => {
  const tabs = await import('../fakes/tabs.ts');
  const events = await import('../fakes/vscode.ts');
  const [changed, groups, started, ended] = Array.from({ length: 4 }, () => new events.EventEmitter<object>());
  editor.tabs.fire = () => changed?.fire({});
  editor.started.fire = (session) => started?.fire(session);
  editor.ended.fire = (session) => ended?.fire(session);
  return {
    ...tabs,
    window: {
      tabGroups: {
        get all() {
          return editor.groups;
        },
        get activeTabGroup() {
          return editor.groups.find(({ isActive }) => isActive) ?? {};
        },
        onDidChangeTabs: changed?.event,
        onDidChangeTabGroups: groups?.event,
      },
      get visibleTextEditors() {
        return editor.visible;
      },
      get terminals() {
        return editor.terminals;
      },
      get activeTerminal() {
        return editor.terminals[1];
      },
    },
    debug: {
      get activeDebugSession() {
        return editor.session;
      },
      onDidStartDebugSession: started?.event,
      onDidTerminateDebugSession: ended?.event,
      breakpoints: [{}, {}],
    },
  };
});

let folder: string;

beforeEach(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'state-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(folder, name), '');
  Object.assign(editor, { groups: [], visible: [], terminals: [], session: undefined });
});

function start() {
  const state = createEditorState(new FakeWorkspace([folderAt(folder)]));
  onTestFinished(() => state.dispose());
  return state;
}

const uriOf = (name: string): Uri => Uri.file(join(folder, name));
const tabOf = (uri: Uri, facts: Partial<Tab> = {}): Tab => ({
  input: new TabInputText(uri),
  isDirty: false,
  isPreview: false,
  isPinned: false,
  ...facts,
});

/** The active group with one tab, which it shows. */
function show(uri: Uri): void {
  const tab = tabOf(uri);
  editor.groups = [{ viewColumn: 1, isActive: true, tabs: [tab], activeTab: tab }];
  editor.tabs.fire();
}

test('tells tabs by group, with what they are, and leaves out what is no file of the workspace', () => {
  const [a, b] = [tabOf(uriOf('a.ts'), { isDirty: true }), tabOf(uriOf('b.ts'), { isPreview: true, isPinned: true })];
  const untitled = tabOf(new Uri('untitled', '/Untitled-1'));
  editor.groups = [
    { viewColumn: 1, isActive: true, tabs: [untitled, a], activeTab: a },
    { viewColumn: 2, isActive: false, tabs: [b], activeTab: b },
  ];
  expect(start().tabs()).toMatchObject([
    { path: 'a.ts', group: 1, isShown: true, isActive: true, isDirty: true, isPreview: false, isPinned: false },
    { path: 'b.ts', group: 2, isShown: true, isActive: false, isDirty: false, isPreview: true, isPinned: true },
  ]);
});

test('tells editors on screen with 1-based places, the active one first', () => {
  show(uriOf('b.ts'));
  const shown = (name: string, viewColumn: number | undefined) => ({
    document: { uri: uriOf(name) },
    viewColumn,
    selections: [new Range(1, 2, 3, 4)],
    visibleRanges: [new Range(0, 0, 9, 0)],
  });
  editor.visible = [shown('a.ts', 2), shown('b.ts', 1), shown('a.ts', undefined)];
  const place = { firstLine: 2, firstColumn: 3, lastLine: 4, lastColumn: 5 };
  expect(start().visibleEditors()).toMatchObject([
    { path: 'b.ts', isActive: true, selections: [place], visibleLines: [{ firstLine: 1, lastLine: 10 }] },
    { path: 'a.ts', isActive: false, group: 2 },
  ]);
});

test('remembers files that were active, the last one first, as long as they are there', () => {
  show(uriOf('a.ts'));
  const state = start();
  show(uriOf('b.ts'));
  show(Uri.file('/elsewhere/c.ts'));
  show(uriOf('a.ts'));
  const recent = () => state.recentFiles().map(({ path }) => path);
  expect(recent()).toEqual(['a.ts', 'b.ts']);
  rmSync(join(folder, 'a.ts'));
  expect(recent()).toEqual(['b.ts']);
});

test('tells terminals and what is debugged', () => {
  editor.terminals = [{ name: 'zsh' }, { name: 'node' }];
  const [launch, attach] = [
    { id: '1', name: 'Launch' },
    { id: '2', name: 'Attach' },
  ];
  editor.session = launch;
  const state = start();
  editor.started.fire(attach);
  expect(state.terminals()).toEqual([
    { name: 'zsh', isActive: false },
    { name: 'node', isActive: true },
  ]);
  const sessions = [
    { name: 'Launch', isActive: true },
    { name: 'Attach', isActive: false },
  ];
  expect(state.debug()).toEqual({ sessions, breakpoints: 2 });
  editor.ended.fire(launch);
  expect(state.debug().sessions).toEqual([{ name: 'Attach', isActive: false }]);
});
