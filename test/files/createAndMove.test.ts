import { lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { moveEntry, parseTemporaryName, temporaryEntry, writeNew } from '#files/createAndMove.ts';
import { openFolder, type FolderEntry, type Folder } from '#files/folder.ts';
import { EditsFixture, snapshot } from '../changes/editor/editsFixture.ts';

/** The error code with which each call of this name fails, as on a file system without hard links or on another disk. */
const errors = vi.hoisted((): { link?: string; rename?: string; unlink?: string } => ({}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const failing =
    <Given extends unknown[]>(name: keyof typeof errors, call: (...given: Given) => Promise<void>) =>
    (...given: Given): Promise<void> => {
      const code = errors[name];
      // What is removed to take a half-done move back is not in the way.
      const fails = code !== undefined && !(name === 'unlink' && String(given[0]).endsWith('/free'));
      return fails ? Promise.reject(Object.assign(new Error(code), { code })) : call(...given);
    };
  return {
    ...actual,
    link: failing('link', actual.link),
    rename: failing('rename', actual.rename),
    unlink: failing('unlink', actual.unlink),
  };
});

let w: EditsFixture;
let folder: Folder;

beforeEach(async () => {
  for (const name of ['link', 'rename', 'unlink'] as const) delete errors[name];
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

it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])(
  'moves a file without replacing anything when the file system refuses a hard link with %s',
  async (code) => {
    errors.link = code;
    w.put('taken', 'mine');
    await expect(moveEntry(entry('file'), entry('taken'))).rejects.toThrow('something else has its name now');
    await moveEntry(entry('file'), entry('free'));
    expect([w.text('free'), w.text('taken')]).toEqual(['file', 'mine']);
  },
);

it.each([
  ['link', 'EXDEV', 'the other folder is on another disk'],
  ['link', 'EIO', 'EIO'],
  ['link', 'ENOENT', 'it no longer exists'],
  ['unlink', 'EACCES', 'EACCES'],
] as const)('leaves a file under its name alone when %s fails with %s', async (call, code, message) => {
  errors[call] = code;
  const before = snapshot(w.inside);
  await expect(moveEntry(entry('file'), entry('free'))).rejects.toThrow(message);
  await expect(moveEntry(entry('gone'), entry('free'))).rejects.toThrow('it no longer exists');
  expect(snapshot(w.inside)).toEqual(before);
});

it.each(['EACCES', 'ENOTEMPTY'])('leaves a folder under its name alone when the rename fails with %s', async (code) => {
  errors.rename = code;
  const before = snapshot(w.inside);
  const message = code === 'ENOTEMPTY' ? 'something else has its name now' : code;
  await expect(moveEntry(entry('folder'), entry('free'))).rejects.toThrow(message);
  expect(snapshot(w.inside)).toEqual(before);
});

it('leaves a link under its name alone when it cannot be removed there', async () => {
  errors.unlink = 'EACCES';
  await expect(moveEntry(entry('link'), entry('free'))).rejects.toThrow('EACCES');
  expect(Object.keys(snapshot(w.inside))).toEqual(['file', 'folder', 'folder/file', 'link']);
});

it('creates a file with the requested mode and never through a link', async () => {
  await writeNew(entry('new'), { bytes: Buffer.from('new'), mode: 0o755 });
  expect(statSync(w.at('new')).mode & 0o7777).toBe(0o755);
  await expect(writeNew(entry('link'), { bytes: Buffer.from('new') })).rejects.toThrow('EEXIST');
});

it('returns the identity of a created file, which is readable for all that the umask permits', async () => {
  const identity = await writeNew(entry('new'), { bytes: Buffer.from('new') });
  const { dev, ino, mode } = statSync(w.at('new'), { bigint: true });
  expect(identity).toEqual({ device: dev, inode: ino });
  expect(Number(mode) & 0o777).toBe(0o644 & ~process.umask());
});

it('gives a created file the owner of the replaced one where the system permits it, and creates it anyway elsewhere', async () => {
  const owner = { user: 12_345n, group: 12_345n };
  await writeNew(entry('new'), { bytes: Buffer.from('new'), mode: 0o600, owner });
  const { uid, gid, mode } = statSync(w.at('new'));
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  expect([uid, gid]).toEqual(user === 0 ? [12_345, 12_345] : [user, group]);
  expect(mode & 0o777).toBe(0o600);
  // No system has a user of this number.
  await writeNew(entry('other'), { bytes: Buffer.from('other'), owner: { user: 2n ** 40n, group: 0n } });
  expect(w.text('other')).toBe('other');
});

it('knows its temporary names, and no others', () => {
  const { name } = temporaryEntry(folder, 'a-1-0', 'old');
  expect(parseTemporaryName(name)).toEqual({ mark: 'a-1-0', kind: 'old' });
  expect(parseTemporaryName(temporaryEntry(folder, 'b', 'new').name)).toEqual({ mark: 'b', kind: 'new' });
  expect(temporaryEntry(folder, 'a-1-0', 'old').name).not.toBe(name);
  for (const other of [
    `x${name}`,
    `${name}.txt`,
    name.replace('-old-', '-odd-'),
    '.drawbridge--new-0123456789ab.tmp',
  ]) {
    expect(parseTemporaryName(other), other).toBeUndefined();
  }
});
