import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { lock } from 'proper-lockfile';
import { readOwnFile } from '../ownFile.ts';

/** A version of the bridge that an editor of this user has installed. */
export interface Bridge {
  /** Version of the extension, such as `1.2.0`. */
  readonly version: string;
  /** Absolute path of the bridge program. */
  readonly path: string;
}

/** Returns the path of the list of bridges in the folder of the launcher. */
export function bridgesFile(folder: string): string {
  return join(folder, 'bridges');
}

/** Reads the listed bridges that still exist, newest first. Malformed lines are skipped. */
export function readBridges(folder: string): readonly Bridge[] {
  return readLines(bridgesFile(folder)).flatMap((line) => {
    const [, version, path] = /^(\S+)\t(.+)$/.exec(line) ?? [];
    return version === undefined || path === undefined || !isBridge(path) ? [] : [{ version, path }];
  });
}

function isBridge(path: string): boolean {
  return isAbsolute(path) && existsSync(path);
}

/** Returns the text of the list: one line for each bridge, newest version first, equal versions in the given order. */
export function bridgesText(bridges: readonly Bridge[]): string {
  const sorted = bridges.toSorted((one, other) => compareVersions(other.version, one.version));
  return sorted.map(({ version, path }) => `${version}\t${path}\n`).join('');
}

/** Compares two versions; the result is negative when the first is older. Only numbers count, as in the versions of extensions. */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [one, other].map((version) => version.split(/[.+-]/, 3).map((part) => Number(part) || 0));
  for (const index of [0, 1, 2]) {
    const difference = (numbers?.[index] ?? 0) - (others?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Reads the lines of a list file; a missing file has none. Throws as `readOwnFile` does. */
export function readLines(path: string): readonly string[] {
  const text = readOwnFile(path)?.text ?? '';
  return text.split('\n').filter((line) => line !== '');
}

/** Age after which the lock of a crashed writer is taken over. A change takes milliseconds. */
const staleMilliseconds = 2000;
/** Retries for about four seconds: longer than a stale lock lasts, shorter than the editor waits for an uninstall script. */
const lockRetries = { retries: 40, factor: 1, minTimeout: 100, randomize: false };

/**
 * Runs `change` under the lock of the launcher's files, so that no other window or editor of this user changes them meanwhile.
 * @param folder the folder of the launcher, which must exist
 * @throws when another program does not release the lock in time
 */
export async function withLauncherLock(folder: string, change: () => Promise<void>): Promise<void> {
  const release = await lock(folder, {
    lockfilePath: join(folder, 'lock'),
    stale: staleMilliseconds,
    retries: lockRetries,
    // A lost lock costs at most one line of a list, which its window writes again at its next start.
    onCompromised: () => undefined,
  });
  try {
    await change();
  } finally {
    await release().catch(() => undefined);
  }
}
