/** The folders with snapshots below the state folder: how long they stay, and how much they hold. */
import { mkdirSync, rmSync } from 'node:fs';
import { lstat, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

export interface SnapshotLimits {
  readonly ageMilliseconds: number;
  /** The limit for all snapshots together; the oldest are deleted until they fit. */
  readonly bytes: number;
}

export const shippedSnapshotLimits: SnapshotLimits = {
  ageMilliseconds: 14 * 24 * 60 * 60_000,
  bytes: 2 * 1024 * 1024 * 1024,
};

/** A folder for one snapshot. */
export interface SnapshotFolder {
  /** Absolute; it does not exist yet. */
  readonly path: string;
  /** Says that the snapshot is still needed, so that no other window deletes it by its age. */
  touch(): Promise<void>;
  /** Deletes it with all that is in it. */
  drop(): void;
}

const namePattern = /^snapshot-[0-9a-f-]{36}(-gone)?$/;

/**
 * Returns a new folder for a snapshot.
 * @param folder absolute; the folder of all snapshots of this user, made with the mode 0700
 */
export function newSnapshotFolder(folder: string): SnapshotFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `snapshot-${randomUUID()}`);
  return {
    path,
    async touch() {
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
    },
    // A window that closes has no time to wait.
    drop: () => rmSync(path, { recursive: true, force: true, maxRetries: 2 }),
  };
}

/**
 * Deletes snapshots that are too old, then the oldest others until the rest fits. The age of a snapshot is the time since it was
 * touched.
 * @param now milliseconds since the epoch
 * @returns the number of deleted snapshots
 */
export async function sweepSnapshots(folder: string, now: number, limits = shippedSnapshotLimits): Promise<number> {
  const found = await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const path = join(folder, name);
      const touched = (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0;
      return { path, touched, bytes: await bytesIn(path) };
    }),
  );
  const oldestFirst = found.toSorted((one, other) => one.touched - other.touched);
  let held = found.reduce((sum, { bytes }) => sum + bytes, 0);
  let deleted = 0;
  for (const { path, touched, bytes } of oldestFirst) {
    if (touched > now - limits.ageMilliseconds && held <= limits.bytes) break;
    await remove(path);
    held -= bytes;
    deleted += 1;
  }
  return deleted;
}

/** Deletes all snapshots of this user, those of other windows too, whose lists then have no content to go back to. */
export async function deleteAllSnapshots(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) await remove(join(folder, name));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch((): string[] => [])).filter((name) => namePattern.test(name));
}

/** Renames first, so that no half of a snapshot is ever used. */
async function remove(path: string): Promise<void> {
  const gone = `${path}-gone`;
  await rename(path, gone).catch(() => undefined);
  await rm(gone, { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}

/** Returns the sum of the sizes of all files; links count nothing and are not followed. */
async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (entry.isFile()) sum += (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return sum;
}
