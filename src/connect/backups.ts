import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from './configurationError.ts';

/** How many copies of one assistant's configuration are kept. */
const mostBackups = 5;

/**
 * Keeps a copy of a configuration in the state folder, for this user only: it may hold secrets of other programs. The oldest
 * copies go.
 * @returns the file of the copy
 * @throws ConfigurationError when it cannot be kept; then nothing may be changed either
 */
export async function keepBackup(home: string, id: string, text: string): Promise<string> {
  const folder = join(home, 'backups');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await backupsOf(folder, id);
    const file = join(folder, nameAfter(names.at(-1), id));
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    const old = names.slice(0, Math.max(0, names.length + 1 - mostBackups));
    await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
    return file;
  } catch (error) {
    const hint = 'Check that you may write to it and that the disk is not full, then try again.';
    throw new ConfigurationError(`No copy could be kept in ${folder}, so nothing was changed.`, hint, { cause: error });
  }
}

/** Oldest first: the time is in the name. */
async function backupsOf(folder: string, id: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.startsWith(`${id}-`) && time.test(name.slice(id.length + 1))).toSorted();
}

const time = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** A name of now, or just after the last one: two changes may come within a millisecond, and clocks go back. */
function nameAfter(last: string | undefined, id: string): string {
  const now = nameAt(id, Date.now());
  if (last === undefined || now > last) return now;
  const [day, clock = ''] = last.slice(id.length + 1).split('T');
  const [hours, minutes, seconds, milliseconds] = clock.split(/[-Z]/);
  return nameAt(id, Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`) + 1);
}

function nameAt(id: string, milliseconds: number): string {
  return `${id}-${new Date(milliseconds).toISOString().replaceAll(/[:.]/g, '-')}`;
}
