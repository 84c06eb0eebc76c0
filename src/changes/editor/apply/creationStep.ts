/** The step of an apply that creates a file, or restores a deleted one. */
import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileCreate, FileRestore } from '#base/proposal.ts';
import { ChangedSinceApproval } from '#files/changedSinceApproval.ts';
import { requireSaved } from '#files/editor/openEditors.ts';
import { encodeText } from '#files/editor/textEncoding.ts';
import { moveEntry, temporaryEntry, writeNew } from '#files/createAndMove.ts';
import { setAside, type ExpectedTree } from '#files/expectedTree.ts';
import {
  addressOf,
  makeEntry,
  removeEmptyFolder,
  requireMissing,
  requireSameFolder,
  type FolderEntry,
} from '#files/folder.ts';
import { restoreTree } from '#files/restoreTree.ts';
import type { Done, Step } from './step.ts';
import type { AppliedFile } from '../../edits.ts';

/** Creates a new file, or restores what a delete removed, at a path where nothing is. */
export class CreationStep implements Step {
  readonly path: string;
  readonly #change: FileCreate | FileRestore;
  readonly #mark: string;
  readonly #createdFolders: string[] = [];
  #entry: FolderEntry | undefined;
  #written: ExpectedTree | undefined;

  /** @param mark the mark in the names of its temporary files */
  constructor(change: FileCreate | FileRestore, mark: string) {
    this.path = change.path.path;
    this.#change = change;
    this.#mark = mark;
  }

  async check(): Promise<void> {
    const { path } = this.#change;
    this.requireNow();
    if (this.#change.kind === 'create') await bytesOf(this.#change);
    await requireMissing(path.realPath, path.parent);
  }

  prepare(): Promise<void> {
    return this.check();
  }

  requireNow(): void {
    requireSaved(this.#change.path);
  }

  async carryOut(done: Done): Promise<void> {
    this.requireNow();
    const { realPath, parent } = this.#change.path;
    const entry = await makeEntry(realPath, parent, (folder) => {
      this.#createdFolders.push(folder);
      done(() => removeEmptyFolder(folder));
    });
    this.#entry = entry;
    const expected = await this.#write(entry);
    this.#written = expected;
    done(async () => (await setAside(entry, expected, this.#mark)).remove());
    await requireSameFolder(entry.folder, dirname(realPath));
  }

  async #write(entry: FolderEntry): Promise<ExpectedTree> {
    const change = this.#change;
    if (change.kind === 'create') return writeFile(entry, await bytesOf(change), this.#mark);
    await restoreTree(entry, change, this.#mark);
    return change;
  }

  async finish(): Promise<AppliedFile> {
    const change = this.#change;
    const folders = this.#createdFolders.length === 0 ? {} : { createdFolders: this.#createdFolders };
    if (change.kind === 'restore') return folders;
    const found = await stat(change.path.realPath).catch(() => undefined);
    const sha256 = this.#written?.files[0]?.sha256;
    const onDisk = {
      size: found?.size ?? 0,
      modified: found?.mtimeMs ?? 0,
      ...(sha256 !== undefined && { sha256 }),
    };
    return { written: { ...change.result, saved: true, dirty: false, changedOnSave: false, ...onDisk }, ...folders };
  }

  async close(): Promise<void> {
    await this.#entry?.folder.close();
  }
}

async function bytesOf({ result: { text, encoding } }: FileCreate): Promise<Uint8Array> {
  const bytes = await encodeText(text, encoding);
  if (bytes === undefined) throw new ChangedSinceApproval(`its text does not fit the encoding ${encoding}`);
  return bytes;
}

async function writeFile(entry: FolderEntry, bytes: Uint8Array, mark: string): Promise<ExpectedTree> {
  const temporary = temporaryEntry(entry.folder, mark, 'new');
  try {
    const identity = await writeNew(temporary, { bytes });
    await moveEntry(temporary, entry);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { isFolder: false, identity, files: [{ relative: '', sha256, size: bytes.length, mode: 0, isLink: false }] };
  } catch (error) {
    await rm(addressOf(temporary), { force: true });
    throw error;
  }
}
