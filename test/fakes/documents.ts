import type * as vscode from 'vscode';
import { Disposable, EventEmitter, type Uri } from './vscode.ts';

/** What `vi.mock('vscode')` adds to the other fakes, for adapters that follow documents and editors. */

export const EndOfLine = { LF: 1, CRLF: 2 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } as const;
export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 } as const;
export const OverviewRulerLane = { Left: 1, Center: 2, Right: 4, Full: 7 } as const;

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...[first, second, third, fourth]: [Position, Position] | [number, number, number, number]) {
    this.start = typeof first === 'number' ? new Position(first, Number(second)) : first;
    this.end = typeof second === 'number' ? new Position(third ?? 0, fourth ?? 0) : second;
  }
}

export class WorkspaceEdit {
  readonly replaced: { uri: Uri; range: Range; text: string }[] = [];

  replace(uri: Uri, range: Range, text: string): void {
    this.replaced.push({ uri, range, text });
  }
}

export class MarkdownString {
  value = '';

  appendText(text: string): this {
    this.value += text;
    return this;
  }
}

export class FileDecoration {
  propagate = false;
  readonly badge: string;
  readonly tooltip: string;

  constructor(badge: string, tooltip: string) {
    this.badge = badge;
    this.tooltip = tooltip;
  }
}

type Provider = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile' | 'onDidChangeFile'>;

const opened = new EventEmitter<FakeDocument>();
const closed = new EventEmitter<FakeDocument>();
const changed = new EventEmitter<object>();
const selected = new EventEmitter<object>();
const visible = new EventEmitter<void>();
const active = new EventEmitter<void>();
const scrolled = new EventEmitter<void>();
export const focused = new EventEmitter<void>();
export const configured = new EventEmitter<{ affectsConfiguration: () => boolean }>();

const linesIn = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** A document as the editor holds it, with one line end, over a file of its own. */
export class FakeDocument {
  readonly uri: Uri;
  eol: 1 | 2 = EndOfLine.LF;
  isDirty = false;
  isClosed = false;
  #lines: string[];
  /** What saving makes of the text: formatters and the like. */
  onSave: (text: string) => string = (text) => text;
  /** Runs while a save is under way, before the text is written. */
  whileSaving: () => void = () => undefined;
  saves = 0;

  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.eol = text.includes('\r\n') ? EndOfLine.CRLF : EndOfLine.LF;
    this.#lines = linesIn(text);
    workspace.textDocuments.push(this);
    opened.fire(this);
  }

  getText(): string {
    return this.#lines.join(this.eol === EndOfLine.CRLF ? '\r\n' : '\n');
  }

  positionAt(offset: number): Position {
    const before = linesIn(this.getText().slice(0, offset));
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  /** Replaces a part of the text, and tells of it as the editor does: at first not yet that it is unsaved. */
  edit(range: Range, text: string, reason?: 1 | 2): void {
    const { start, end } = range;
    const before = this.#lines.slice(0, start.line + 1);
    before[start.line] = (before[start.line] ?? '').slice(0, start.character);
    const after = this.#lines.slice(end.line);
    after[0] = (after[0] ?? '').slice(end.character);
    this.#lines = linesIn(before.join('\n') + text + after.join('\n'));
    changed.fire({ document: this, contentChanges: [{ range, text }], reason });
  }

  /** What a human does with the keyboard. */
  type(line: number, character: number, text: string): void {
    this.edit(new Range(line, character, line, character), text);
    this.markDirty();
    selected.fire({ textEditor: { document: this }, kind: TextEditorSelectionChangeKind.Keyboard });
  }

  /** What an arrow of the diff editor does. */
  replaceAll(text: string): void {
    this.load(text);
    this.markDirty();
  }

  /** As the editor does after it read the file again. */
  load(text: string): void {
    this.edit(new Range(0, 0, this.#lines.length - 1, this.#lines.at(-1)?.length ?? 0), text);
  }

  markDirty(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    changed.fire({ document: this, contentChanges: [] });
  }

  write: (text: string) => Promise<void> = async () => undefined;

  async save(): Promise<boolean> {
    this.saves += 1;
    await Promise.resolve();
    const formatted = this.onSave(this.getText());
    if (formatted !== this.getText()) this.load(formatted);
    this.whileSaving();
    await this.write(this.getText());
    this.isDirty = false;
    changed.fire({ document: this, contentChanges: [] });
    return true;
  }

  close(): void {
    this.isClosed = true;
    workspace.textDocuments.splice(workspace.textDocuments.indexOf(this), 1);
    closed.fire(this);
  }
}

/** Opens a file of a provider as a document, and keeps it as the editor does: read again when it is told and nothing is unsaved. */
export async function openFrom(provider: Provider, uri: Uri): Promise<FakeDocument & { isReadonly(): boolean }> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fake of the same class
  const address = uri as unknown as vscode.Uri;
  const read = async (): Promise<string> =>
    Buffer.from(await provider.readFile(address))
      .toString()
      .slice(1);
  let stat = await provider.stat(address);
  const document = new FakeDocument(uri, await read());
  document.write = async (text) => {
    const now = await provider.stat(address);
    if (now.permissions !== undefined) throw new Error('read-only');
    if (now.mtime > stat.mtime && now.size !== stat.size) throw new Error('The file is newer');
    await provider.writeFile(address, Buffer.from(`\u{FEFF}${text}`), { create: false, overwrite: true });
    stat = await provider.stat(address);
  };
  provider.onDidChangeFile(async ([change]) => {
    if (change?.uri.toString() !== uri.toString() || document.isDirty || document.isClosed) return;
    const now = await provider.stat(address);
    if (document.isDirty) return;
    if (now.mtime !== stat.mtime || now.size !== stat.size) document.load(await read());
    stat = now;
  });
  return Object.assign(document, { isReadonly: () => stat.permissions !== undefined });
}

export interface FakeEditor {
  document: FakeDocument;
  visibleRanges: Range[];
  decorations: { range: Range; hoverMessage: MarkdownString }[];
  setDecorations(type: object, decorations: { range: Range; hoverMessage: MarkdownString }[]): void;
}

/** Shows a document in an editor, which becomes the active one. */
export function show(document: FakeDocument, firstLine = 0, lastLine = 30): FakeEditor {
  const editor: FakeEditor = {
    document,
    visibleRanges: [new Range(firstLine, 0, lastLine, 0)],
    decorations: [],
    setDecorations: (_type, decorations) => {
      editor.decorations = decorations;
    },
  };
  window.visibleTextEditors.push(editor);
  window.activeTextEditor = editor;
  visible.fire();
  active.fire();
  return editor;
}

/** Scrolls an editor, which may be a step too small to change its lines. */
export function scroll(editor: FakeEditor, firstLine: number, lastLine: number): void {
  editor.visibleRanges = [new Range(firstLine, 0, lastLine, 0)];
  scrolled.fire();
}

export const workspace = {
  textDocuments: [] as FakeDocument[],
  onDidOpenTextDocument: opened.event,
  onDidCloseTextDocument: closed.event,
  onDidChangeTextDocument: changed.event,
  onDidChangeConfiguration: configured.event,
  registerFileSystemProvider: () => new Disposable(() => undefined),
  applyEdit: async ({ replaced }: WorkspaceEdit): Promise<boolean> => {
    for (const { uri, range, text } of replaced.toReversed()) {
      const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
      document?.edit(range, text);
      document?.markDirty();
    }
    return true;
  },
};

export const window = {
  warnings: [] as string[],
  visibleTextEditors: [] as FakeEditor[],
  activeTextEditor: undefined as FakeEditor | undefined,
  state: { focused: true },
  onDidChangeTextEditorSelection: selected.event,
  onDidChangeVisibleTextEditors: visible.event,
  onDidChangeActiveTextEditor: active.event,
  onDidChangeTextEditorVisibleRanges: scrolled.event,
  onDidChangeWindowState: focused.event,
  createTextEditorDecorationType: () => new Disposable(() => undefined),
  registerFileDecorationProvider: () => new Disposable(() => undefined),
  showWarningMessage: async (message: string): Promise<undefined> => {
    window.warnings.push(message);
  },
};

/** Forgets everything between tests. */
export function reset(): void {
  workspace.textDocuments.length = 0;
  window.warnings.length = 0;
  window.visibleTextEditors.length = 0;
  window.activeTextEditor = undefined;
  window.state.focused = true;
}
