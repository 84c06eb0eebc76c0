import { constants } from 'node:fs';
import { access, lstat, mkdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { hasCode } from '#home/ownFile.ts';
import { ConfigurationError, editByHand } from './configurationError.ts';

const mostBytes = 10 * 1024 * 1024;

/**
 * Reads a configuration file and follows symbolic links; returns undefined when there is none.
 * @throws ConfigurationError when it is no file, larger than 10 MiB, unreadable or not UTF-8
 */
export async function readConfigurationFile(file: string): Promise<string | undefined> {
  const target = await targetOf(file);
  if (target === undefined) return undefined;
  const bytes = await readFile(target).catch((error: unknown) => {
    throw new ConfigurationError(`${file} cannot be read.`, 'Check that you may read it, then try again.', {
      cause: error,
    });
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const hint = 'Save it as UTF-8, then try again. It was not changed.';
    throw new ConfigurationError(`${file} is not encoded as UTF-8.`, hint, { cause: error });
  }
}

/**
 * Replaces a configuration file, or creates it with the folders above it. Its mode stays; only this user may read a new
 * file. A symbolic link stays a link.
 * @returns the topmost folder that was created
 * @throws ConfigurationError when the file may not be written
 */
export async function writeConfigurationFile(file: string, text: string): Promise<string | undefined> {
  const target = await targetOf(file);
  if (target !== undefined) await checkWritable(file, target);
  try {
    const folder = target === undefined ? await mkdir(dirname(file), { recursive: true, mode: 0o700 }) : undefined;
    await writeFileAtomic(target ?? file, text, target === undefined ? { mode: 0o600 } : {});
    return folder;
  } catch (error) {
    const hint = 'Check that you may write to its folder and that the disk is not full, then try again.';
    throw new ConfigurationError(`${file} could not be written.`, hint, { cause: error });
  }
}

/** Removes a configuration file, and the empty folders above it up to `folder`. @returns `folder` if it is still there */
export async function removeConfigurationFile(file: string, folder: string | undefined): Promise<string | undefined> {
  await rm(file).catch((error: unknown) => {
    throw new ConfigurationError(`${file} could not be removed.`, 'Remove it by hand.', { cause: error });
  });
  return folder === undefined || (await removeEmptyFolders(dirname(file), folder)) ? undefined : folder;
}

/** Returns whether all of them are gone. */
async function removeEmptyFolders(lowest: string, highest: string): Promise<boolean> {
  for (let folder = lowest; folder.length >= highest.length; folder = dirname(folder)) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) return false;
  }
  return true;
}

/** Returns the real path of a file behind symbolic links; undefined when there is none. */
async function targetOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new ConfigurationError(`${file} cannot be read.`, 'Check the folders above it, then try again.', {
      cause: error,
    });
  });
  if (found === undefined) return undefined;
  const target = await realpath(file).catch((error: unknown) => {
    const hint = 'Remove the link or create the file that it leads to, then try again.';
    throw new ConfigurationError(`${file} is a link that leads nowhere.`, hint, { cause: error });
  });
  const stats = await stat(target);
  const hint = 'Move it away, then try again. It was not changed.';
  if (stats.isDirectory()) throw new ConfigurationError(`${file} is a folder.`, hint);
  if (!stats.isFile()) throw new ConfigurationError(`${file} is not a file.`, hint);
  if (stats.size > mostBytes) throw new ConfigurationError(`${file} is larger than 10 MiB.`, editByHand);
  return target;
}

/** Throws for a read-only file: an atomic replacement would succeed without the right to write the file. */
async function checkWritable(file: string, target: string): Promise<void> {
  const { mode } = await stat(target);
  const mayWrite = await access(target, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (mayWrite && (mode & 0o222) !== 0) return;
  throw new ConfigurationError(`${file} is read-only.`, 'Allow yourself to write to it, then try again.');
}
