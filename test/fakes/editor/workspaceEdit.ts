import { existsSync, renameSync } from 'node:fs';
import type * as vscode from 'vscode';
import { documentAt, documentOf, openFile } from './documents.ts';
import { editor } from './editor.ts';
import { Range } from './places.ts';

interface TextPart {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly newText: string;
}

interface FilePart {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
  /** True when the rename replaces an entry that has the new name. */
  readonly overwrites: boolean;
}

type Faked = 'size' | 'replace' | 'insert' | 'delete' | 'has' | 'get' | 'entries' | 'renameFile';

export class WorkspaceEdit implements Pick<vscode.WorkspaceEdit, Faked> {
  readonly texts: TextPart[] = [];
  readonly renames: FilePart[] = [];

  /** The number of files with edits of their text. */
  get size(): number {
    return this.entries().length;
  }

  replace(uri: vscode.Uri, range: vscode.Range, newText: string): void {
    this.texts.push({ uri, range, newText });
  }

  insert(uri: vscode.Uri, place: vscode.Position, newText: string): void {
    this.replace(uri, new Range(place, place), newText);
  }

  delete(uri: vscode.Uri, range: vscode.Range): void {
    this.replace(uri, range, '');
  }

  renameFile(from: vscode.Uri, to: vscode.Uri, { overwrite = false }: { readonly overwrite?: boolean } = {}): void {
    this.renames.push({ from, to, overwrites: overwrite });
  }

  has(uri: vscode.Uri): boolean {
    return this.get(uri).length > 0;
  }

  get(uri: vscode.Uri): vscode.TextEdit[] {
    return this.texts.filter((each) => each.uri.toString() === uri.toString());
  }

  entries(): [vscode.Uri, vscode.TextEdit[]][] {
    const uris = new Map(this.texts.map(({ uri }) => [uri.toString(), uri]));
    return [...uris.values()].map((uri) => [uri, this.get(uri)]);
  }
}

/** Applies text edits to documents, which the editor opens from the disk when they are not open, and then renames files. */
export async function applyEdit(edit: vscode.WorkspaceEdit): Promise<boolean> {
  if (!(edit instanceof WorkspaceEdit)) throw new TypeError('This is no edit of the fake editor');
  // Other events can happen only after the turn in which the edit was made.
  await Promise.resolve();
  if (!editor.beforeEdit(edit)) return false;
  for (const [uri, changes] of edit.entries()) {
    const document = documentAt(uri) ?? openFile(uri.fsPath);
    document.change(changes.map(({ range, newText }) => ({ range, text: newText })));
    document.markDirty();
  }
  return edit.renames.every(rename);
}

/** Renames on the real disk. An open document becomes a new document that keeps the unsaved text. */
function rename(part: FilePart): boolean {
  const [from, to] = [part.from.fsPath, part.to.fsPath];
  if (!existsSync(from) || (existsSync(to) && !part.overwrites)) return false;
  renameSync(from, to);
  for (const document of editor.documents) {
    const { fsPath } = document.uri;
    if (fsPath !== from && !fsPath.startsWith(`${from}/`)) continue;
    document.close();
    documentOf(to + fsPath.slice(from.length), document.getText()).isDirty = document.isDirty;
  }
  return true;
}
