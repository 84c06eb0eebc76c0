import { mkdir, rm, symlink } from 'node:fs/promises';
import type { FileRestore } from '#base/proposal.ts';
import { moveEntry, temporaryEntry, writeNew } from './createAndMove.ts';
import { addressOf, codeOf, openFolder, type FolderEntry } from './folder.ts';

type Tree = Pick<FileRestore, 'isFolder' | 'files'>;

/**
 * Restores a file, a link, or a folder with everything in it, at a missing path. Writes to a temporary name first, so that the entry
 * appears completely or not at all.
 * @param mark marks the temporary name, as in `temporaryEntry`
 * @throws ChangedSinceApproval when the name is taken
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

/** Opens the folders of a relative path one from the other, creates missing ones, and never follows a link. */
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
