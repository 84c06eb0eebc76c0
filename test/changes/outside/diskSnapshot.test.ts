import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shippedDiskLimits, takeDiskSnapshot } from '#changes/outside/diskSnapshot.ts';
import { findGit } from '#changes/outside/gitProgram.ts';
import { takeHeldSnapshot } from '#changes/outside/windowSnapshot.ts';
import { git, put, repository } from './repository.ts';
import { contentOf, differencesIn, temporaryFolder } from './snapshots.ts';

const options = { isSecret: (path: string) => path.includes('/.env'), signal: new AbortController().signal };

function places() {
  const folder = temporaryFolder();
  const root = join(folder, 'work');
  mkdirSync(root);
  return { root, own: join(folder, 'own/snapshot'), snapshots: join(folder, 'snapshots') };
}

test('finds edits, new files, deletes, modes and links, and has the content before', async () => {
  const { root, own } = places();
  for (const path of ['a.txt', 'deep/b.txt', 'gone.txt', 'run.sh']) put(root, path, `before ${path}`);
  symlinkSync('a.txt', join(root, 'link'));
  const { snapshot } = await takeDiskSnapshot(root, own, options);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  put(root, 'a.txt', 'after');
  put(root, 'new/c.txt', 'new');
  rmSync(join(root, 'gone.txt'));
  chmodSync(join(root, 'run.sh'), 0o755);
  rmSync(join(root, 'link'));
  symlinkSync('run.sh', join(root, 'link'));
  expect(await differencesIn(root, snapshot)).toEqual(['a.txt', 'gone.txt', 'link', 'new/c.txt', 'run.sh']);
  expect(await contentOf(snapshot, join(root, 'a.txt'))).toBe('before a.txt');
  expect(await contentOf(snapshot, join(root, 'gone.txt'))).toBe('before gone.txt');
  expect(await contentOf(snapshot, join(root, 'link'))).toBe('a.txt');
  expect(await contentOf(snapshot, join(root, 'new/c.txt'))).toBeUndefined();
});

test('keeps no content of secret, large and generated files', async () => {
  const { root, own } = places();
  put(root, '.env', 'TOKEN');
  put(root, 'large.txt', 'x'.repeat(100));
  put(root, 'node_modules/a.js', 'a');
  const limits = { ...shippedDiskLimits, fileBytes: 50 };
  const { snapshot } = await takeDiskSnapshot(root, own, { ...options, limits });
  expect(readFileSync(join(own, 'contents'), 'utf8')).toBe('');
  for (const path of ['.env', 'large.txt', 'node_modules/a.js']) put(root, path, 'outside');
  expect(await differencesIn(root, snapshot)).toEqual(['.env', 'large.txt']);
  const kinds = ['.env', 'large.txt', 'node_modules/a.js', 'node_modules/b.js'].map(
    async (path) => (await snapshot.read(join(root, path))).kind,
  );
  expect(await Promise.all(kinds)).toEqual(['secret', 'opaque', 'unknown', 'unknown']);
});

test('says where it ends, and calls nothing new beyond', async () => {
  const { root, own } = places();
  for (let index = 0; index < 10; index += 1) put(root, `folder${index}/file.txt`, 'x');
  put(root, 'top.txt', 'x');
  const limits = { ...shippedDiskLimits, entries: 15 };
  const { snapshot } = await takeDiskSnapshot(root, own, { ...options, limits });
  expect(snapshot.gaps).toEqual([`${root} has more than 15 files and folders; the rest has no snapshot.`]);
  put(root, 'folder9/file.txt', 'changed');
  put(root, 'top.txt', 'changed');
  expect(await differencesIn(root, snapshot)).toEqual(['top.txt']);
  expect((await snapshot.read(join(root, 'folder9/file.txt'))).kind).toBe('unknown');
  expect((await snapshot.read(join(root, 'new.txt'))).kind).toBe('missing');
});

test('covers a folder of repositories, a part of a repository, and two folders of the same one', async () => {
  const { root, snapshots } = places();
  repository(join(root, 'one'), { 'a.txt': 'a', 'part/b.txt': 'b' });
  repository(join(root, 'two'), { 'a.txt': 'a' });
  put(root, 'plain.txt', 'plain');
  const program = await findGit({ path: process.env['PATH'], platform: process.platform, folders: [root] });
  const all = await takeHeldSnapshot([root], snapshots, { ...options, program });
  const part = await takeHeldSnapshot([join(root, 'one/part')], snapshots, { ...options, program });
  const twice = await takeHeldSnapshot([join(root, 'one/part'), join(root, 'one')], snapshots, { ...options, program });
  const without = await takeHeldSnapshot([join(root, 'one')], snapshots, { ...options, program: undefined });
  for (const path of ['one/a.txt', 'one/part/b.txt', 'two/a.txt', 'plain.txt']) put(root, path, 'outside');
  expect(await differencesIn(root, all.snapshot)).toEqual(['one/a.txt', 'one/part/b.txt', 'plain.txt', 'two/a.txt']);
  expect(await differencesIn(root, part.snapshot)).toEqual(['one/part/b.txt']);
  expect(await differencesIn(root, twice.snapshot)).toEqual(['one/a.txt', 'one/part/b.txt']);
  expect(await differencesIn(root, without.snapshot)).toEqual(['one/a.txt', 'one/part/b.txt']);
  expect(without.snapshot.gaps).toEqual(['Git was not found outside the workspace, so there is no snapshot.']);
  expect(await contentOf(all.snapshot, join(root, 'two/a.txt'))).toBe('a');
  expect(git(join(root, 'one'), 'status', '--porcelain')).toMatch(/a\.txt/);
  all.drop();
  expect(existsSync(snapshots)).toBe(true);
});
