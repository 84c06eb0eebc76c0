import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { lock } from 'proper-lockfile';
import { readOwnFile } from '../ownFile.ts';

/** A version of the bridge that an editor of this user has installed. */
export interface Bridge {
  /** As in `1.2.0`. */
  readonly version: string;
  /** Of its program; absolute. */
  readonly path: string;
}

/** The launcher's list of bridges, below the state folder. */
export function bridgesFile(folder: string): string {
  return join(folder, 'bridges');
}

/** The bridges that are listed and still exist, newest first. Lines that cannot be understood do not count. */
export function readBridges(folder: string): readonly Bridge[] {
  return readLines(bridgesFile(folder)).flatMap((line) => {
    const [, version, path] = /^(\S+)\t(.+)$/.exec(line) ?? [];
    return version === undefined || path === undefined || !isBridge(path) ? [] : [{ version, path }];
  });
}

function isBridge(path: string): boolean {
  return isAbsolute(path) && existsSync(path);
}

/** What the list is to hold: a line each, newest version first; equal versions in the order given. */
export function bridgesText(bridges: readonly Bridge[]): string {
  const sorted = bridges.toSorted((one, other) => compareVersions(other.version, one.version));
  return sorted.map(({ version, path }) => `${version}\t${path}\n`).join('');
}

/** Negative when the first is older. Only the numbers count; the editor knows no other versions of extensions. */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [one, other].map((version) => version.split(/[.+-]/, 3).map((part) => Number(part) || 0));
  for (const index of [0, 1, 2]) {
    const difference = (numbers?.[index] ?? 0) - (others?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The lines of a list of the launcher, none when there is no file; throws as `readOwnFile` does. */
export function readLines(path: string): readonly string[] {
  const text = readOwnFile(path)?.text ?? '';
  return text.split('\n').filter((line) => line !== '');
}

/** A writer that died is overtaken after this long; a change takes milliseconds. */
const staleMilliseconds = 2000;
/** Some four seconds: more than a dead writer's lock lasts, less than the editor waits for an uninstalling extension. */
const lockRetries = { retries: 40, factor: 1, minTimeout: 100, randomize: false };

/**
 * Changes the launcher's files while no other window and no other editor of this user does.
 * @param folder of the launcher; it exists
 * @throws when another one does not end
 */
export async function withLauncherLock(folder: string, change: () => Promise<void>): Promise<void> {
  const release = await lock(folder, {
    lockfilePath: join(folder, 'lock'),
    stale: staleMilliseconds,
    retries: lockRetries,
    // At worst a line is lost, which its window writes again when it starts.
    onCompromised: () => undefined,
  });
  try {
    await change();
  } finally {
    await release().catch(() => undefined);
  }
}
