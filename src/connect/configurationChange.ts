import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Assistant } from './assistant.ts';
import { ConfigurationError } from './configurationError.ts';
import { readConfigurationFile, removeConfigurationFile, writeConfigurationFile } from './configurationFile.ts';
import { type CreatedParts, readCreatedParts, readLastCreatedParts, writeCreatedParts } from './createdParts.ts';

/**
 * Writes a planned change, after it has kept a backup of the file.
 * @param home the state folder, which keeps the backup
 * @returns the path of the backup; nothing when there was no file
 * @throws ConfigurationError when the file has changed since the plan was made, or may not be written
 */
export async function applyChange(change: ConfigurationChange, home: string): Promise<{ readonly backup?: string }> {
  const { record, file, before, after } = change;
  if ((await readConfigurationFile(file)) !== before) {
    throw new ConfigurationError(
      `${file} was changed by another program in the meantime.`,
      'Nothing was written. Try again, and look at the new change.',
    );
  }
  if (after === before) return {};
  const backup = before === undefined ? undefined : await keepBackup(home, record, before);
  const folder = await write(change, home);
  const known = await readCreatedParts(home, record, file);
  const isFile = after !== undefined && (before === undefined || known?.isFile === true);
  const created = change.created ?? known ?? nothing;
  const { containers, added } = after === undefined ? nothing : created;
  await writeCreatedParts(home, record, { version: 2, file, isFile, folder, containers, added });
  return backup === undefined ? {} : { backup };
}

const nothing = { containers: {}, added: {} };

/** Writes or removes the file. @returns the topmost folder that was created for files of this assistant and is still there */
async function write(
  { assistant, file, record, after }: ConfigurationChange,
  home: string,
): Promise<string | undefined> {
  const earlier = (await readCreatedParts(home, record, file))?.folder;
  if (after !== undefined) {
    const created = await writeConfigurationFile(file, after);
    return created === undefined || (earlier !== undefined && isBelow(created, earlier)) ? earlier : created;
  }
  // The folder may have been created for another file of the same assistant.
  const records = await Promise.all(recordsOf(assistant).map((name) => readLastCreatedParts(home, name)));
  const folders = records.flatMap((each) => each?.folder ?? []).filter((each) => isBelow(file, each));
  const [topmost] = folders.toSorted((one, other) => one.length - other.length);
  return removeConfigurationFile(file, topmost);
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder + sep);
}

/** A planned change of a configuration file. Texts are whole files, with a byte order mark where there is one. */
export interface ConfigurationChange {
  readonly assistant: Assistant;
  /** The name of the record of created parts and of the backups, as `claude-code`. */
  readonly record: string;
  /** The absolute path of the file; may be a symbolic link to the file that is written. */
  readonly file: string;
  /** The text before the change; undefined when there is no file. */
  readonly before: string | undefined;
  /** The text after the change; undefined when the file is removed. */
  readonly after: string | undefined;
  readonly isChange: boolean;
  /** The record of what Drawbridge created in the file, before and after the change; undefined when it stays the same. */
  readonly createdBefore?: CreatedInText | undefined;
  readonly created?: CreatedInText | undefined;
}

export type CreatedInText = Pick<CreatedParts, 'containers' | 'added'>;

/** Returns the change that undoes a change, valid until another program writes the file. */
export function inverseOf(change: ConfigurationChange): ConfigurationChange {
  const { before, after, createdBefore, created } = change;
  return { ...change, before: after, after: before, createdBefore: created, created: createdBefore };
}

/** Returns the names of the records of an assistant: of the file with its server entry, and of its other file. */
export function recordsOf({ id }: Assistant): readonly [server: string, other: string] {
  return [id, `${id}-settings`];
}

/** How many backups of one assistant's configuration are kept. */
const mostBackups = 5;

/**
 * Writes a backup of a configuration to the state folder and removes the oldest ones. Only this user may read it: it may hold
 * secrets of other programs.
 * @returns the path of the backup
 * @throws ConfigurationError when the backup cannot be written; then nothing may be changed
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

/** Returns the names of an assistant's backups, the oldest first, since the time is in the name. */
async function backupsOf(folder: string, id: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.startsWith(`${id}-`) && time.test(name.slice(id.length + 1))).toSorted();
}

const time = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/**
 * Returns a name with the time of now, or a millisecond after the last one: changes may come fast, and clocks may go
 * back.
 */
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
