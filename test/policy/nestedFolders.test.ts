import { expect, it } from 'vitest';
import { inEveryFolder, inInnermostFolder } from '#policy/nestedFolders.ts';
import { folderAt } from '../fakes/workspace.ts';

const outer = folderAt('/w');
const inner = folderAt('/w/packages');
const innermost = folderAt('/w/packages/app');
const other = folderAt('/other');
const all = [outer, inner, innermost, other];

function place(fsPath: string, folder = outer, realPath = fsPath) {
  return { folder, fsPath, realPath };
}

function foldersOf(...judged: Parameters<typeof inEveryFolder>): readonly string[] {
  return inEveryFolder(...judged).map(({ folder }) => folder.fsPath);
}

it('P18 judges a file once in each folder that holds it, the addressed folder first', () => {
  expect(foldersOf(place('/w/packages/app/x'), all)).toEqual(['/w', '/w/packages', '/w/packages/app']);
  expect(foldersOf(place('/w/packages/app/x', inner), all)).toEqual(['/w/packages', '/w', '/w/packages/app']);
  expect(foldersOf(place('/w/x'), all)).toEqual(['/w']);
  expect(foldersOf(place('/w/packages/x'), [outer])).toEqual(['/w']);
});

it('judges a file in a work tree as the same file of the tree that is open too, where a folder of the window holds that', () => {
  const tree = folderAt('/t/x', { name: 'worktree x', worktree: { of: '/w' } });
  const places = inEveryFolder(place('/t/x/packages/a', tree), [...all, tree]);
  expect(places.map(({ folder, fsPath }) => `${folder.fsPath} ${fsPath}`)).toEqual([
    '/t/x /t/x/packages/a',
    '/w /w/packages/a',
    '/w/packages /w/packages/a',
  ]);
  expect(foldersOf(place('/t/x/a', tree), [inner, tree])).toEqual(['/t/x']);
  const bare = folderAt('/t/x', { worktree: { of: undefined } });
  expect(foldersOf(place('/t/x/a', bare), [outer, bare])).toEqual(['/t/x']);
  // By the lexical and by the real path, and when only a link leads into the work tree.
  const linked = inEveryFolder(place('/t/x/link', tree, '/t/x/b'), [outer, tree]);
  expect(linked.map(({ fsPath }) => fsPath)).toEqual(['/t/x/link', '/w/link', '/w/b']);
  const entered = inEveryFolder(place('/other/link', other, '/t/x/b'), [outer, other, tree]);
  expect(entered.map(({ folder }) => folder.fsPath)).toEqual(['/other', '/t/x', '/w']);
});

it('P3 judges a file in the folder of its real path too', () => {
  expect(foldersOf(place('/w/link', outer, '/other/x'), all)).toEqual(['/w', '/other']);
});

it('P18 finds the innermost folder of a file, whichever folder addressed it', () => {
  expect(inInnermostFolder(place('/w/packages/app/x'), all).folder).toBe(innermost);
  expect(inInnermostFolder(place('/w/packages/app/x'), all.toReversed()).folder).toBe(innermost);
  expect(inInnermostFolder(place('/w/packages/x'), all).folder).toBe(inner);
  expect(inInnermostFolder(place('/w/x'), all).folder).toBe(outer);
  const twin = folderAt('/w', { name: 'twin' });
  expect(inInnermostFolder(place('/w/x'), [twin, outer]).folder).toBe(outer);
});
