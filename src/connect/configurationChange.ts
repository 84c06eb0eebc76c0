import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assistant } from './assistant.ts';
import { ConfigurationError } from './configurationError.ts';
import { readConfigurationFile, removeConfigurationFile, writeConfigurationFile } from './configurationFile.ts';
import type { CreatedKeys } from './configurationFormat.ts';
import { type CreatedParts, readCreatedParts, writeCreatedParts } from './createdParts.ts';

/**
 * Writes what was planned, after a copy of the file as it was.
 * @param home the state folder, which keeps the copy
 * @returns where the copy is; nothing when there was no file
 * @throws ConfigurationError when the file is not any more what the plan was made for, or may not be written
 */
export async function applyChange(change: ConfigurationChange, home: string): Promise<{ readonly backup?: string }> {
  const { assistant, file, before, after, created } = change;
  if ((await readConfigurationFile(file)) !== before) {
    throw new ConfigurationError(
      `${file} was changed by another program in the meantime.`,
      'Nothing was written. Try again, and look at the new change.',
    );
  }
  if (after === before) return {};
  const backup = before === undefined ? undefined : await keepBackup(home, assistant.id, before);
  if (after === undefined) {
    const known = await readCreatedParts(home, assistant.id, file);
    await removeConfigurationFile(file, known?.folder);
  } else {
    const folder = await writeConfigurationFile(file, after);
    const isFile = before === undefined;
    // What is known already, of an entry that was taken out and comes back, stays.
    if (created !== undefined)
      await writeCreatedParts(home, assistant.id, { version: 1, file, isFile, folder, ...created });
  }
  return backup === undefined ? {} : { backup };
}

/** What a configuration file is to become. Texts are whole files, with a byte order mark where there is one. */
export interface ConfigurationChange {
  readonly assistant: Assistant;
  /** Absolute; may be a link to the file that is written. */
  readonly file: string;
  /** Undefined where there is no file. */
  readonly before: string | undefined;
  /** Undefined when the file goes. */
  readonly after: string | undefined;
  readonly isChange: boolean;
  /** What is made besides the entry, for a removal that gives back every byte; undefined when nothing is. */
  readonly created?: CreatedKeys | CreatedParts | undefined;
}

/** How many copies of one assistant's configuration are kept. */
const mostBackups = 5;

/**
 * Keeps a copy of a configuration in the state folder, for this user only: it may hold secrets of other programs. The oldest
 * copies go.
 * @returns the file of the copy
 * @throws ConfigurationError when it cannot be kept; then nothing may be changed either
 */
async function keepBackup(home: string, id: string, text: string): Promise<string> {
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
