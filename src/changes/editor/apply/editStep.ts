/** The step of an apply that changes the text of a file, in its open document or on disk. */
import { createHash } from 'node:crypto';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { FileAddress } from '#base/files.ts';
import type { FileEdit, TextState } from '#base/proposal.ts';
import { ChangedSinceApproval } from '#files/changedSinceApproval.ts';
import { requireBase, stageWrite, type StagedWrite } from '#files/checkedWrite.ts';
import { identityOf } from '#files/disk.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { requireSaved } from '#files/editor/openEditors.ts';
import { encodeText, isEncoded } from '#files/editor/textEncoding.ts';
import { requireWritable } from '#files/expectedTree.ts';
import { isSameFile, withEntry } from '#files/folder.ts';
import type { Done, Step } from './step.ts';
import type { AppliedFile } from '../../edits.ts';
import { editsBetween } from '../../textEdits.ts';
import type { Rewritten } from './moveStep.ts';

/** The way in which a file is written: through an open document, or by bytes staged beside it. */
type Way =
  | { readonly document: vscode.TextDocument; readonly wasDirty: boolean }
  | { readonly staged: StagedWrite; readonly bytes: Uint8Array };

/** Changes the text of a file: through the editor when a document is open, otherwise through its checked folder. */
export class EditStep implements Step {
  readonly path: string;
  readonly #change: FileEdit;
  readonly #rewritten: Map<string, Rewritten>;
  readonly #mark: string;
  #way: Way | undefined;

  /**
   * @param rewritten receives the bytes on disk after a write past the editor, by real path
   * @param mark the mark in the names of its temporary files
   */
  constructor(change: FileEdit, rewritten: Map<string, Rewritten>, mark: string) {
    this.path = change.path.path;
    this.#change = change;
    this.#rewritten = rewritten;
    this.#mark = mark;
  }

  async check(): Promise<void> {
    const { path } = this.#change;
    const document = openDocument(path);
    if (document !== undefined) return this.#checkDocument(document);
    requireSaved(path);
    await this.#resultBytes();
    await requireBase(path, (bytes) => this.#isBase(bytes));
  }

  async prepare(): Promise<void> {
    const document = openDocument(this.#change.path);
    if (document !== undefined) {
      this.#way = { document, wasDirty: document.isDirty };
      return this.#checkDocument(document);
    }
    const bytes = await this.#resultBytes();
    const staged = await stageWrite(this.#change.path, (now) => this.#isBase(now), bytes, this.#mark);
    this.#way = { staged, bytes };
  }

  /** Checks again when all other steps are prepared. */
  async recheck(): Promise<void> {
    if (this.#way !== undefined && 'document' in this.#way) {
      if (!(await leadsToSameFile(this.#change)))
        throw new ChangedSinceApproval('the file was replaced by another one');
    } else if ((await this.#way?.staged.stillBase()) !== true) {
      throw new ChangedSinceApproval('the file was changed');
    }
  }

  /** True when the editor has closed the document, which may happen at any time when only a language service had it open. */
  get isLetGo(): boolean {
    return this.#way !== undefined && 'document' in this.#way && this.#way.document.isClosed;
  }

  requireNow(): void {
    const way = this.#way;
    if (way !== undefined && 'document' in way) requireText(way.document, this.#change.base.text);
    else requireSaved(this.#change.path);
  }

  /** Adds what turns the base into the result, for an open document. Returns whether there is one. */
  addTo(edit: vscode.WorkspaceEdit): boolean {
    if (this.#way === undefined || !('document' in this.#way)) return false;
    const { document } = this.#way;
    for (const { offset, length, text } of editsBetween(this.#change.base.text, this.#change.result.text)) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      edit.replace(document.uri, range, text);
    }
    return true;
  }

  /** Verifies the edit of an open document; otherwise renames the staged file to the file's name. */
  async carryOut(done: Done): Promise<void> {
    const { path, result } = this.#change;
    const way = this.#way;
    if (way === undefined) throw new Error('not prepared');
    if ('document' in way) {
      // A document that was let go of meanwhile was opened again for the edit.
      const document = openDocument(path) ?? way.document;
      if (document.getText() !== result.text) throw new Error('the editor did not take the text as approved');
      if (!(await leadsToSameFile(this.#change))) throw new Error('the file was replaced by another one meanwhile');
      return;
    }
    // Others of the same apply may have taken a while.
    if (!(await way.staged.stillBase())) throw new ChangedSinceApproval('the file was changed');
    this.requireNow();
    done(() => putBackFile(this.#change, this.#mark));
    await way.staged.commit();
    const sha256 = createHash('sha256').update(way.bytes).digest('hex');
    this.#rewritten.set(path.realPath, { identity: way.staged.identity, sha256, size: way.bytes.length });
  }

  /** Saves what was clean before, so that the assistant's tests read it, and tells what the file holds in the end. */
  async finish(placeNow: (place: FileAddress) => FileAddress): Promise<AppliedFile> {
    const place = placeNow(this.#change.path);
    const { result } = this.#change;
    if (this.#way === undefined || !('document' in this.#way)) {
      const written = { ...result, saved: true, dirty: false, changedOnSave: false };
      return { written: { ...written, ...(await onDisk(place)) } };
    }
    const { wasDirty } = this.#way;
    // The editor has another document for a file that it moved.
    const document = openDocument(place) ?? this.#way.document;
    const wasMoved = place.realPath !== this.#change.path.realPath;
    const isSame = wasMoved || (await leadsToSameFile(this.#change));
    // Only the user may save what they typed in the meantime.
    const isOurs = !wasDirty && isSame && document.getText() === result.text;
    // The editor saves by path: what a folder that was swapped meanwhile got of it is not called saved (threat row P5).
    const { isSaved, isTouched } = isOurs ? await save(document) : { isSaved: false, isTouched: false };
    const text = document.getText();
    const { encoding, isDirty: dirty } = document;
    const saved = isSaved && (wasMoved || (await leadsToSamePlace(this.#change)));
    const changedOnSave = text !== result.text;
    const touched = changedOnSave && isTouched && { touchedOnSave: true as const };
    return { written: { text, encoding, saved, dirty, changedOnSave, ...touched, ...(await onDisk(place)) } };
  }

  async close(): Promise<void> {
    if (this.#way !== undefined && 'staged' in this.#way) await this.#way.staged.discard();
  }

  /** Gives an open document its base again, if it holds the result. */
  async putBackDocument(): Promise<void> {
    const { base, result, path } = this.#change;
    const document = openDocument(path);
    if (document?.getText() === base.text) return;
    if (document?.getText() !== result.text) throw new ChangedSinceApproval('the text was changed in the editor');
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(document.getText().length);
    edit.replace(document.uri, new vscode.Range(document.positionAt(0), end), base.text);
    await vscode.workspace.applyEdit(edit);
    requireText(document, base.text);
  }

  async #checkDocument(document: vscode.TextDocument): Promise<void> {
    const { path, base, result } = this.#change;
    requireText(document, base.text);
    if (document.encoding !== result.encoding && !(await isSavedAlike(document, result))) {
      throw new ChangedSinceApproval(`the editor has it open in another encoding (${document.encoding})`);
    }
    if (!(await leadsToSameFile(this.#change))) throw new ChangedSinceApproval('the file was replaced by another one');
    await withEntry(path.realPath, path.parent, requireWritable);
  }

  async #resultBytes(): Promise<Uint8Array> {
    const { text, encoding } = this.#change.result;
    const bytes = await encodeText(text, encoding);
    if (bytes === undefined) throw new ChangedSinceApproval(`its text does not fit the encoding ${encoding}`);
    return bytes;
  }

  #isBase(bytes: Uint8Array): Promise<boolean> {
    return isEncoded(bytes, this.#change.base);
  }
}

function requireText(document: vscode.TextDocument, text: string): void {
  if (document.isClosed) throw new ChangedSinceApproval('its editor was closed meanwhile');
  if (document.getText() !== text) throw new ChangedSinceApproval('the text was changed in the editor');
}

/** Returns true when the editor would save exactly the approved bytes, although the document has another encoding. */
async function isSavedAlike({ encoding }: vscode.TextDocument, result: TextState): Promise<boolean> {
  const bytes = await encodeText(result.text, encoding);
  return bytes !== undefined && isEncoded(bytes, result);
}

/**
 * Saves the document, which stays dirty when that fails. Formatters may take seconds, and what the user types meanwhile is
 * saved too; only the kind of a cursor move tells that the user made it.
 */
async function save(document: vscode.TextDocument): Promise<{ isSaved: boolean; isTouched: boolean }> {
  let isTouched = false;
  const subscription = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
    isTouched ||= kind !== undefined && textEditor.document === document;
  });
  try {
    return { isSaved: await document.save(), isTouched };
  } catch {
    return { isSaved: false, isTouched };
  } finally {
    subscription.dispose();
  }
}

/** The name may lead to another inode by now: ours after the rename. It is put back only where it holds our bytes. */
async function putBackFile(change: FileEdit, mark: string): Promise<void> {
  const { path, base, result } = change;
  const bytes = await encodeText(base.text, base.encoding);
  if (bytes === undefined) throw new ChangedSinceApproval(`its text does not fit the encoding ${base.encoding}`);
  const now = { ...path, identity: identityOf(await lstat(path.realPath, { bigint: true })) };
  let isBase = false;
  const check = async (current: Uint8Array): Promise<boolean> => {
    isBase = await isEncoded(current, base);
    return isEncoded(current, result);
  };
  const staged = await stageWrite(now, check, bytes, mark).catch((error: unknown) => {
    if (!isBase) throw error;
  });
  if (staged === undefined) return;
  if (await staged.stillBase()) return staged.commit();
  await staged.discard();
  throw new ChangedSinceApproval('the file was changed');
}

async function onDisk({ realPath }: FileAddress): Promise<{ size: number; modified: number }> {
  const found = await stat(realPath).catch(() => undefined);
  return { size: found?.size ?? 0, modified: found?.mtimeMs ?? 0 };
}

/** The name still leads to the file that was approved: same place, same inode. */
async function leadsToSameFile(change: FileEdit): Promise<boolean> {
  const { realPath, identity } = change.path;
  const file = await stat(realPath, { bigint: true }).catch(() => undefined);
  return file !== undefined && isSameFile(identityOf(file), identity) && leadsToSamePlace(change);
}

/** Same real path in the same folder; saving may give the file another inode. */
async function leadsToSamePlace({ path }: FileEdit): Promise<boolean> {
  try {
    const [real, parent] = await Promise.all([realpath(path.fsPath), stat(dirname(path.realPath), { bigint: true })]);
    return real === path.realPath && isSameFile(identityOf(parent), path.parent);
  } catch {
    return false;
  }
}
