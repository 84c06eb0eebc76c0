import { pathToFileURL } from 'node:url';
import { Position } from './documents.ts';
import { EventEmitter } from './vscode.ts';

/** The part of the editor that knows tabs, selections and changes on disk; for `vi.mock('vscode')`. */
export { Position };

export class Uri {
  readonly scheme: string;
  readonly fsPath: string;

  constructor(scheme: string, fsPath: string) {
    this.scheme = scheme;
    this.fsPath = fsPath;
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  toString(): string {
    return pathToFileURL(this.fsPath).href.replace('file', this.scheme);
  }
}

class TabInput {
  readonly uri: Uri;

  constructor(uri: Uri) {
    this.uri = uri;
  }
}
export class TabInputText extends TabInput {}
export class TabInputNotebook extends TabInput {}
export class TabInputCustom extends TabInput {}
export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;

  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}
export class TabInputNotebookDiff extends TabInputTextDiff {}

export interface FakeTab {
  readonly input: unknown;
  isDirty: boolean;
}

export interface FakeDocument {
  readonly uri: Uri;
  readonly languageId: string;
  isClosed: boolean;
  text: string;
  getText(): string;
}

export interface FakeTextEditor {
  readonly document: FakeDocument;
  selection: { readonly start: Position; readonly end: Position };
}

interface FakeWatcher {
  readonly base: string;
  readonly pattern: string;
  readonly events: readonly [EventEmitter<Uri>, EventEmitter<Uri>, EventEmitter<Uri>];
}

/** What a test sets, and the events of the editor. */
export const host = {
  groups: [] as FakeTab[][],
  activeTab: undefined as FakeTab | undefined,
  activeTextEditor: undefined as FakeTextEditor | undefined,
  documents: [] as FakeDocument[],
  watchers: new Set<FakeWatcher>(),
  tabs: new EventEmitter<{ closed: readonly FakeTab[] }>(),
  tabGroups: new EventEmitter<void>(),
  activeEditor: new EventEmitter<FakeTextEditor | undefined>(),
  selection: new EventEmitter<{ textEditor: FakeTextEditor }>(),
  text: new EventEmitter<{ document: FakeDocument; contentChanges: readonly unknown[] }>(),

  /** A new tab of the first group, active unless said otherwise. */
  open(input: unknown, { isDirty = false, isActive = true } = {}): FakeTab {
    const tab = { input, isDirty };
    host.groups[0] = [...(host.groups[0] ?? []), tab];
    if (isActive) host.activeTab = tab;
    host.tabs.fire({ closed: [] });
    return tab;
  },
  close(tab: FakeTab): void {
    host.groups = host.groups.map((group) => group.filter((each) => each !== tab));
    host.tabs.fire({ closed: [tab] });
  },
  activate(editor: FakeTextEditor | undefined): void {
    host.activeTextEditor = editor;
    host.activeEditor.fire(editor);
  },
  /** The cursor, or a selection within one line. */
  select(editor: FakeTextEditor, line: number, from: number, to: number): void {
    editor.selection = { start: new Position(line, from), end: new Position(line, to) };
    host.selection.fire({ textEditor: editor });
  },
  type(document: FakeDocument, text: string): void {
    document.text = text;
    host.text.fire({ document, contentChanges: [{}] });
  },
  /** Something happened to a file on disk, and every watcher that wants to know is told. */
  changeOnDisk(fsPath: string, what: 0 | 1 | 2 = 0): void {
    for (const { events } of host.watchers) events[what].fire(Uri.file(fsPath));
  },
  reset(): void {
    host.groups = [];
    host.activeTab = undefined;
    host.activeTextEditor = undefined;
    host.documents = [];
    host.watchers.clear();
  },
};

/** An editor of a document with the cursor at its beginning; whatever is selected, its text is the whole. */
export function textEditorOf(uri: Uri, text = ''): FakeTextEditor {
  const document = { uri, languageId: 'typescript', isClosed: false, text, getText: () => document.text };
  host.documents.push(document);
  return { document, selection: { start: new Position(0, 0), end: new Position(0, 0) } };
}

export class RelativePattern {
  readonly base: string;
  readonly pattern: string;

  constructor(base: Uri, pattern: string) {
    this.base = base.fsPath;
    this.pattern = pattern;
  }
}

export const window = {
  get activeTextEditor() {
    return host.activeTextEditor;
  },
  onDidChangeActiveTextEditor: host.activeEditor.event,
  onDidChangeTextEditorSelection: host.selection.event,
  tabGroups: {
    get all() {
      return host.groups.map((tabs) => ({ tabs }));
    },
    get activeTabGroup() {
      return { activeTab: host.activeTab };
    },
    onDidChangeTabs: host.tabs.event,
    onDidChangeTabGroups: host.tabGroups.event,
  },
};

export const workspace = {
  get textDocuments() {
    return host.documents;
  },
  onDidChangeTextDocument: host.text.event,
  createFileSystemWatcher({ base, pattern }: RelativePattern) {
    const events = [new EventEmitter<Uri>(), new EventEmitter<Uri>(), new EventEmitter<Uri>()] as const;
    const watcher = { base, pattern, events };
    host.watchers.add(watcher);
    const [changed, created, deleted] = events;
    return {
      onDidChange: changed.event,
      onDidCreate: created.event,
      onDidDelete: deleted.event,
      dispose: () => void host.watchers.delete(watcher),
    };
  },
};
