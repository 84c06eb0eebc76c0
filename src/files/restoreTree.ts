import { mkdir, rm, symlink } from 'node:fs/promises';
import type { FileRestore } from '#base/proposal.ts';
import { moveEntry, temporaryEntry, writeNew } from './createAndMove.ts';
import { addressOf, codeOf, openFolder, type FolderEntry } from './folder.ts';

type Tree = Pick<FileRestore, 'isFolder' | 'files'>;

/**
 * Writes a file, a link, or a folder with all that was in it, where nothing is: beside it first, so that it is there whole
 * or not at all.
 * @throws ChangedSinceApproval when its name is taken
 */
export async function restoreTree(entry: FolderEntry, tree: Tree, mark: string): Promise<void> {
  const temporary = temporaryEntry(entry.folder, mark, 'new');
  try {
    await writeTree(temporary, tree);
    await moveEntry(temporary, entry);
  } catch (error) {
    await rm(addressOf(temporary), { recursive: true, force: true });
    throw error;
  }
}

async function writeTree(
  entry: FolderEntry,
  { isFolder, files }: Pick<FileRestore, 'isFolder' | 'files'>,
): Promise<void> {
  if (isFolder) await mkdir(addressOf(entry));
  for (const file of files) {
    await within(entry, file.relative === '' ? [] : file.relative.split('/'), async (place) => {
      if (file.isLink) await symlink(Buffer.from(file.bytes).toString(), addressOf(place));
      else await writeNew(place, file);
    });
  }
}

/** Goes down the names one by one, making the folders that are missing; never through a link. */
async function within(
  entry: FolderEntry,
  [name, ...rest]: readonly string[],
  write: (entry: FolderEntry) => Promise<void>,
): Promise<void> {
  if (name === undefined) return write(entry);
  await mkdir(addressOf(entry)).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const folder = await openFolder(addressOf(entry));
  try {
    await within({ folder, name }, rest, write);
  } finally {
    await folder.close();
  }
}
