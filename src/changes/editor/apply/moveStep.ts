/** The step of an apply that moves a file or folder. */
import { lstat, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { FileIdentity, TreeFile } from '#base/files.ts';
import type { FileMove } from '#base/proposal.ts';
import { ChangedSinceApproval } from '#files/changedSinceApproval.ts';
import { identityOf } from '#files/disk.ts';
import { isBelow, openFiles, requireSaved, unsavedFiles } from '#files/editor/openEditors.ts';
import { moveEntry } from '#files/createAndMove.ts';
import { requireUnchanged, type ExpectedTree } from '#files/expectedTree.ts';
import {
  addressOf,
  isSameFile,
  isThere,
  makeEntry,
  openEntry,
  removeEmptyFolder,
  requireMissing,
  requireSameFolder,
  withEntry,
  type FolderEntry,
} from '#files/folder.ts';
import { reloadProjects, typescript } from '#language/editor/typescript.ts';
import { relativeTo } from '#policy/paths.ts';
import type { Done, Step } from './step.ts';
import type { AppliedFile } from '../../edits.ts';
import { expectedOf, uriOf } from './step.ts';

/** The bytes that an edit of the same apply wrote to a file that is then moved. */
export interface Rewritten extends Pick<TreeFile, 'sha256' | 'size'> {
  readonly identity: FileIdentity;
}

/**
 * Moves a file or folder. When an editor has any of it open, the editor moves it with its tabs and unsaved text; otherwise it is
 * moved from one checked folder to the other.
 */
export class MoveStep implements Step {
  readonly path: string;
  readonly #change: FileMove;
  readonly #rewritten: ReadonlyMap<string, Rewritten>;
  readonly #target: string;
  readonly #createdFolders: string[] = [];
  readonly #open: FolderEntry[] = [];

  /** @param rewritten by real path; read when the move is carried out */
  constructor(change: FileMove, rewritten: ReadonlyMap<string, Rewritten>) {
    this.path = change.path.path;
    this.#change = change;
    this.#rewritten = rewritten;
    this.#target = targetOf(change);
  }

  async check(): Promise<void> {
    const { path, to } = this.#change;
    if (relativeTo(path.realPath, this.#target) !== undefined)
      throw new ChangedSinceApproval('it cannot be moved into itself');
    this.requireNow();
    const isRespelt = await withEntry(path.realPath, path.parent, async (entry) => {
      await requireUnchanged(entry, expectedOf(this.#change));
      return isRespelling(entry, path.realPath, this.#target);
    });
    if (!isRespelt) await requireMissing(this.#target, to.parent);
  }

  prepare(): Promise<void> {
    return this.check();
  }

  requireNow(): void {
    const { path, to } = this.#change;
    const root = uriOf(path).fsPath;
    const isLeftBehind = (uri: vscode.Uri): boolean => isBelow(uri, path) && relativeTo(root, uri.fsPath) === undefined;
    if (unsavedFiles().some(isLeftBehind)) {
      throw new ChangedSinceApproval('an editor holds unsaved changes of it under another name');
    }
    requireSaved({ fsPath: to.fsPath, realPath: this.#target });
  }

  async carryOut(done: Done): Promise<void> {
    const { path, to } = this.#change;
    const isOpen = (): boolean => openFiles().some((uri) => isBelow(uri, path));
    if (isOpen()) await showEdits([...this.#rewritten.keys()]);
    const from = await openEntry(path.realPath, path.parent);
    this.#open.push(from);
    const isRespelt = await isRespelling(from, path.realPath, this.#target);
    const target = await makeEntry(this.#target, to.parent, (folder) => {
      this.#createdFolders.push(folder);
      done(() => removeEmptyFolder(folder));
    });
    this.#open.push(target);
    const expected = this.#expectedNow();
    await requireUnchanged(from, expected);
    this.requireNow();
    if (isOpen()) await this.#moveInEditor(from, expected, done);
    else await moveOnDisk(from, target, isRespelt, done);
    await requireUnchanged(target, expected);
    await requireSameFolder(from.folder, dirname(path.realPath));
    await requireSameFolder(target.folder, dirname(this.#target));
  }

  /** Returns its files as they are after the edits of the same apply. */
  #expectedNow(): ExpectedTree {
    const { path } = this.#change;
    const expected = expectedOf(this.#change);
    const identity = this.#rewritten.get(path.realPath)?.identity ?? expected.identity;
    const files = expected.files.map((file) => {
      const rewritten = this.#rewritten.get(join(path.realPath, file.relative));
      return rewritten === undefined ? file : { ...file, sha256: rewritten.sha256, size: rewritten.size };
    });
    return { ...expected, files, ...(identity && { identity }) };
  }

  /** Moves by path: the entry was compared right before, and is compared in both folders afterwards. */
  async #moveInEditor(from: FolderEntry, expected: ExpectedTree, done: Done): Promise<void> {
    const [here, there] = [uriOf(this.#change.path), vscode.Uri.file(this.#targetInEditor())];
    let wasMoved = false;
    done(async () => {
      const isElsewhere = wasMoved && (await isThere(addressOf(from)));
      if (wasMoved || !(await isThere(addressOf(from)))) await renameInEditor(there, here);
      if (isElsewhere) throw new ChangedSinceApproval('its folder was replaced by another one');
      await requireUnchanged(from, expected);
    });
    wasMoved = await renameInEditor(here, there);
    if (!wasMoved) throw new Error('the editor could not move it');
    await reloadProjects();
  }

  #targetInEditor(): string {
    const { to } = this.#change;
    return to.linked && to.kind === 'missing' ? to.realPath : to.fsPath;
  }

  async finish(): Promise<AppliedFile> {
    return this.#createdFolders.length === 0 ? {} : { createdFolders: this.#createdFolders };
  }

  async close(): Promise<void> {
    for (const { folder } of this.#open) await folder.close();
  }
}

/** The longest that a half-applied change waits. */
const timeoutMilliseconds = 2000;

/**
 * Shows the edits of this change to the language service, which would otherwise ask the user whether to make them. Only
 * that question is asked when it fails, or does not answer in time.
 */
async function showEdits(fsPaths: readonly string[]): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMilliseconds);
  await Promise.race([typescript.reread(fsPaths).catch(() => undefined), over]);
  clearTimeout(timer);
}

/** Returns the real path after the move. On a case-insensitive disk, the new spelling already leads to the moved file itself. */
export function targetOf({ to }: FileMove): string {
  return to.kind === 'missing' ? to.realPath : join(dirname(to.realPath), basename(to.fsPath));
}

/** Returns whether the new path is the old one in another spelling, and not another hard link of the file. */
async function isRespelling(entry: FolderEntry, from: string, to: string): Promise<boolean> {
  if (dirname(from) !== dirname(to)) return false;
  const [found, other] = await Promise.all([addressOf(entry), entry.folder.at(basename(to))].map(identityAt));
  if (found === undefined || !isSameFile(found, other)) return false;
  return !(await readdir(entry.folder.at('.'))).includes(basename(to));
}

async function moveOnDisk(from: FolderEntry, target: FolderEntry, isRespelt: boolean, done: Done): Promise<void> {
  const move = (one: FolderEntry, other: FolderEntry): Promise<void> =>
    isRespelt ? rename(addressOf(one), addressOf(other)) : moveEntry(one, other);
  await move(from, target);
  const moved = await identityAt(addressOf(target));
  done(async () => {
    const now = await identityAt(addressOf(target));
    // The moved entry goes back with files added meanwhile; another entry of its name does not.
    if (now === undefined || !isSameFile(now, moved)) throw new ChangedSinceApproval('it was replaced by another one');
    await move(target, from);
  });
}

/** Returns the identity of an entry, of a link itself; undefined when there is none. */
async function identityAt(address: string): Promise<FileIdentity | undefined> {
  const found = await lstat(address, { bigint: true }).catch(() => undefined);
  return found && identityOf(found);
}

async function renameInEditor(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: false });
  return vscode.workspace.applyEdit(edit);
}
