import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Disposable, EventEmitter } from './vscode.ts';

/** The part of the editor that changes files, over the real disk; for `vi.mock('vscode')`, with everything of `vscode.ts`. */
export * from './vscode.ts';

const file = (fsPath: string) => ({ scheme: 'file', fsPath, path: fsPath, toString: () => `file://${fsPath}` });
type FileUri = ReturnType<typeof file>;
export const Uri = { file };

export class Position {
  readonly offset: number;

  constructor(offset: number) {
    this.offset = offset;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

export class FakeDocument {
  readonly uri: FileUri;
  readonly encoding = 'utf8';
  text: string;
  isDirty = false;
  isClosed = false;

  constructor(uri: FileUri, text: string) {
    this.uri = uri;
    this.text = text;
  }

  getText(): string {
    return this.text;
  }

  positionAt(offset: number): Position {
    return new Position(offset);
  }

  /** As when the user types. */
  type(text: string): void {
    this.text = text;
    this.isDirty = true;
    events.changed.fire({ document: this });
  }

  /** The cursor moves: by the keyboard, or along with an edit that nobody typed. */
  moveCursor(byHuman: boolean): void {
    events.selected.fire({ textEditor: { document: this }, kind: byHuman ? 1 : undefined });
  }

  async save(): Promise<boolean> {
    this.text = editor.onSave(this.text);
    writeFileSync(this.uri.fsPath, this.text);
    this.isDirty = false;
    events.saved.fire(this);
    return true;
  }
}

type Part =
  | { readonly uri: FileUri; readonly range: Range; readonly text: string }
  | { readonly from: FileUri; readonly to: FileUri };

export class WorkspaceEdit {
  readonly parts: Part[] = [];

  replace(uri: FileUri, range: Range, text: string): void {
    this.parts.push({ uri, range, text });
  }

  renameFile(from: FileUri, to: FileUri): void {
    this.parts.push({ from, to });
  }
}

class TabInput {
  readonly uri: FileUri;

  constructor(uri: FileUri) {
    this.uri = uri;
  }
}
export class TabInputText extends TabInput {}
export class TabInputCustom extends TabInput {}
export class TabInputNotebook extends TabInput {}

export interface FakeTab {
  readonly input: TabInput;
  readonly isDirty: boolean;
}

/** What a test sees and decides of the editor. */
export const editor = {
  documents: [] as FakeDocument[],
  tabs: [] as FakeTab[],
  /** Where the trash is; without one the editor refuses, as servers do. */
  trash: undefined as string | undefined,
  onSave: (text: string): string => text,
  /** Runs before the editor does what it was asked, and may have it refuse by returning false. */
  beforeEdit: (_edit: WorkspaceEdit): boolean => true,
  beforeDelete: (): void => undefined,

  reset(): void {
    editor.documents = [];
    editor.tabs = [];
    editor.trash = undefined;
    editor.onSave = (text) => text;
    editor.beforeEdit = () => true;
    editor.beforeDelete = () => undefined;
  },

  open(path: string): FakeDocument {
    const document = new FakeDocument(file(path), readFileSync(path, 'utf8'));
    editor.documents.push(document);
    editor.tabs.push({ input: new TabInputText(document.uri), isDirty: false });
    events.opened.fire(document);
    return document;
  },
};

/** What a language service had open for a moment is let go of. */
export function letGo(document: FakeDocument): void {
  editor.documents = editor.documents.filter((each) => each !== document);
  editor.tabs = editor.tabs.filter(({ input }) => input.uri !== document.uri);
  document.isClosed = true;
  events.closed.fire(document);
}

const events = {
  changed: new EventEmitter<{ document: FakeDocument }>(),
  opened: new EventEmitter<FakeDocument>(),
  closed: new EventEmitter<FakeDocument>(),
  saved: new EventEmitter<FakeDocument>(),
  selected: new EventEmitter<{ textEditor: { document: FakeDocument }; kind: number | undefined }>(),
};

export const workspace = {
  get textDocuments() {
    return editor.documents;
  },
  notebookDocuments: [],
  onDidChangeTextDocument: events.changed.event,
  onDidOpenTextDocument: events.opened.event,
  onDidCloseTextDocument: events.closed.event,
  onDidSaveTextDocument: events.saved.event,
  onDidChangeConfiguration: () => new Disposable(() => undefined),
  getConfiguration: () => ({ get: (name: string): unknown => (name === 'encoding' ? 'utf8' : undefined) }),
  // latin1 stands for every 8-bit encoding of the editor.
  decode: async (bytes: Uint8Array): Promise<string> => Buffer.from(bytes).toString('latin1'),
  encode: async (text: string): Promise<Uint8Array> => Buffer.from(text, 'latin1'),

  async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    // Whatever is to happen meanwhile happens after the turn in which the edit was made.
    await Promise.resolve();
    if (!editor.beforeEdit(edit)) return false;
    applyTexts(edit.parts.filter((part) => 'range' in part));
    return edit.parts.every((part) => 'range' in part || rename(part.from.fsPath, part.to.fsPath));
  },

  fs: {
    async delete({ fsPath }: FileUri): Promise<void> {
      editor.beforeDelete();
      if (editor.trash === undefined) throw new Error('Unable to delete: the provider does not support it.');
      renameSync(fsPath, join(mkdtempSync(join(editor.trash, 'deleted-')), basename(fsPath)));
    },
  },
};

export const window = {
  onDidChangeTextEditorSelection: events.selected.event,
  tabGroups: {
    get all() {
      return [{ tabs: editor.tabs }];
    },
    async close(tabs: readonly FakeTab[]): Promise<boolean> {
      editor.tabs = editor.tabs.filter((tab) => !tabs.includes(tab));
      return true;
    },
  },
};

/** All ranges are of the text before the edit. */
function applyTexts(parts: readonly Extract<Part, { range: Range }>[]): void {
  for (const { uri, range, text } of parts.toSorted((a, b) => b.range.start.offset - a.range.start.offset)) {
    const open = editor.documents.find((each) => !each.isClosed && each.uri.fsPath === uri.fsPath);
    const document = open ?? editor.open(uri.fsPath);
    document.type(document.text.slice(0, range.start.offset) + text + document.text.slice(range.end.offset));
  }
}

/** Documents come along, as new ones that keep their text. */
function rename(from: string, to: string): boolean {
  if (!existsSync(from) || existsSync(to)) return false;
  renameSync(from, to);
  editor.documents = editor.documents.map((document) => {
    const { fsPath } = document.uri;
    if (fsPath !== from && !fsPath.startsWith(`${from}/`)) return document;
    const moved = new FakeDocument(file(to + fsPath.slice(from.length)), document.text);
    moved.isDirty = document.isDirty;
    document.isClosed = true;
    events.closed.fire(document);
    return moved;
  });
  return true;
}

/** None is installed. */
export const extensions = { getExtension: () => undefined };
