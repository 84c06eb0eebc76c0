/**
 * The record that the user has switched the guard off for a while: `~/.drawbridge/guards-off`, one line of JSON, which the launcher
 * reads too. It never counts for longer than {@link mostHours}, whoever wrote it, and ends with the boot of the machine.
 */
import { randomUUID } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { hostIdentity, isSameBoot } from './hostIdentity.ts';
import { readOwnFile } from './ownFile.ts';
import { makePrivateFolder } from './stateFolder.ts';

/** The longest time for which the guard can be off, in hours. */
export const mostHours = 8;
export const hourMilliseconds = 60 * 60 * 1000;
export const guardsOffFile = 'guards-off';

const Record = z.object({
  version: z.literal(1),
  /** Milliseconds since the epoch. */
  until: z.int(),
  bootId: z.string(),
});

/**
 * Returns until when the guard is off, in milliseconds since the epoch; undefined while it is on. A record does not count when it is
 * malformed, a link, of another user or boot, readable for others, over, or further in the future than it may be.
 */
export async function guardsOffUntil(home: string, now: number = Date.now()): Promise<number | undefined> {
  try {
    const path = join(home, guardsOffFile);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const isPrivate = process.platform === 'win32' || (stats.mode & 0o077) === 0;
    if (!stats.isFile() || !isPrivate) return undefined;
    const { until, bootId } = Record.parse(JSON.parse(readOwnFile(path)?.text ?? ''));
    const isInForce = until > now && until <= now + mostHours * hourMilliseconds;
    return isInForce && isSameBoot(bootId, (await hostIdentity()).bootId) ? until : undefined;
  } catch {
    return undefined;
  }
}

/** Switches the guard off. @param until milliseconds since the epoch */
export async function switchGuardsOff(home: string, until: number): Promise<void> {
  makePrivateFolder(home, home);
  const path = join(home, guardsOffFile);
  const { bootId } = await hostIdentity();
  const temporary = `${path}.${randomUUID()}`;
  // `wx` follows no link and replaces no file.
  writeFileSync(temporary, `${JSON.stringify({ version: 1, until, bootId })}\n`, { mode: 0o600, flag: 'wx' });
  await rename(temporary, path);
}

/** Switches the guard on again. */
export async function switchGuardsOn(home: string): Promise<void> {
  await rm(join(home, guardsOffFile), { force: true });
}
