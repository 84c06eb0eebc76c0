import { existsSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { edits } from '#changes/editor/edits.ts';
import { resetEditor } from '../../fakes/editor/editor.ts';
import { EditsFixture, snapshot } from './editsFixture.ts';

/** Runs between the last check of a file and the call that changes it. */
const between = vi.hoisted(() => ({ happen: undefined as (() => void) | undefined }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const late =
    (call: (from: string, to: string) => Promise<void>) =>
    (from: string, to: string): Promise<void> => {
      between.happen?.();
      between.happen = undefined;
      return call(from, to);
    };
  return { ...actual, rename: late(actual.rename), link: late(actual.link) };
});

let w: EditsFixture;

beforeEach(() => {
  between.happen = undefined;
  resetEditor();
  w = new EditsFixture();
  w.put('src/a.txt');
  w.put('src/deep/b.txt');
});
afterEach(() => w.remove());

it('F14 keeps a file with its change when it is changed at the moment of its delete', async () => {
  const change = await w.delete('src/a.txt');
  between.happen = () => writeFileSync(w.at('src/a.txt'), 'mine');
  expect(await edits.apply([change])).toMatchObject({ status: 'stale', reason: 'it was changed' });
  expect(snapshot(w.at('src'))).toEqual({
    'a.txt': '644 mine',
    deep: 'folder',
    'deep/b.txt': '644 text of src/deep/b.txt\n',
  });
});

it('F14 keeps the whole folder when a file is added to it at the moment of its delete', async () => {
  const change = await w.delete('src');
  between.happen = () => writeFileSync(w.at('src/deep/mine.txt'), 'mine');
  expect(await edits.apply([change])).toMatchObject({ status: 'stale', reason: 'deep/mine.txt was added to it' });
  expect(Object.keys(snapshot(w.inside))).toEqual([
    'src',
    'src/a.txt',
    'src/deep',
    'src/deep/b.txt',
    'src/deep/mine.txt',
  ]);
});

it('P5 puts a deleted file back when its folder is moved away at that moment', async () => {
  const change = await w.delete('src/a.txt');
  between.happen = () => renameSync(w.at('src'), w.at('away'));
  expect(await edits.apply([change])).toMatchObject({
    status: 'stale',
    reason: 'its folder was replaced by another one',
  });
  expect(Object.keys(snapshot(w.inside))).toEqual(['away', 'away/a.txt', 'away/deep', 'away/deep/b.txt']);
});

it.each(['src', 'src/a.txt'])('moves %s back when it is changed at the moment of its move', async (name) => {
  const change = await w.move(name, 'lib/moved');
  between.happen = () => writeFileSync(w.at('src/a.txt'), 'mine');
  expect(await edits.apply([change])).toMatchObject({ status: 'stale', reason: expect.stringContaining('changed') });
  expect(w.text('src/a.txt')).toBe('mine');
  expect(existsSync(w.at('lib'))).toBe(false);
});

it('P5 refuses a move when the file is replaced at that moment', async () => {
  const change = await w.move('src/a.txt', 'moved');
  between.happen = () => {
    renameSync(w.at('src/a.txt'), w.at('src/kept'));
    w.put('src/a.txt');
  };
  expect(await edits.apply([change])).toMatchObject({ status: 'stale', reason: 'it was replaced by another one' });
  expect(Object.keys(snapshot(w.inside))).toEqual(['src', 'src/a.txt', 'src/deep', 'src/deep/b.txt', 'src/kept']);
});

it('P5 creates nothing outside when a folder above becomes a link', async () => {
  w.put('a/b/other.txt');
  const change = await w.create('a/b/c/new.txt');
  renameSync(w.at('a'), w.at('old'));
  const elsewhere = new EditsFixture();
  try {
    elsewhere.put('b/other.txt');
    const before = snapshot(elsewhere.root);
    symlinkSync(elsewhere.inside, w.at('a'));
    const reason = 'its folder was replaced by another one';
    expect(await edits.findStale([change])).toEqual({ path: 'a/b/c/new.txt', reason });
    expect(await edits.apply([change])).toMatchObject({ status: 'stale', reason });
    expect(snapshot(elsewhere.root)).toEqual(before);
    expect(existsSync(join(elsewhere.inside, 'b/c'))).toBe(false);
  } finally {
    elsewhere.remove();
  }
});
