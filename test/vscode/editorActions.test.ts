import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResolvedPath } from '../../src/ports/files.ts';
import { createEditorActions } from '../../src/vscode/editorActions.ts';
import { TabInputText, Uri } from '../fakes/tabs.ts';
import { folderAt } from '../fakes/workspace.ts';

/** The part of the editor that opens, saves and closes. */
const editor = vi.hoisted(() => {
  interface Tab {
    input: object;
    isActive: boolean;
    isDirty: boolean;
    isPreview: boolean;
    group: Group;
  }
  interface Group {
    viewColumn: number;
    tabs: Tab[];
    readonly activeTab: Tab | undefined;
  }
  const makeGroup = (viewColumn: number): Group => ({
    viewColumn,
    tabs: [],
    get activeTab() {
      return this.tabs.find(({ isActive }) => isActive);
    },
  });
  const state = {
    groups: [makeGroup(1)],
    opened: [] as unknown[],
    closed: [] as string[],
    documents: [] as unknown[],
    revealed: [] as unknown[],
    failure: undefined as Error | undefined,
    drawn: Promise.resolve(),
  };
  return { makeGroup, state };
});

vi.mock('vscode', async () => {
  const tabs = await import('../fakes/tabs.ts');
  const { Range } = await import('../fakes/documents.ts');
  const { state } = editor;
  const shown = (uri: unknown) => ({
    viewColumn: 1,
    document: { uri, lineCount: 9, lineAt: (line: number) => ({ range: { end: { line, character: 5 } } }) },
    revealRange: ({ start, end }: InstanceType<typeof Range>) =>
      void state.revealed.push([start.line, start.character, end.line, end.character]),
  });
  return {
    TabInputText: tabs.TabInputText,
    TabInputNotebook: tabs.TabInputNotebook,
    TabInputCustom: tabs.TabInputCustom,
    Range,
    TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
    Uri: { file: (fsPath: string) => ({ fsPath, toString: () => fsPath }) },
    commands: {
      executeCommand: async (command: string, uri: { fsPath: string }, options: object) =>
        void state.opened.push([command, uri.fsPath, options]),
    },
    window: {
      visibleTextEditors: [],
      showTextDocument: async (uri: { fsPath: string }, options: object) => {
        if (state.failure !== undefined) throw state.failure;
        state.opened.push(['showTextDocument', uri.fsPath, options]);
        await state.drawn;
        return shown(uri);
      },
      tabGroups: {
        get all() {
          return state.groups;
        },
        get activeTabGroup() {
          return state.groups[0];
        },
        close: async (closing: { input: { uri: { fsPath: string } } }[], preserveFocus: boolean) => {
          state.closed.push(...closing.map(({ input }) => `${input.uri.fsPath} ${preserveFocus}`));
          return true;
        },
      },
    },
    workspace: {
      get textDocuments() {
        return state.documents;
      },
    },
  };
});

const { state } = editor;

beforeEach(() => {
  state.groups = [editor.makeGroup(1)];
  state.opened = [];
  state.closed = [];
  state.documents = [];
  state.revealed = [];
  state.failure = undefined;
  state.drawn = Promise.resolve();
});

function open(fsPath: string, { group = 0, isActive = true, isDirty = false, isPreview = false } = {}): void {
  state.groups[group] ??= editor.makeGroup(group + 1);
  const into = state.groups[group];
  if (isActive) for (const tab of into.tabs) tab.isActive = false;
  into.tabs.push({ input: new TabInputText(Uri.file(fsPath)), isActive, isDirty, isPreview, group: into });
}

function fileAt(fsPath: string): ResolvedPath {
  const place = { path: fsPath.slice(3), uri: `file://${fsPath}`, fsPath, realPath: fsPath, folder: folderAt('/w') };
  return { ...place, kind: 'file', linked: false, dangling: false, size: 1, modified: 1, linkCount: 1 };
}

const actions = (idle = Infinity) => createEditorActions({ idleMilliseconds: () => idle });
const lines = { firstLine: 3, lastLine: 90 };
const quietly = { focus: false, isText: true };

describe('a file is shown', () => {
  test('as a preview, without the keyboard, with its lines on screen', async () => {
    open('/w/a.ts');
    expect(await actions().show(fileAt('/w/b.ts'), { ...quietly, lines })).toEqual({ group: 1, isVisible: true });
    expect(state.opened).toEqual([
      ['showTextDocument', '/w/b.ts', { viewColumn: 1, preserveFocus: true, preview: true }],
    ]);
    expect(state.revealed).toEqual([[2, 0, 8, 5]]);
  });

  test('where it has a tab already', async () => {
    open('/w/a.ts');
    open('/w/b.ts', { group: 1 });
    await actions(0).show(fileAt('/w/b.ts'), { ...quietly, lines });
    expect(state.opened).toEqual([
      ['showTextDocument', '/w/b.ts', { viewColumn: 2, preserveFocus: true, preview: true }],
    ]);
  });

  test('or not, when something else is opened meanwhile: that is no fault of ours', async () => {
    state.failure = new Error('Could NOT open editor because another editor opened in the meantime.');
    await expect(actions().show(fileAt('/w/b.ts'), { ...quietly, lines })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('another editor opened in the meantime'),
    });
  });

  test('before the next one is: the editor gives up on one of two that it is asked for at once', async () => {
    const drawn = Promise.withResolvers<void>();
    state.drawn = drawn.promise;
    const showing = actions();
    const both = ['/w/a.ts', '/w/b.ts'].map((path) => showing.show(fileAt(path), { ...quietly, lines }));
    await new Promise(setImmediate);
    expect(state.opened).toHaveLength(1);
    drawn.resolve();
    await Promise.all(both);
    expect(state.opened).toHaveLength(2);
  });

  test('as its kind of file is when it is no text', async () => {
    await actions().show(fileAt('/w/logo.png'), { focus: false, isText: false, lines });
    expect(state.opened).toEqual([
      ['vscode.open', '/w/logo.png', { viewColumn: 1, preserveFocus: true, preview: true }],
    ]);
  });
});

describe('while the human types, what they type into stays on screen', () => {
  test('and the file waits in a tab, beside a preview that they look at', async () => {
    open('/w/a.ts', { isPreview: true });
    expect(await actions(29_999).show(fileAt('/w/b.ts'), { ...quietly, lines })).toEqual({
      group: 1,
      isVisible: false,
    });
    const options = { viewColumn: 1, preserveFocus: true, background: true, preview: false };
    expect(state.opened).toEqual([['vscode.open', '/w/b.ts', options]]);
  });

  test('and a tab that is there stays as it is', async () => {
    open('/w/b.ts');
    open('/w/a.ts');
    expect(await actions(0).show(fileAt('/w/b.ts'), quietly)).toEqual({ group: 1, isVisible: false });
    expect(state.opened).toEqual([]);
  });

  test('and another group has room', async () => {
    open('/w/a.ts');
    open('/w/c.ts', { group: 1 });
    expect(await actions(0).show(fileAt('/w/b.ts'), { ...quietly, lines })).toEqual({ group: 2, isVisible: true });
  });

  test('unless the keyboard is asked for, or they stopped', async () => {
    open('/w/a.ts');
    expect((await actions(0).show(fileAt('/w/b.ts'), { focus: true, isText: true })).isVisible).toBe(true);
    expect((await actions(30_000).show(fileAt('/w/b.ts'), quietly)).isVisible).toBe(true);
  });
});

describe('tabs are closed', () => {
  test('all of a file, and the keyboard stays', async () => {
    open('/w/a.ts');
    open('/w/a.ts', { group: 1 });
    expect(await actions().close(fileAt('/w/a.ts'))).toBe('closed');
    expect(state.closed).toEqual(['/w/a.ts true', '/w/a.ts true']);
    expect(await actions().close(fileAt('/w/b.ts'))).toBe('not_open');
  });

  test('but never with unsaved changes in one of them', async () => {
    open('/w/a.ts');
    open('/w/a.ts', { group: 1, isDirty: true });
    expect(await actions().close(fileAt('/w/a.ts'))).toBe('unsaved');
    expect(state.closed).toEqual([]);
  });
});

describe('a file is saved', () => {
  const document = (onSave: string | undefined) => {
    let text = 'a';
    const save = async (): Promise<boolean> => {
      if (onSave !== undefined) text = onSave;
      return onSave !== undefined;
    };
    const uri = { scheme: 'file', fsPath: '/w/a.ts' };
    state.documents = [{ uri, isClosed: false, isDirty: true, getText: () => text, save }];
  };

  test.each([
    ['as it is', 'a', { state: 'saved', changedOnSave: false }],
    ['as formatters made it', 'b', { state: 'saved', changedOnSave: true }],
    ['not, when the editor says so', undefined, { state: 'failed', changedOnSave: false }],
  ])('%s', async (_, onSave, end) => {
    document(onSave);
    expect(await actions().save(fileAt('/w/a.ts'))).toEqual(end);
  });

  test('only when there is something to save', async () => {
    expect(await actions().save(fileAt('/w/a.ts'))).toEqual({ state: 'not_dirty', changedOnSave: false });
  });
});
