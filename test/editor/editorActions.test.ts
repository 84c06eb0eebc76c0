import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Range, TabInputText, Uri, ViewColumn, window } from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { createEditorActions } from '#editor/editorActions.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';
import { allTabs, type OpenFacts, openTab } from '../fakes/editor/tabs.ts';
import { folderAt } from '../fakes/workspace.ts';

beforeEach(() => resetEditor());

function open(fsPath: string, facts?: OpenFacts): void {
  openTab(new TabInputText(Uri.file(fsPath)), facts);
}

/** Returns the files that the editor was asked to show, with the options. */
const opened = (): unknown[] => [
  ...editor.shownDocuments.map(({ path, options }) => ['showTextDocument', path, options]),
  ...editor.executed.map(([id, uri, options]) => [id, uri instanceof Uri && uri.fsPath, options]),
];

function fileAt(fsPath: string): ResolvedPath {
  const place = { path: fsPath.slice(3), uri: `file://${fsPath}`, fsPath, realPath: fsPath, folder: folderAt('/w') };
  return { ...place, kind: 'file', linked: false, dangling: false, size: 1, modified: 1, linkCount: 1 };
}

const actions = (idle = Infinity) => createEditorActions({ idleMilliseconds: () => idle });
const lines = { firstLine: 3, lastLine: 90 };
const quietly = { focus: false, isText: true };

describe('showing a file', () => {
  test('opens a preview with the lines on screen, without taking the focus', async () => {
    open('/w/a.ts');
    void new FakeDocument(Uri.file('/w/b.ts'), `${'12345\n'.repeat(8)}12345`);
    expect(await actions().show(fileAt('/w/b.ts'), { ...quietly, lines })).toEqual({ group: 1, isVisible: true });
    expect(opened()).toEqual([['showTextDocument', '/w/b.ts', { viewColumn: 1, preserveFocus: true, preview: true }]]);
    expect(editor.shownDocuments[0]?.editor?.revealed).toEqual([new Range(2, 0, 8, 5)]);
  });

  test('uses the group where the file already has a tab', async () => {
    open('/w/a.ts');
    open('/w/b.ts', { group: ViewColumn.Two });
    await actions(0).show(fileAt('/w/b.ts'), { ...quietly, lines });
    expect(opened()).toEqual([['showTextDocument', '/w/b.ts', { viewColumn: 2, preserveFocus: true, preview: true }]]);
  });

  test('fails with `unavailable` when the user opens another file meanwhile', async () => {
    const failure = new Error('Could NOT open editor because another editor opened in the meantime.');
    editor.beforeShow = () => Promise.reject(failure);
    await expect(actions().show(fileAt('/w/b.ts'), { ...quietly, lines })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('another editor opened in the meantime'),
    });
  });

  test('waits for the previous request, since the editor cancels one of two at the same time', async () => {
    const drawn = Promise.withResolvers<void>();
    editor.beforeShow = () => drawn.promise;
    const showing = actions();
    const both = ['/w/a.ts', '/w/b.ts'].map((path) => showing.show(fileAt(path), { ...quietly, lines }));
    await new Promise(setImmediate);
    expect(opened()).toHaveLength(1);
    drawn.resolve();
    await Promise.all(both);
    expect(opened()).toHaveLength(2);
  });

  test('uses the editor of the file type when the file is not text', async () => {
    await actions().show(fileAt('/w/logo.png'), { focus: false, isText: false, lines });
    expect(opened()).toEqual([['vscode.open', '/w/logo.png', { viewColumn: 1, preserveFocus: true, preview: true }]]);
  });
});

describe('showing a file while the user types', () => {
  test('opens a background tab and keeps the visible preview on screen', async () => {
    open('/w/a.ts', { isPreview: true });
    expect(await actions(29_999).show(fileAt('/w/b.ts'), { ...quietly, lines })).toEqual({
      group: 1,
      isVisible: false,
    });
    const options = { viewColumn: 1, preserveFocus: true, background: true, preview: false };
    expect(opened()).toEqual([['vscode.open', '/w/b.ts', options]]);
  });

  test('leaves an existing tab of the file as it is', async () => {
    open('/w/b.ts');
    open('/w/a.ts');
    expect(await actions(0).show(fileAt('/w/b.ts'), quietly)).toEqual({ group: 1, isVisible: false });
    expect(opened()).toEqual([]);
  });

  test('opens the file in another group', async () => {
    open('/w/a.ts');
    open('/w/c.ts', { group: ViewColumn.Two });
    expect(await actions(0).show(fileAt('/w/b.ts'), { ...quietly, lines })).toEqual({ group: 2, isVisible: true });
  });

  test('brings the file on screen when the call requests the focus or the user stopped typing', async () => {
    open('/w/a.ts');
    expect((await actions(0).show(fileAt('/w/b.ts'), { focus: true, isText: true })).isVisible).toBe(true);
    expect((await actions(30_000).show(fileAt('/w/b.ts'), quietly)).isVisible).toBe(true);
  });
});

describe('closing the tabs of a file', () => {
  test('closes all tabs of the file without moving the focus', async () => {
    open('/w/a.ts');
    open('/w/a.ts', { group: ViewColumn.Two });
    const closing = vi.spyOn(window.tabGroups, 'close');
    expect(await actions().close(fileAt('/w/a.ts'))).toBe('closed');
    expect(allTabs()).toEqual([]);
    expect(closing.mock.calls.map(([tabs, preserveFocus]) => [tabs, preserveFocus])).toMatchObject([
      [{ length: 2 }, true],
    ]);
    expect(await actions().close(fileAt('/w/b.ts'))).toBe('not_open');
  });

  test('closes none when one of them has unsaved changes', async () => {
    open('/w/a.ts');
    open('/w/a.ts', { group: ViewColumn.Two, isDirty: true });
    expect(await actions().close(fileAt('/w/a.ts'))).toBe('unsaved');
    expect(allTabs()).toHaveLength(2);
  });
});

describe('saving a file', () => {
  const document = (onSave: string | undefined): void => {
    const made = new FakeDocument(Uri.file('/w/a.ts'), 'a');
    made.isDirty = true;
    made.onSave = () => onSave ?? 'a';
    if (onSave === undefined) made.save = async () => false;
  };

  test.each([
    ['an unchanged text', 'a', { state: 'saved', changedOnSave: false }],
    ['a text that a formatter changed', 'b', { state: 'saved', changedOnSave: true }],
    ['a failure of the editor', undefined, { state: 'failed', changedOnSave: false }],
  ])('reports %s', async (_, onSave, end) => {
    document(onSave);
    expect(await actions().save(fileAt('/w/a.ts'))).toEqual(end);
  });

  test('does nothing when the file has no unsaved changes', async () => {
    expect(await actions().save(fileAt('/w/a.ts'))).toEqual({ state: 'not_dirty', changedOnSave: false });
  });
});
