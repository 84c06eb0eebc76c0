import { readdirSync, unlinkSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { edits } from '#changes/editor/edits.ts';
import type { FileMove } from '#base/proposal.ts';
import { openFile } from '../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { EditsFixture } from './editsFixture.ts';

// A disk that ignores the letter case of names, like most of macOS and Windows.
vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const asSpelt = (path: string): string => {
    const names = readdirSync(dirname(path));
    const name = basename(path);
    const known =
      names.find((each) => each === name) ?? names.find((each) => each.toLowerCase() === name.toLowerCase());
    return known === undefined ? path : join(dirname(path), known);
  };
  return {
    ...actual,
    lstat: (path: string, options: object) => actual.lstat(asSpelt(path), options),
    link: (from: string, to: string) => actual.link(from, asSpelt(to)),
  };
});

let w: EditsFixture;

beforeEach(() => {
  resetEditor();
  w = new EditsFixture();
  w.put('src/a.txt');
});
afterEach(() => w.remove());

/** Moves a file to another spelling of its own name, which leads to the file itself. */
async function respelling(): Promise<FileMove> {
  const move = await w.move('src/a.txt', 'src/a.txt');
  return { ...move, to: { ...move.to, path: 'src/A.txt', fsPath: w.at('src/A.txt'), linked: true } };
}

it('changes the letter case of a name on a disk that ignores it', async () => {
  const move = await respelling();
  expect(await edits.findStale([move])).toBeUndefined();
  expect(await edits.apply([move])).toMatchObject({ status: 'applied' });
  expect([readdirSync(w.at('src')), w.text('src/A.txt')]).toEqual([['A.txt'], 'text of src/a.txt\n']);
});

it('changes the letter case of the name of an open file through the editor', async () => {
  openFile(w.at('src/a.txt'));
  expect(await edits.apply([await respelling()])).toMatchObject({ status: 'applied' });
  expect(editor.documents.map(({ uri }) => uri.fsPath)).toEqual([w.at('src/A.txt')]);
  expect(readdirSync(w.at('src'))).toEqual(['A.txt']);
});

it('changes the letter case back when a later change fails', async () => {
  w.put('b.txt');
  const changes = [await respelling(), await w.delete('b.txt', { toTrash: true })];
  editor.beforeDelete = () => {
    throw new Error('no trash');
  };
  expect(await edits.apply(changes)).toMatchObject({ status: 'failed', states: ['rolled_back', 'not_applied'] });
  expect(readdirSync(w.at('src'))).toEqual(['a.txt']);
});

it.each(['src/B.txt', 'lib/A.txt'])(
  'F14 is refused onto another file that has the name in another spelling: %s',
  async (to) => {
    w.put(to.toLowerCase(), 'mine\n');
    const other = await w.path(to.toLowerCase());
    const move = await w.move('src/a.txt', 'src/none');
    const onto = { ...move, to: { ...other, path: to, fsPath: w.at(to) } };
    expect(await edits.apply([onto])).toMatchObject({ status: 'stale', reason: 'something else has its name now' });
    expect([w.text('src/a.txt'), w.text(to.toLowerCase())]).toEqual(['text of src/a.txt\n', 'mine\n']);
  },
);

it('is refused when the file is gone', async () => {
  const move = await respelling();
  unlinkSync(w.at('src/a.txt'));
  expect(await edits.apply([move])).toMatchObject({ status: 'stale', reason: 'it no longer exists' });
});
