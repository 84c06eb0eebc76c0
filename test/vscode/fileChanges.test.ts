import { beforeEach, expect, test, vi } from 'vitest';
import type { ResolvedPath } from '../../src/ports/files.ts';
import { fileChanges } from '../../src/vscode/fileChanges.ts';
import { host, textEditorOf, Uri } from '../fakes/tabs.ts';
import { folderAt } from '../fakes/workspace.ts';

vi.mock('vscode', () => import('../fakes/tabs.ts'));

let told: number;

beforeEach(() => {
  host.reset();
  told = 0;
});

/** @param realPath where a link at `fsPath` leads */
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
  return fileChanges.watch(path, () => (told += 1));
}

test('watches one folder for one name, never what is below it, until it is disposed', () => {
  const subscription = watch('/w/src/[id] {a}*?.ts');
  expect([...host.watchers].map(({ base, pattern }) => [base, pattern])).toEqual([['/w/src', '?id? ?a???.ts']]);
  subscription.dispose();
  expect(host.watchers.size).toBe(0);
});

test('tells when the file changes, comes or goes on disk, and of no other that the pattern takes', () => {
  watch('/w/[id].ts');
  for (const what of [0, 1, 2] as const) {
    host.changeOnDisk('/w/[id].ts', what);
    host.changeOnDisk('/w/(id).ts', what);
  }
  expect(told).toBe(3);
});

test('tells what is typed, under the name of a link as well, and of no other file', () => {
  const subscription = watch('/w/link.ts', '/w/real.ts');
  for (const path of ['/w/link.ts', '/w/real.ts', '/w/other.ts']) host.type(textEditorOf(Uri.file(path)).document, 'x');
  host.type(textEditorOf(new Uri('git', '/w/real.ts')).document, 'x');
  expect(told).toBe(2);
  // Saved, or dirty for the first time: the text is the same.
  host.text.fire({ document: textEditorOf(Uri.file('/w/real.ts')).document, contentChanges: [] });
  expect(told).toBe(2);
  subscription.dispose();
  host.type(textEditorOf(Uri.file('/w/real.ts')).document, 'x');
  expect(told).toBe(2);
});
