import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setAside } from '#files/expectedTree.ts';
import { openEntry, type FolderEntry } from '#files/folder.ts';
import { EditsFixture, snapshot } from '../changes/editor/editsFixture.ts';

let w: EditsFixture;
let entry: FolderEntry;

beforeEach(async () => {
  w = new EditsFixture();
  w.put('src/a.txt');
  w.put('src/deep/b.txt');
  entry = await openEntry(w.at('src'), undefined);
});
afterEach(async () => {
  await entry.folder.close();
  w.remove();
});

/** Returns the path of the entry that was set aside. */
function aside(): string {
  const [name = ''] = Object.keys(snapshot(w.inside));
  return join(w.inside, name);
}

it('F14 keeps files that a program added to an entry that was set aside', async () => {
  const taken = await setAside(entry, await w.delete('src'), 'a-1-0');
  writeFileSync(join(aside(), 'deep', 'mine.txt'), 'mine');
  await taken.remove();
  expect(snapshot(w.inside)).toEqual({ src: 'folder', 'src/deep': 'folder', 'src/deep/mine.txt': '644 mine' });
});

it('F14 keeps a file that a program kept writing to after it was set aside', async () => {
  const taken = await setAside(entry, await w.delete('src'), 'a-1-0');
  writeFileSync(join(aside(), 'deep', 'b.txt'), 'text of src/deep/b.txt\nmine\n');
  await taken.remove();
  expect(snapshot(w.inside)).toEqual({
    src: 'folder',
    'src/deep': 'folder',
    'src/deep/b.txt': '644 text of src/deep/b.txt\nmine\n',
  });
});

it('removes an entry that was set aside completely, with empty folders', async () => {
  mkdirSync(w.at('src/empty/too'), { recursive: true });
  const taken = await setAside(entry, await w.delete('src'), 'a-1-0');
  expect(Object.keys(snapshot(w.inside))).toContain(`${aside().slice(w.inside.length + 1)}/empty/too`);
  await taken.remove();
  expect(snapshot(w.inside)).toEqual({});
});

it('does not put an entry back when its path is taken', async () => {
  const taken = await setAside(entry, await w.delete('src'), 'a-1-0');
  w.put('src/mine.txt', 'mine');
  await expect(taken.putBack()).rejects.toThrow('something else has its name now');
  expect(w.text('src/mine.txt')).toBe('mine');
  renameSync(w.at('src'), w.at('other'));
  await taken.putBack();
  expect(w.text('src/deep/b.txt')).toBe('text of src/deep/b.txt\n');
});
