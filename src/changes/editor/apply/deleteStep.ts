/** The step of an apply that deletes a file or folder, for good or to the trash. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { FileDelete } from '#base/proposal.ts';
import { closeTabs, requireSaved } from '#files/editor/openEditors.ts';
import { requireUnchanged, requireWritable, setAside, type SetAside } from '#files/expectedTree.ts';
import { addressOf, isThere, openEntry, requireSameFolder, withEntry, type FolderEntry } from '#files/folder.ts';
import { restoreTree } from '#files/restoreTree.ts';
import type { Done, Step } from './step.ts';
import type { AppliedFile } from '../../edits.ts';
import { expectedOf, uriOf } from './step.ts';

/**
 * Deletes a file or folder. Without a trash it is removed through its checked folder, also when an editor shows it: the
 * editor's own `deleteFile` takes a path, which may lead elsewhere by then (threat row P5), may use a trash against what the
 * card said, and its undo forgets the mode. Its tab is closed as the editor would; Undo on the card brings it back.
 */
export class DeleteStep implements Step {
  readonly path: string;
  readonly #change: FileDelete;
  readonly #mark: string;
  #entry: FolderEntry | undefined;
  #aside: SetAside | undefined;

  /** @param mark the mark in the names of its temporary files */
  constructor(change: FileDelete, mark: string) {
    this.path = change.path.path;
    this.#change = change;
    this.#mark = mark;
  }

  async check(): Promise<void> {
    const { path } = this.#change;
    this.requireNow();
    await withEntry(path.realPath, path.parent, async (entry) => {
      await requireUnchanged(entry, expectedOf(this.#change));
      await requireWritable(entry);
    });
  }

  prepare(): Promise<void> {
    return this.check();
  }

  requireNow(): void {
    requireSaved(this.#change.path);
  }

  async carryOut(done: Done): Promise<void> {
    const { path, toTrash } = this.#change;
    const entry = await openEntry(path.realPath, path.parent);
    this.#entry = entry;
    if (toTrash) return this.#trash(entry, done);
    this.requireNow();
    const aside = await setAside(entry, expectedOf(this.#change), this.#mark);
    this.#aside = aside;
    done(() => aside.putBack());
    await requireSameFolder(entry.folder, dirname(path.realPath));
  }

  /** The trash is the editor's, by path: what is there is compared right before, and afterwards it must be gone. */
  async #trash(entry: FolderEntry, done: Done): Promise<void> {
    await requireUnchanged(entry, expectedOf(this.#change));
    this.requireNow();
    const uri = uriOf(this.#change.path);
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: true, recursive: true });
    } catch (error) {
      const isWhole = await requireUnchanged(entry, expectedOf(this.#change)).then(
        () => true,
        () => false,
      );
      if (!isWhole) done(() => restoreTree(entry, this.#change, this.#mark));
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`the editor could not move it to the trash: ${reason}`, { cause: error });
    }
    done(() => restoreTree(entry, this.#change, this.#mark));
    if (await isThere(addressOf(entry))) {
      throw new Error('its folder was moved meanwhile; what was deleted instead is in the system trash');
    }
  }

  async finish(): Promise<AppliedFile> {
    // Nothing is lost when the removal fails: the entry is still there, under its own or its temporary name.
    await this.#aside?.remove().catch(() => undefined);
    await closeTabs(this.#change.path);
    return {};
  }

  async close(): Promise<void> {
    await this.#entry?.folder.close();
  }
}
