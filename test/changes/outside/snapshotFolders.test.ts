import { existsSync, lstatSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { deleteAllSnapshots, newSnapshotFolder, sweepSnapshots } from '#changes/outside/snapshotFolders.ts';
import { put } from './repository.ts';
import { temporaryFolder } from './snapshots.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 21);

/** Makes snapshots of this age in days, with one file of this size. Returns their names. */
function made(folder: string, ages: readonly number[], bytes = 10): readonly string[] {
  return ages.map((age) => {
    const { path } = newSnapshotFolder(folder);
    put(path, '0/trees/0.git/objects/pack/pack', Buffer.alloc(bytes));
    const time = (now - age * day) / 1000;
    utimesSync(path, time, time);
    return basename(path);
  });
}

test('deletes snapshots after 14 days, and leaves everything else in the folder alone', async () => {
  const folder = join(temporaryFolder(), 'snapshots');
  const [young = ''] = made(folder, [13.9, 14.1, 30]);
  put(folder, 'other/file', 'x');
  expect(await sweepSnapshots(folder, now)).toBe(2);
  expect(readdirSync(folder).toSorted()).toEqual(['other', young]);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
});

test('deletes the oldest snapshots until the rest fits', async () => {
  const folder = join(temporaryFolder(), 'snapshots');
  const [first = ''] = made(folder, [3, 2, 1], 1000);
  expect(await sweepSnapshots(folder, now, { ageMilliseconds: 14 * day, bytes: 2500 })).toBe(1);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(readdirSync(folder)).not.toContain(first);
});

test('keeps a snapshot that was touched, and deletes one that is dropped', async () => {
  const folder = join(temporaryFolder(), 'snapshots');
  const kept = newSnapshotFolder(folder);
  mkdirSync(kept.path);
  utimesSync(kept.path, 1, 1);
  await kept.touch();
  expect(await sweepSnapshots(folder, Date.now())).toBe(0);
  kept.drop();
  expect(existsSync(kept.path)).toBe(false);
});

test('deletes all snapshots when the user deletes all records', async () => {
  const folder = join(temporaryFolder(), 'snapshots');
  made(folder, [0, 1]);
  // A crash in the middle of a deletion left this one.
  put(folder, `${basename(newSnapshotFolder(folder).path)}-gone/file`, 'x');
  await deleteAllSnapshots(folder);
  expect(readdirSync(folder)).toEqual([]);
  await deleteAllSnapshots(join(folder, 'missing'));
});
