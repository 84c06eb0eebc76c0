/** Snapshots of real folders, for tests. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findGit } from '#changes/outside/gitProgram.ts';
import { takeGitSnapshot } from '#changes/outside/gitSnapshot.ts';
import type { TakenLimits } from '#changes/outside/gitTree.ts';
import type { Snapshot } from '#changes/outside/snapshot.ts';

/** Returns the real path of a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'drawbridge-outside-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TakeOptions {
  readonly isSecret?: (fsPath: string) => boolean;
  readonly signal?: AbortSignal;
  readonly limits?: TakenLimits;
}

/** Takes a snapshot with the Git of this machine. */
export async function snapshotOf(root: string, own: string, options: TakeOptions = {}): Promise<Snapshot> {
  const program = await findGit({ path: process.env['PATH'], platform: process.platform, folders: [root] });
  const { snapshot, reason } = await takeGitSnapshot(root, own, {
    isSecret: () => false,
    signal: new AbortController().signal,
    ...options,
    program,
  });
  if (snapshot === undefined) throw new Error(reason);
  return snapshot;
}

/** Returns the content that a snapshot has of a file; undefined when there was no file. */
export async function contentOf(snapshot: Snapshot, fsPath: string): Promise<string | undefined> {
  const baseline = await snapshot.read(fsPath);
  return baseline.kind === 'missing' ? undefined : Buffer.from(await baseline.content()).toString();
}

/** Returns what differs from a snapshot, relative to its root and sorted. */
export async function differencesIn(root: string, snapshot: Snapshot): Promise<readonly string[]> {
  const { paths } = await snapshot.differences(new AbortController().signal);
  return paths.map((path) => path.slice(root.length + 1)).toSorted();
}
