/**
 * Guard records: each window that guards its folders says so in `~/.drawbridge/guards/<window id>`, so that an assistant's own edit
 * is refused while that window is away by a crash or a reload. One file for a window is replaced in one step, whatever folders it has.
 * The first line is `open` or `closed`, the second identifies the process, and each further line is a folder: the launcher, which is
 * a shell script, reads it too.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import * as z from 'zod/mini';
import { hasEnded, hostIdentity, isSameHost, type HostIdentity } from './hostIdentity.ts';
import { readOwnFile } from './ownFile.ts';

export interface Guard {
  readonly windowId: string;
  /** `closed`: the window was closed or reloads. */
  readonly state: 'open' | 'closed';
  /** Real paths, absolute. */
  readonly folders: readonly string[];
  /** Milliseconds since the epoch: when the record was last written, which the window does every 30 seconds. */
  readonly changedAt: number;
  /** The process of the window is gone. */
  readonly hasEnded: boolean;
}

const Owner = z.object({
  version: z.literal(1),
  hostName: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  pid: z.int().check(z.gte(1)),
  processStart: z.optional(z.int().check(z.gte(0))),
});

/** A record that is older counts no more, unless its process is seen to live: a machine that slept wakes before it writes again. */
const oldestMilliseconds = 24 * 60 * 60 * 1000;

/** Reads the records that count, in no order. Skips what is half written or malformed, of another user, of an earlier boot, or a day old. */
export async function readGuards(home: string): Promise<readonly Guard[]> {
  const [names, here] = await Promise.all([readdir(join(home, 'guards')).catch(() => []), hostIdentity()]);
  const guards = await Promise.all(names.map((name) => readGuard(home, name, here)));
  return guards.filter((guard) => guard !== undefined);
}

/** Milliseconds for which a window may be away, as while it reloads. */
export const absenceMilliseconds = 30_000;

/** Returns false for a window that was closed and is not merely reloading. */
export function isInForce({ state, changedAt }: Guard): boolean {
  return state === 'open' || Date.now() - changedAt < absenceMilliseconds;
}

/** Returns the guards with a folder that holds one of the paths (real paths, absolute). */
export function guardsOf(
  guards: readonly Guard[],
  paths: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly Guard[] {
  return guards.filter(({ folders }) => folders.some((folder) => paths.some((path) => holds(folder, path, platform))));
}

/** Returns whether a path is a folder or lies in it. On Windows, upper and lower case are the same. */
export function holds(folder: string, path: string, platform: NodeJS.Platform): boolean {
  const paths = platform === 'win32' ? win32 : posix;
  if (!paths.isAbsolute(folder) || !paths.isAbsolute(path)) return false;
  const way = paths.relative(folder, path);
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}

async function readGuard(home: string, windowId: string, here: HostIdentity): Promise<Guard | undefined> {
  try {
    const path = guardPath(home, windowId);
    const { mtimeMs } = await lstat(path);
    const [state, owner = '', ...folders] = (readOwnFile(path)?.text ?? '').split('\n');
    if (state !== 'open' && state !== 'closed') return undefined;
    const written = Owner.parse(JSON.parse(owner));
    if (written.hostName === here.hostName && written.bootId !== here.bootId) return undefined;
    const isHere = isSameHost(written, here);
    const ended = isHere && (await hasEnded(written));
    if (Date.now() - mtimeMs > oldestMilliseconds && (ended || !isHere)) return undefined;
    return {
      windowId,
      state,
      folders: folders.filter((folder) => folder !== ''),
      changedAt: mtimeMs,
      hasEnded: ended,
    };
  } catch {
    return undefined;
  }
}

/** Returns the path of the record of a window. @throws when the id is no file name */
export function guardPath(home: string, windowId: string): string {
  if (!/^[\w-]{1,100}$/.test(windowId)) throw new Error(`${JSON.stringify(windowId)} is not the id of a window.`);
  return join(home, 'guards', windowId);
}
