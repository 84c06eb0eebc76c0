import { beforeEach, expect, test } from 'vitest';
import { Uri } from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { fileChanges } from '#files/editor/fileChanges.ts';
import { FakeDocument } from '../../fakes/editor/documents.ts';
import { editor, events, resetEditor } from '../../fakes/editor/editor.ts';
import { folderAt } from '../../fakes/workspace.ts';

let calls: number;
const documentOf = (uri: Uri): FakeDocument => new FakeDocument(uri, '');
const typeInto = (uri: Uri): void => documentOf(uri).load('x');

beforeEach(() => {
  resetEditor();
  calls = 0;
});

/** Reports an event of a file on disk to every watcher. */
function changeOnDisk(fsPath: string, what: 'changed' | 'created' | 'deleted'): void {
  for (const watcher of editor.watchers) watcher[what].fire(Uri.file(fsPath));
}

/** @param realPath the target of a link at `fsPath` */
function watch(fsPath: string, realPath = fsPath) {
  const path: ResolvedPath = {
    path: fsPath,
    uri: `file://${fsPath}`,
    fsPath,
    realPath,
    folder: folderAt('/w'),
    kind: 'file',
    dangling: false,
    linked: fsPath !== realPath,
    size: 0,
    modified: 0,
    linkCount: 1,
  };
  return fileChanges.watch(path, () => (calls += 1));
}

test('watches one name in one folder, not recursively, until it is disposed', () => {
  const subscription = watch('/w/src/[id] {a}*?.ts');
  expect(editor.watchers.map(({ pattern }) => [pattern.base, pattern.pattern])).toEqual([['/w/src', '?id? ?a???.ts']]);
  subscription.dispose();
  expect(editor.watchers).toEqual([]);
});

test('reports when the file is changed, created or deleted on disk, and ignores other names that the pattern matches', () => {
  watch('/w/[id].ts');
  for (const what of ['changed', 'created', 'deleted'] as const) {
    changeOnDisk('/w/[id].ts', what);
    changeOnDisk('/w/(id).ts', what);
  }
  expect(calls).toBe(3);
});

test('reports when the user types in the file, also under the path of a link, and in no other file', () => {
  const subscription = watch('/w/link.ts', '/w/real.ts');
  for (const path of ['/w/link.ts', '/w/real.ts', '/w/other.ts']) typeInto(Uri.file(path));
  typeInto(Uri.file('/w/real.ts').with({ scheme: 'git' }));
  expect(calls).toBe(2);
  // An event without changes of the text, as after a save.
  events.documentChanged.fire({ document: documentOf(Uri.file('/w/real.ts')), contentChanges: [], reason: undefined });
  expect(calls).toBe(2);
  subscription.dispose();
  typeInto(Uri.file('/w/real.ts'));
  expect(calls).toBe(2);
});
