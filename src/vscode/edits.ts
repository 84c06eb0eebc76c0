import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { AppliedFile, ApplyOutcome, Edits } from '../ports/edits.ts';
import type { FileChange, TextState } from '../ports/proposal.ts';
import { stageWrite, type StagedWrite } from './disk/checkedWrite.ts';
import { openDocument } from './disk/openDocument.ts';
import { decodeText, encodeText } from './disk/textEncoding.ts';
import { editsBetween } from './disk/textEdits.ts';

/** A change on its way: through an open document, or staged beside its file. */
type Target =
  | { readonly change: FileChange; readonly document: vscode.TextDocument; readonly wasDirty: boolean }
  | { readonly change: FileChange; readonly staged: StagedWrite };

class Stale extends Error {
  readonly path: string;

  constructor(change: FileChange, reason: string) {
    super(reason);
    this.path = change.path.path;
  }
}

/** Writes approved texts through the editor where a document is open, through the checked directory where none is. */
export const edits: Edits = {
  async apply(changes) {
    const targets: Target[] = [];
    try {
      for (const change of changes) targets.push(await prepare(change));
      for (const target of targets) await recheck(target);
    } catch (error) {
      await Promise.all(targets.map(discard));
      if (error instanceof Stale) return { status: 'stale', path: error.path, reason: error.message };
      throw error;
    }
    return write(targets);
  },
};

async function prepare(change: FileChange): Promise<Target> {
  const document = openDocument(change.path);
  if (document !== undefined) return { change, document, wasDirty: document.isDirty };
  const bytes = await encodeText(change.result.text, change.result.encoding);
  if (bytes === undefined) throw new Stale(change, `its text does not fit the encoding ${change.result.encoding}`);
  const uri = vscode.Uri.file(change.path.realPath);
  const result = await stageWrite(change.path, async (now) => sameText(await decodeText(now, uri), change.base), bytes);
  if ('stale' in result) throw new Stale(change, result.stale);
  return { change, staged: result.staged };
}

async function recheck(target: Target): Promise<void> {
  const { change } = target;
  if ('document' in target) {
    if (!(await leadsToSameFile(change))) throw new Stale(change, 'the file was replaced by another one');
  } else if (!(await target.staged.stillBase())) {
    throw new Stale(change, 'the file was changed');
  }
}

/** From here on something may have been changed: every way out either finishes all files or puts back what was done. */
async function write(targets: readonly Target[]): Promise<ApplyOutcome> {
  const written: Target[] = [];
  try {
    const documents = targets.filter((target) => 'document' in target);
    const stale = await applyToDocuments(documents, targets);
    if (stale !== undefined) {
      await Promise.all(targets.map(discard));
      return stale;
    }
    written.push(...documents);
    for (const { change, document } of documents) {
      if (document.getText() !== change.result.text)
        throw new Error(`${change.path.path}: the editor did not take the text as approved.`);
      if (!(await leadsToSameFile(change)))
        throw new Error(`${change.path.path}: the file was replaced by another one meanwhile.`);
    }
    for (const target of targets) {
      if (!('staged' in target)) continue;
      written.push(target);
      await target.staged.commit();
    }
  } catch (error) {
    await Promise.all(targets.map(discard));
    return {
      status: 'failed',
      reason: error instanceof Error ? error.message : String(error),
      states: await putBack(targets, written),
    };
  }
  return { status: 'applied', files: await Promise.all(targets.map(settle)) };
}

/** The check of every open document and the edit of all of them share one synchronous turn (threat row F6). */
async function applyToDocuments(
  documents: readonly Extract<Target, { document: unknown }>[],
  targets: readonly Target[],
): Promise<ApplyOutcome | undefined> {
  const edit = new vscode.WorkspaceEdit();
  for (const { change, document } of documents) {
    if (document.isClosed) return staleOutcome(change, 'its editor was closed meanwhile');
    if (document.getText() !== change.base.text) return staleOutcome(change, 'the text was changed in the editor');
    for (const { offset, length, text } of editsBetween(change.base.text, change.result.text)) {
      edit.replace(
        document.uri,
        new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
        text,
      );
    }
  }
  for (const { change, ...target } of targets) {
    if ('staged' in target && openDocument(change.path)?.isDirty === true)
      return staleOutcome(change, 'unsaved text appeared in the editor');
  }
  if (documents.length === 0) return undefined;
  const accepted = await vscode.workspace.applyEdit(edit);
  const [first] = documents;
  return accepted || first === undefined ? undefined : staleOutcome(first.change, 'the text was changed in the editor');
}

function staleOutcome(change: FileChange, reason: string): ApplyOutcome {
  return { status: 'stale', path: change.path.path, reason };
}

/** Saves what was clean before, so that the assistant's tests read it, and tells what the file holds in the end. */
async function settle(target: Target): Promise<AppliedFile> {
  const { change } = target;
  if ('staged' in target) {
    return { ...change.result, saved: true, dirty: false, changedOnSave: false, ...(await onDisk(change)) };
  }
  const { document, wasDirty } = target;
  const saved = !wasDirty && (await leadsToSameFile(change)) && (await document.save());
  const text = document.getText();
  const { encoding, isDirty: dirty } = document;
  return { text, encoding, saved, dirty, changedOnSave: text !== change.result.text, ...(await onDisk(change)) };
}

async function onDisk({ path }: FileChange): Promise<{ size: number; modified: number }> {
  const found = await stat(path.realPath).catch(() => undefined);
  return { size: found?.size ?? 0, modified: found?.mtimeMs ?? 0 };
}

async function putBack(
  targets: readonly Target[],
  written: readonly Target[],
): Promise<Extract<ApplyOutcome, { status: 'failed' }>['states']> {
  return Promise.all(
    targets.map(async (target) => {
      if (!written.includes(target)) return 'not_applied';
      return (await putBackOne(target).catch(() => false)) ? 'rolled_back' : 'unknown';
    }),
  );
}

async function putBackOne(target: Target): Promise<boolean> {
  const { change } = target;
  if ('document' in target) {
    const { document } = target;
    if (document.getText() === change.base.text) return true;
    if (document.getText() !== change.result.text) return false;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)),
      change.base.text,
    );
    await vscode.workspace.applyEdit(edit);
    return document.getText() === change.base.text;
  }
  return putBackFile(change);
}

/** The name may lead to another inode by now: ours after the rename. It is put back only where it holds our bytes. */
async function putBackFile(change: FileChange): Promise<boolean> {
  const bytes = await encodeText(change.base.text, change.base.encoding);
  const now = await lstat(change.path.realPath, { bigint: true });
  const parent = await stat(dirname(change.path.realPath), { bigint: true });
  const path = {
    ...change.path,
    identity: { device: now.dev, inode: now.ino },
    parent: { device: parent.dev, inode: parent.ino },
  };
  const uri = vscode.Uri.file(change.path.realPath);
  let isBase = false;
  const check = async (current: Uint8Array): Promise<boolean> => {
    const decoded = await decodeText(current, uri);
    isBase = sameText(decoded, change.base);
    return sameText(decoded, change.result);
  };
  if (bytes === undefined) return false;
  const result = await stageWrite(path, check, bytes);
  if ('stale' in result) return isBase;
  await result.staged.commit();
  return true;
}

async function discard(target: Target): Promise<void> {
  if ('staged' in target) await target.staged.discard();
}

/** The name still leads to the file that was approved: same real path, same inode, same folder. */
async function leadsToSameFile({ path }: FileChange): Promise<boolean> {
  try {
    const [real, file, parent] = await Promise.all([
      realpath(path.fsPath),
      stat(path.realPath, { bigint: true }),
      stat(dirname(path.realPath), { bigint: true }),
    ]);
    return (
      real === path.realPath &&
      file.dev === path.identity?.device &&
      file.ino === path.identity.inode &&
      parent.dev === path.parent?.device &&
      parent.ino === path.parent.inode
    );
  } catch {
    return false;
  }
}

function sameText(now: TextState | undefined, expected: TextState): boolean {
  return now !== undefined && now.text === expected.text && now.encoding === expected.encoding;
}
