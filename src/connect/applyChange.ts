import { keepBackup } from './backups.ts';
import type { ConfigurationChange } from './configurationChange.ts';
import { ConfigurationError } from './configurationError.ts';
import { readConfigurationFile, removeConfigurationFile, writeConfigurationFile } from './configurationFile.ts';
import { readCreatedParts, writeCreatedParts } from './createdParts.ts';

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
