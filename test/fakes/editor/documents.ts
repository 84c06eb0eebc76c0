import { readFileSync, writeFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { editor, events, partOf } from './editor.ts';
import { EndOfLine, TextEditorSelectionChangeKind } from './enums.ts';
import { Position, Range, Uri } from './places.ts';
import { allTabs, closeTabs, openTab } from './tabs.ts';
import { TabInputText } from './values.ts';

const linesIn = (text: string): string[] => text.split(/\r\n|\r|\n/);

interface TextChange {
  readonly range: vscode.Range;
  readonly text: string;
}

/** A document as the editor holds it, with one line end; it is open from the start. */
export class FakeDocument implements vscode.TextDocument {
  readonly uri: vscode.Uri;
  readonly languageId: string;
  encoding = 'utf8';
  readonly eol: vscode.EndOfLine;
  version = 1;
  isDirty = false;
  isClosed = false;
  /** The number of saves. */
  saves = 0;
  #lines: string[];
  /** Returns the text that a save writes, like a formatter. */
  onSave = (text: string): string => editor.onSave(text);
  /** Runs while a save is under way, before the text is written. */
  whileSaving: () => void = () => undefined;
  /** The file that a save writes. */
  write: (text: string) => Promise<void> = async () => undefined;

  constructor(uri: vscode.Uri, text: string, languageId = 'plaintext') {
    this.uri = uri;
    this.languageId = languageId;
    this.eol = text.includes('\r\n') ? EndOfLine.CRLF : EndOfLine.LF;
    this.#lines = linesIn(text);
    editor.documents.push(this);
    events.documentOpened.fire(this);
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  get isUntitled(): boolean {
    return this.uri.scheme === 'untitled';
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  get #lineEnd(): string {
    return this.eol === EndOfLine.CRLF ? '\r\n' : '\n';
  }

  get #text(): string {
    return this.#lines.join(this.#lineEnd);
  }

  getText(range?: vscode.Range): string {
    if (range === undefined) return this.#text;
    return this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  lineAt(place: number | vscode.Position): vscode.TextLine {
    const lineNumber = typeof place === 'number' ? place : this.validatePosition(place).line;
    const text = this.#lines[lineNumber];
    if (text === undefined) throw new Error('Illegal value for `line`');
    const [indent] = /^\s*/.exec(text) ?? [''];
    const end = new Position(lineNumber, text.length);
    const isLast = lineNumber === this.lineCount - 1;
    return {
      lineNumber,
      text,
      range: new Range(new Position(lineNumber, 0), end),
      rangeIncludingLineBreak: new Range(new Position(lineNumber, 0), isLast ? end : new Position(lineNumber + 1, 0)),
      firstNonWhitespaceCharacterIndex: indent.length,
      isEmptyOrWhitespace: indent.length === text.length,
    };
  }

  offsetAt(place: vscode.Position): number {
    const { line, character } = this.validatePosition(place);
    return this.#lines.slice(0, line).reduce((sum, each) => sum + each.length + this.#lineEnd.length, character);
  }

  /** An offset between the two characters of a line end is the end of its line. */
  positionAt(offset: number): Position {
    let left = Math.max(0, offset);
    for (const [line, text] of this.#lines.entries()) {
      if (left < text.length + this.#lineEnd.length) return new Position(line, Math.min(left, text.length));
      left -= text.length + this.#lineEnd.length;
    }
    return this.#end;
  }

  get #end(): Position {
    return new Position(this.#lines.length - 1, this.#lines.at(-1)?.length ?? 0);
  }

  validatePosition({ line, character }: vscode.Position): Position {
    if (line < 0) return new Position(0, 0);
    const text = this.#lines[line];
    return text === undefined ? this.#end : new Position(line, Math.min(Math.max(0, character), text.length));
  }

  validateRange({ start, end }: vscode.Range): Range {
    return new Range(this.validatePosition(start), this.validatePosition(end));
  }

  getWordRangeAtPosition(): never {
    throw new Error('The fake editor knows no words');
  }

  /** Makes changes at once; each range is of the text before all of them. The document is not called dirty yet. */
  change(changes: readonly TextChange[], reason?: vscode.TextDocumentChangeReason): void {
    const contentChanges = changes
      .map(({ range, text }) => {
        const rangeOffset = this.offsetAt(range.start);
        return { range, text, rangeOffset, rangeLength: this.offsetAt(range.end) - rangeOffset };
      })
      .toSorted((one, other) => other.rangeOffset - one.rangeOffset);
    let whole = this.#text;
    for (const { rangeOffset, rangeLength, text } of contentChanges) {
      whole = whole.slice(0, rangeOffset) + text + whole.slice(rangeOffset + rangeLength);
    }
    this.#lines = linesIn(whole);
    this.version += 1;
    events.documentChanged.fire({ document: this, contentChanges, reason });
  }

  edit(range: vscode.Range, text: string, reason?: vscode.TextDocumentChangeReason): void {
    this.change([{ range, text }], reason);
  }

  /** Types text as the user, so that the cursor moves. */
  type(line: number, character: number, text: string): void {
    this.edit(new Range(line, character, line, character), text);
    this.markDirty();
    this.moveCursor(TextEditorSelectionChangeKind.Keyboard);
  }

  /** @param kind undefined for a cursor that moves along with an edit */
  moveCursor(kind: vscode.TextEditorSelectionChangeKind | undefined): void {
    const textEditor = partOf<vscode.TextEditor>({ document: this });
    events.selectionChanged.fire({ textEditor, selections: [], kind });
  }

  /** Replaces the text, which becomes unsaved. */
  replaceAll(text: string): void {
    this.load(text);
    this.markDirty();
  }

  /** Replaces the text, like an editor that read the file again. */
  load(text: string): void {
    this.edit(new Range(new Position(0, 0), this.#end), text);
  }

  /** Becomes unsaved, and fires the separate event that the editor has for this. */
  markDirty(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    events.documentChanged.fire({ document: this, contentChanges: [], reason: undefined });
  }

  async save(): Promise<boolean> {
    this.saves += 1;
    await Promise.resolve();
    const formatted = this.onSave(this.getText());
    if (formatted !== this.getText()) this.load(formatted);
    this.whileSaving();
    await this.write(this.getText());
    this.isDirty = false;
    events.documentChanged.fire({ document: this, contentChanges: [], reason: undefined });
    events.documentSaved.fire(this);
    return true;
  }

  close(): void {
    this.isClosed = true;
    editor.documents = editor.documents.filter((each) => each !== this);
    events.documentClosed.fire(this);
  }
}

/** Returns a document of a real file, which a save writes. */
export function documentOf(path: string, text: string): FakeDocument {
  const document = new FakeDocument(Uri.file(path), text);
  document.write = async (saved) => writeFileSync(path, saved);
  return document;
}

/** Opens a file of the real disk in a tab. */
export function openFile(path: string): FakeDocument {
  const document = documentOf(path, readFileSync(path, 'utf8'));
  openTab(new TabInputText(document.uri));
  return document;
}

type Provider = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile' | 'onDidChangeFile'>;

/** Opens a file of a provider. A byte-order mark is no part of its text, and is written again. It is read again when the provider says that it changed and nothing is unsaved. */
export async function openFrom(provider: Provider, uri: vscode.Uri): Promise<FakeDocument & { isReadonly(): boolean }> {
  let mark = '';
  const read = async (): Promise<string> => {
    const text = Buffer.from(await provider.readFile(uri)).toString();
    mark = text.startsWith('\u{FEFF}') ? '\u{FEFF}' : '';
    return text.slice(mark.length);
  };
  let stat = await provider.stat(uri);
  const document = new FakeDocument(uri, await read());
  document.write = async (text) => {
    const now = await provider.stat(uri);
    if (now.permissions !== undefined) throw new Error('read-only');
    if (now.mtime > stat.mtime && now.size !== stat.size) throw new Error('The file is newer');
    await provider.writeFile(uri, Buffer.from(mark + text), { create: false, overwrite: true });
    stat = await provider.stat(uri);
  };
  provider.onDidChangeFile(async ([change]) => {
    if (change?.uri.toString() !== uri.toString() || document.isDirty || document.isClosed) return;
    const now = await provider.stat(uri);
    if (document.isDirty) return;
    if (now.mtime !== stat.mtime || now.size !== stat.size) document.load(await read());
    stat = now;
  });
  return Object.assign(document, { isReadonly: () => stat.permissions !== undefined });
}

/** Closes a document that a language service had opened for a moment. */
export function letGo(document: FakeDocument): void {
  closeTabs(allTabs().filter(({ input }) => input instanceof TabInputText && input.uri === document.uri));
  document.close();
}

/** Returns the open document of a URI. */
export const documentAt = (uri: vscode.Uri): FakeDocument | undefined =>
  editor.documents.find((each) => !each.isClosed && each.uri.toString() === uri.toString());
