import { lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { moveEntry, writeNew } from '#files/createAndMove.ts';
import { openFolder, type FolderEntry, type Folder } from '#files/folder.ts';
import { EditsFixture, snapshot } from '../changes/editor/editsFixture.ts';

/** Error code of the next hard link: of a file system without hard links, or of another disk. */
const linkError = vi.hoisted(() => ({ code: undefined as string | undefined }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const link: typeof actual.link = (from, to) =>
    linkError.code === undefined
      ? actual.link(from, to)
      : Promise.reject(Object.assign(new Error(linkError.code), { code: linkError.code }));
  return { ...actual, link };
});

let w: EditsFixture;
let folder: Folder;

beforeEach(async () => {
  linkError.code = undefined;
  w = new EditsFixture();
  w.put('file', 'file');
  w.put('folder/file', 'file');
  symlinkSync('nowhere', w.at('link'));
  folder = await openFolder(w.inside);
});
afterEach(async () => {
  await folder.close();
  w.remove();
});

const entry = (name: string): FolderEntry => ({ folder, name });

describe.each(['file', 'folder', 'link'])('a move of a %s', (what) => {
  it.each([
    ['a file', () => w.put('taken', 'mine')],
    ['an empty folder', () => mkdirSync(w.at('taken'))],
    ['a full folder', () => w.put('taken/mine', 'mine')],
    ['a link that leads nowhere', () => symlinkSync(join(w.outside, 'x'), w.at('taken'))],
  ])('never replaces %s', async (_taken, take) => {
    take();
    const before = snapshot(w.root);
    const { ino } = lstatSync(w.at('taken'));
    await expect(moveEntry(entry(what), entry('taken'))).rejects.toThrow('something else has its name now');
    expect(snapshot(w.root)).toEqual(before);
    expect(lstatSync(w.at('taken')).ino).toBe(ino);
  });
});

it('moves a file without replacing anything when the file system has no hard links', async () => {
  linkError.code = 'EPERM';
  w.put('taken', 'mine');
  await expect(moveEntry(entry('file'), entry('taken'))).rejects.toThrow('something else has its name now');
  await moveEntry(entry('file'), entry('free'));
  expect([w.text('free'), w.text('taken')]).toEqual(['file', 'mine']);
});

it('refuses to move a file to another disk and gives the reason', async () => {
  linkError.code = 'EXDEV';
  await expect(moveEntry(entry('file'), entry('free'))).rejects.toThrow('the other folder is on another disk');
  expect(w.text('file')).toBe('file');
});

it('creates a file with the requested mode and never through a link', async () => {
  await writeNew(entry('new'), { bytes: Buffer.from('new'), mode: 0o755 });
  expect(statSync(w.at('new')).mode & 0o7777).toBe(0o755);
  await expect(writeNew(entry('link'), { bytes: Buffer.from('new') })).rejects.toThrow('EEXIST');
});
