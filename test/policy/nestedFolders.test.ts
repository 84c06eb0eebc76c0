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
