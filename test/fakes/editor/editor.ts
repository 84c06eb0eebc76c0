import type * as vscode from 'vscode';
import type { FakeDocument } from './documents.ts';
import { UIKind, ViewColumn } from './enums.ts';
import { Disposable, EventEmitter } from './events.ts';
import { TabGroup } from './tabGroup.ts';
import type { FakeTextEditor } from './textEditors.ts';
import type { RelativePattern } from './places.ts';
import type { WorkspaceEdit } from './workspaceEdit.ts';

/** Returns an object of the API of which only this part is used. */
export function partOf<T extends object>(part: Partial<T>): T;
export function partOf(part: object): object {
  return part;
}

/** A message, pick, input or progress that the user was shown. */
export interface Shown {
  readonly kind: 'information' | 'warning' | 'error' | 'pick' | 'input' | 'progress';
  /** The text of a message, or the title of anything else. */
  readonly message: string;
  /** The buttons of a message, the labels and descriptions of a quick pick, or the reports of a progress. */
  readonly choices: readonly string[];
  readonly detail?: string;
  readonly modal?: boolean;
  /** The items of a quick pick. */
  readonly items?: readonly vscode.QuickPickItem[];
}

/**
 * What the user answers: the first choice that contains the text, all that contain one of the texts, or what an input box or a
 * file dialog returns. Undefined dismisses.
 */
export type Answer = string | readonly string[] | undefined;

export interface FakeExtension {
  readonly isActive: boolean;
  readonly exports?: unknown;
  readonly packageJSON?: unknown;
  activate?(): Promise<unknown>;
}

export interface FakeWatcher {
  readonly pattern: RelativePattern;
  readonly changed: EventEmitter<vscode.Uri>;
  readonly created: EventEmitter<vscode.Uri>;
  readonly deleted: EventEmitter<vscode.Uri>;
}

interface EditorState {
  /** Everything that the user was shown, in order. */
  shown: Shown[];
  /** The next answers; one is taken by each pick, input, file dialog, and message with buttons. */
  answers: Answer[];
  /** Whether the user cancels every progress at once. */
  cancelsProgress: boolean;
  /** Texts of the status bar that disappear after a time. */
  statusMessages: string[];
  statusBarItems: vscode.StatusBarItem[];
  clipboard: string;

  /** Commands that were run, with their arguments. */
  executed: [command: string, ...values: unknown[]][];
  /** Commands of extensions, and language services that are called by a command. */
  commands: Map<string, (...values: never[]) => unknown>;
  extensions: Map<string, FakeExtension>;
  languageModelTools: vscode.LanguageModelToolInformation[];
  invokeTool(name: string, options: object, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult>;
  /** Ids of the MCP providers that are registered. */
  mcpProviders: string[];
  debugSession: vscode.DebugSession | undefined;
  breakpoints: vscode.Breakpoint[];

  isTrusted: boolean;
  folders: vscode.WorkspaceFolder[];
  /** Settings of the user, by their full name. */
  settings: Map<string, unknown>;
  /** The encoding that the editor guesses with `files.autoGuessEncoding`. */
  guessedEncoding: string;
  /** Encodings that settings give to a language, by the end of the names of its files. */
  languageEncodings: (readonly [ending: string, encoding: string])[];
  /** Settings of the workspace, by their full name. */
  workspaceSettings: Map<string, unknown>;
  /** Files by path, for `workspace.fs`; moves and deletes are done on the real disk. */
  files: Map<string, Uint8Array>;
  watchers: FakeWatcher[];
  contentProviders: Map<string, vscode.TextDocumentContentProvider>;
  diagnostics: Map<string, readonly vscode.Diagnostic[]>;
  remoteName: string | undefined;
  uiKind: vscode.UIKind;

  /** The open documents. */
  documents: FakeDocument[];
  notebooks: vscode.NotebookDocument[];
  groups: TabGroup[];
  visibleEditors: FakeTextEditor[];
  activeEditor: FakeTextEditor | undefined;
  isFocused: boolean;
  terminals: vscode.Terminal[];
  activeTerminal: vscode.Terminal | undefined;
  /** Documents that were asked to be shown, with the options, and the editors that show them. */
  shownDocuments: { path: string; options: vscode.TextDocumentShowOptions | undefined; editor?: FakeTextEditor }[];
  /** Registered providers of CodeLenses and file decorations, each once for every registration. */
  providers: readonly object[];
  /** Runs before an extension is given a document that it opens. */
  beforeOpen(): void;
  /** Runs before a document is shown. */
  beforeShow(): Promise<void>;

  /** The folder of the trash; without it the editor refuses to use the trash, like a server. */
  trash: string | undefined;
  /** Runs before a file is moved to the trash. */
  beforeDelete(): void;
  /** Runs before an edit is applied; the editor refuses it when this returns false. */
  beforeEdit(edit: WorkspaceEdit): boolean;
  /** Returns the text that a save writes for the text of a document, like a formatter. */
  onSave(text: string): string;
}

const newState = (): EditorState => ({
  shown: [],
  answers: [],
  cancelsProgress: false,
  statusMessages: [],
  statusBarItems: [],
  clipboard: '',
  executed: [],
  commands: new Map(),
  extensions: new Map(),
  languageModelTools: [],
  invokeTool: async () => ({ content: [] }),
  mcpProviders: [],
  debugSession: undefined,
  breakpoints: [],
  isTrusted: true,
  folders: [],
  settings: new Map(),
  guessedEncoding: 'windows1252',
  languageEncodings: [],
  workspaceSettings: new Map(),
  files: new Map(),
  watchers: [],
  contentProviders: new Map(),
  diagnostics: new Map(),
  remoteName: undefined,
  uiKind: UIKind.Desktop,
  documents: [],
  notebooks: [],
  groups: [new TabGroup(ViewColumn.One)],
  visibleEditors: [],
  activeEditor: undefined,
  isFocused: true,
  terminals: [],
  activeTerminal: undefined,
  shownDocuments: [],
  providers: [],
  beforeOpen: () => undefined,
  beforeShow: async () => undefined,
  trash: undefined,
  beforeDelete: () => undefined,
  beforeEdit: () => true,
  onSave: (text) => text,
});

/** The state of the fake editor, which unit tests set and read. */
export const editor: EditorState = newState();

/** Resets everything except for the listeners of events; for `beforeEach`. */
export function resetEditor(): void {
  Object.assign(editor, newState());
}

/** Registers a provider until it is disposed. */
export function register(provider: object): Disposable {
  editor.providers = [...editor.providers, provider];
  return new Disposable(() => {
    const at = editor.providers.indexOf(provider);
    editor.providers = editor.providers.filter((_, index) => index !== at);
  });
}

/** Sets the answers of the user from now on. Returns the list of what the user is shown from now on. */
export function userAnswers(...answers: Answer[]): { readonly shown: readonly Shown[] } {
  editor.answers = answers;
  editor.shown = [];
  return { shown: editor.shown };
}

/** The events of the editor; `editor` and the functions of this folder fire most of them. */
export const events = {
  documentOpened: new EventEmitter<vscode.TextDocument>(),
  documentClosed: new EventEmitter<vscode.TextDocument>(),
  documentChanged: new EventEmitter<vscode.TextDocumentChangeEvent>(),
  documentSaved: new EventEmitter<vscode.TextDocument>(),
  filesRenamed: new EventEmitter<vscode.FileRenameEvent>(),
  settingsChanged: new EventEmitter<vscode.ConfigurationChangeEvent>(),
  diagnosticsChanged: new EventEmitter<vscode.DiagnosticChangeEvent>(),
  extensionsChanged: new EventEmitter<void>(),
  tabsChanged: new EventEmitter<vscode.TabChangeEvent>(),
  tabGroupsChanged: new EventEmitter<vscode.TabGroupChangeEvent>(),
  activeEditorChanged: new EventEmitter<vscode.TextEditor | undefined>(),
  visibleEditorsChanged: new EventEmitter<readonly vscode.TextEditor[]>(),
  visibleRangesChanged: new EventEmitter<vscode.TextEditorVisibleRangesChangeEvent>(),
  selectionChanged: new EventEmitter<vscode.TextEditorSelectionChangeEvent>(),
  focusChanged: new EventEmitter<vscode.WindowState>(),
  debugStarted: new EventEmitter<vscode.DebugSession>(),
  debugEnded: new EventEmitter<vscode.DebugSession>(),
};
