import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileRepository } from './hostileRepository.ts';
import { fingerprint, git, put } from './repository.ts';
import { contentOf, differencesIn, snapshotOf, temporaryFolder } from './snapshots.ts';

test('G18: starts no program of a hostile repository, and leaves its .git byte for byte as it was', async () => {
  const folder = temporaryFolder();
  const { root, marker, gitFolders } = hostileRepository(folder);
  const before = gitFolders.map(fingerprint);
  const snapshot = await snapshotOf(root, join(folder, 'own'));
  expect(snapshot.gaps).toEqual([]);
  expect(await differencesIn(root, snapshot)).toEqual([]);
  for (const path of ['crlf.txt', 'a.txt', 'b.slow', 'new.txt', 'sub/crlf.txt', 'sub/a.txt'])
    put(root, path, 'outside\n');
  const found = ['a.txt', 'b.slow', 'crlf.txt', 'new.txt', 'sub/a.txt', 'sub/crlf.txt'];
  expect(await differencesIn(root, snapshot)).toEqual(found);
  expect(await contentOf(snapshot, join(root, 'crlf.txt'))).toBe('one\r\ntwo\r\n');
  expect(await contentOf(snapshot, join(root, 'a.txt'))).toBe('changed\r\n');
  expect(await contentOf(snapshot, join(root, 'sub/crlf.txt'))).toBe('one\r\ntwo\r\n');
  expect(await contentOf(snapshot, join(root, 'gone.txt'))).toBe('gone\n');
  const { signal } = new AbortController();
  const head = (await snapshot.heads(signal)).get(root);
  expect(head?.branch).toBe('main');
  await snapshot.checkedOut(root, head?.commit ?? '', new Map(), signal);
  await snapshot.ignoredRoots([join(root, 'a.txt')], signal);
  expect(existsSync(marker) ? readFileSync(marker, 'utf8') : '').toBe('');
  expect(gitFolders.map(fingerprint)).toEqual(before);
});

test('is tried on a repository that does start programs when Git is run in it as usual', () => {
  const { root, marker } = hostileRepository(temporaryFolder());
  try {
    git(root, '--work-tree', root, 'add', '-A');
  } catch {
    // The programs answer nothing that Git understands.
  }
  expect(readFileSync(marker, 'utf8')).toMatch(/program/);
});
