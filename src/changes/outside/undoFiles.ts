/** Restores what files were before outside changes, with the checks of an apply. */
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Files, ResolvedPath } from '#base/files.ts';
import type { FileChange, FileRestore } from '#base/proposal.ts';
import { stageWrite } from '#files/checkedWrite.ts';
import { relativeTo } from '#policy/paths.ts';
import type { Edits } from '../edits.ts';
import type { Resolve } from '../keep.ts';
import { isExecutableMode } from './baseline.ts';
import { type DiskFile, isText, sha256Of } from './diskEntry.ts';
import { canUndo, type OutsideFile, stateOf } from './outsideChange.ts';
import type { OutsideDisk } from './outsideDependencies.ts';

export interface UndoFilesDependencies {
  readonly edits: Pick<Edits, 'apply'>;
  readonly files: Pick<Files, 'readText' | 'readTree'>;
  readonly disk: Pick<OutsideDisk, 'read'>;
  /** Resolves a URI as for a change of the user, whom no rule of the policy stops. */
  readonly resolve: Resolve;
  /** Returns the URI of an absolute path. */
  readonly uriOf: (fsPath: string) => string;
}

const noLimits = { maximumFiles: Infinity, maximumBytes: Infinity };

/** Says why a file was not restored, as the end of a sentence. */
class NotUndone extends Error {}

/**
 * Restores the file of one line, or both of a move, if each still is as the line shows it.
 * @param mark begins the names of temporary files
 * @throws an error that says why not; nothing was changed then
 */
export async function undoFiles(
  files: readonly OutsideFile[],
  mark: string,
  dependencies: UndoFilesDependencies,
): Promise<void> {
  const [file, to] = files;
  if (file === undefined) return;
  for (const each of files) {
    if (!canUndo(each)) throw new NotUndone('what it was before is not known');
    await requireAsLeft(each, dependencies);
  }
  if (to === undefined) await undoFile(file, mark, dependencies);
  else await moveBack(to, file, mark, dependencies);
}

async function undoFile(file: OutsideFile, mark: string, dependencies: UndoFilesDependencies): Promise<void> {
  const { before, now } = file;
  if (now.kind !== 'file' && now.kind !== 'link') return restore(file, mark, dependencies);
  if (before.kind === 'missing') return remove(file, now, mark, dependencies);
  if (before.kind === 'link' || now.kind === 'link') return replace(file, now, mark, dependencies);
  if (file.kind === 'mode') return setMode(file, now, dependencies);
  await restoreContent(file, now, mark, dependencies);
  if (isExecutableMode(now.mode) !== before.isExecutable) {
    const { entry } = await dependencies.disk.read(file.fsPath);
    if (entry.kind === 'file') await setMode(file, entry, dependencies);
  }
}

async function requireAsLeft({ fsPath, now }: OutsideFile, { disk }: UndoFilesDependencies): Promise<void> {
  if (stateOf((await disk.read(fsPath)).entry) !== stateOf(now)) throw new NotUndone('it was changed since');
}

/** A path that leads elsewhere by now, for example through a new link, is not touched. */
async function placeOf(
  fsPath: string,
  purpose: 'change' | 'entry',
  { resolve, uriOf }: UndoFilesDependencies,
): Promise<ResolvedPath> {
  const path = await resolve(uriOf(fsPath), purpose);
  if (path.realPath !== fsPath) throw new NotUndone('it leads to another place now');
  return path;
}

async function apply(
  changes: readonly (FileChange | FileRestore)[],
  mark: string,
  { edits }: UndoFilesDependencies,
): Promise<void> {
  const outcome = await edits.apply(changes, mark);
  if (outcome.status !== 'applied') throw new NotUndone(outcome.reason);
}

/** Returns the entry as `Edits` must find it. */
async function foundFiles(path: ResolvedPath, now: DiskFile, { files }: UndoFilesDependencies) {
  const tree = await files.readTree(path, noLimits);
  if (tree.unsaved.length > 0 || tree.unsavedElsewhere.length > 0) {
    throw new NotUndone('an editor holds unsaved changes of it');
  }
  const [found, ...others] = tree.files;
  if (found?.relative !== '' || others.length > 0 || found.sha256 !== now.sha256) {
    throw new NotUndone('it was changed since');
  }
  return tree.files;
}

/** Returns the folders of a file that were made since a time, the innermost first: they go when nothing is left in them. */
async function newFoldersOf({ realPath, folder }: ResolvedPath, since: number): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let at = dirname(realPath); (relativeTo(folder.realPath, at) ?? '') !== ''; at = dirname(at)) {
    const { birthtimeMs = 0 } = (await lstat(at).catch(() => undefined)) ?? {};
    if (birthtimeMs < since) break;
    folders.push(at);
  }
  return folders;
}

async function remove(
  file: OutsideFile,
  now: DiskFile,
  mark: string,
  dependencies: UndoFilesDependencies,
): Promise<void> {
  const path = await placeOf(file.fsPath, 'entry', dependencies);
  const files = await foundFiles(path, now, dependencies);
  const emptiedFolders = await newFoldersOf(path, file.since);
  const change = { kind: 'delete', path, isFolder: false, files, toTrash: false, recovery: 'unknown' } as const;
  await apply([{ ...change, emptiedFolders }], mark, dependencies);
}

async function restore(file: OutsideFile, mark: string, dependencies: UndoFilesDependencies): Promise<void> {
  const { before, fsPath } = file;
  const [bytes, path] = await Promise.all([before.content(), placeOf(fsPath, 'entry', dependencies)]);
  const isLink = before.kind === 'link';
  const mode = before.mode ?? (before.isExecutable ? 0o755 : 0o644);
  const restored = { relative: '', sha256: sha256Of(bytes), size: bytes.length, mode, isLink, bytes };
  await apply([{ kind: 'restore', path, isFolder: false, files: [restored] }], mark, dependencies);
}

/** Puts a link in place of a file, or the other way round. What stands there comes back when that fails. */
async function replace(
  file: OutsideFile,
  now: DiskFile,
  mark: string,
  dependencies: UndoFilesDependencies,
): Promise<void> {
  // Without its content, nothing is removed.
  await file.before.content();
  const { bytes } = await dependencies.disk.read(file.fsPath);
  if (bytes === undefined || sha256Of(bytes) !== now.sha256) throw new NotUndone('it was changed since');
  await remove(file, now, mark, dependencies);
  try {
    await restore(file, mark, dependencies);
  } catch (error) {
    const path = await placeOf(file.fsPath, 'entry', dependencies);
    const { sha256, size, mode } = now;
    const files = [{ relative: '', sha256, size, mode, isLink: now.kind === 'link', bytes }];
    await apply([{ kind: 'restore', path, isFolder: false, files }], mark, dependencies);
    throw error;
  }
}

async function moveBack(
  moved: OutsideFile,
  from: OutsideFile,
  mark: string,
  dependencies: UndoFilesDependencies,
): Promise<void> {
  if (moved.now.kind !== 'file' && moved.now.kind !== 'link') throw new NotUndone('it was changed since');
  const [path, to] = await Promise.all([
    placeOf(moved.fsPath, 'entry', dependencies),
    placeOf(from.fsPath, 'entry', dependencies),
  ]);
  const files = await foundFiles(path, moved.now, dependencies);
  const emptiedFolders = await newFoldersOf(path, moved.since);
  await apply([{ kind: 'move', path, to, isFolder: false, files, emptiedFolders }], mark, dependencies);
}

async function restoreContent(
  file: OutsideFile,
  now: DiskFile,
  mark: string,
  dependencies: UndoFilesDependencies,
): Promise<void> {
  const [bytes, path, read] = await Promise.all([
    file.before.content(),
    placeOf(file.fsPath, 'change', dependencies),
    dependencies.disk.read(file.fsPath),
  ]);
  await foundFiles(path, now, dependencies);
  if (read.bytes !== undefined && isText(bytes) && isText(read.bytes)) {
    const text = await dependencies.files.readText(path, Infinity);
    const found = textOf(read.bytes);
    if (text.unsaved || text.unsavedElsewhere) throw new NotUndone('an editor holds unsaved changes of it');
    if (text.encoding === found.encoding) {
      if (text.text !== found.text) throw new NotUndone('the editor shows another text of it');
      const { unifiedLineEnds } = text;
      const base = { ...found, source: 'disk' as const, unsaved: false, unifiedLineEnds };
      await apply([{ kind: 'edit', path, base, result: textOf(bytes) }], mark, dependencies);
      return;
    }
  }
  const staged = await stageWrite(path, async (each) => sha256Of(each) === now.sha256, bytes, mark);
  try {
    if (!(await staged.stillBase())) throw new NotUndone('it was changed since');
    await staged.commit();
  } finally {
    await staged.discard();
  }
}

/** Returns UTF-8 bytes as the editor holds them. */
function textOf(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.startsWith('\uFEFF') ? { text: text.slice(1), encoding: 'utf8bom' } : { text, encoding: 'utf8' };
}

async function setMode(
  { fsPath, before }: OutsideFile,
  now: DiskFile,
  dependencies: UndoFilesDependencies,
): Promise<void> {
  const path = await placeOf(fsPath, 'change', dependencies);
  await using handle = await open(path.realPath, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  const found = await handle.stat({ bigint: true });
  const isSame = found.isFile() && found.dev === path.identity?.device && found.ino === path.identity.inode;
  if (!isSame || sha256Of(await handle.readFile()) !== now.sha256) throw new NotUndone('it was changed since');
  // Whoever may read the file may execute it, as Git does.
  const executable = now.mode | ((now.mode & 0o444) >> 2);
  await handle.chmod(before.mode ?? (before.isExecutable ? executable : now.mode & ~0o111));
}
