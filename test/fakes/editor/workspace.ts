import { mkdtempSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as vscode from 'vscode';
import { documentAt, FakeDocument } from './documents.ts';
import { editor, events } from './editor.ts';
import { decode, encode } from './encodings.ts';
import { ConfigurationTarget, FileType } from './enums.ts';
import { CancellationTokenSource, Disposable, EventEmitter } from './events.ts';
import { RelativePattern, Uri } from './places.ts';
import { FileSystemError } from './values.ts';
import { applyEdit } from './workspaceEdit.ts';

/** The settings below a name; settings of the workspace win over those of the user. */
function getConfiguration(section = ''): vscode.WorkspaceConfiguration {
  const nameOf = (name: string): string => (section === '' ? name : `${section}.${name}`);
  const valueOf = (name: string): unknown =>
    editor.workspaceSettings.get(nameOf(name)) ?? editor.settings.get(nameOf(name));
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as the API has it
  function get<T>(name: string): T | undefined;
  function get<T>(name: string, fallback: T): T;
  function get(name: string, fallback?: unknown): unknown {
    return valueOf(name) === undefined ? fallback : valueOf(name);
  }
  function inspect<T>(name: string): { key: string; globalValue?: T; workspaceValue?: T };
  function inspect(name: string): object {
    const key = nameOf(name);
    return { key, globalValue: editor.settings.get(key), workspaceValue: editor.workspaceSettings.get(key) };
  }
  return {
    get,
    inspect,
    has: (name) => valueOf(name) !== undefined,
    async update(name: string, value: unknown, target: unknown): Promise<void> {
      if (target !== ConfigurationTarget.Global) throw new Error('Only settings of the user are written');
      editor.settings.set(nameOf(name), value);
    },
  };
}

/** `workspace.fs` over `editor.files`; files that go to the trash are moved on the real disk. */
const fs = {
  async stat({ path, ...uri }: vscode.Uri) {
    const bytes = editor.files.get(path);
    const isFolder = [...editor.files.keys()].some((each) => each.startsWith(`${path}/`));
    if (bytes === undefined && !isFolder) throw FileSystemError.FileNotFound(Uri.from({ ...uri, path }));
    const type = bytes === undefined ? FileType.Directory : FileType.File;
    return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
  },
  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = editor.files.get(uri.path);
    if (bytes === undefined) throw FileSystemError.FileNotFound(uri);
    return bytes;
  },
  async writeFile({ path }: vscode.Uri, bytes: Uint8Array): Promise<void> {
    editor.files.set(path, bytes);
  },
  async delete({ fsPath }: vscode.Uri): Promise<void> {
    editor.beforeDelete();
    if (editor.trash === undefined) throw new Error('Unable to delete: the provider does not support it.');
    renameSync(fsPath, join(mkdtempSync(join(editor.trash, 'deleted-')), basename(fsPath)));
  },
} satisfies Partial<vscode.FileSystem>;

/** Returns the document of a URI: the open one, or a new one with the text of a content provider. */
async function openTextDocument(uri?: object | string): Promise<FakeDocument> {
  if (!Uri.isUri(uri)) throw new TypeError('The fake editor opens documents by their address only');
  editor.beforeOpen();
  const open = documentAt(uri);
  if (open !== undefined) return open;
  const { token } = new CancellationTokenSource();
  const text = await editor.contentProviders.get(uri.scheme)?.provideTextDocumentContent(uri, token);
  if (typeof text !== 'string') throw new Error(`cannot open ${uri.toString()}`);
  return new FakeDocument(uri, text);
}

function createFileSystemWatcher(pattern: vscode.GlobPattern): vscode.FileSystemWatcher {
  if (!(pattern instanceof RelativePattern)) throw new TypeError('The fake editor watches below a folder only');
  const [changed, created, deleted] = [
    new EventEmitter<vscode.Uri>(),
    new EventEmitter<vscode.Uri>(),
    new EventEmitter<vscode.Uri>(),
  ];
  const watcher = { pattern, changed, created, deleted };
  editor.watchers.push(watcher);
  return {
    ignoreChangeEvents: false,
    ignoreCreateEvents: false,
    ignoreDeleteEvents: false,
    onDidChange: changed.event,
    onDidCreate: created.event,
    onDidDelete: deleted.event,
    dispose: () => (editor.watchers = editor.watchers.filter((each) => each !== watcher)),
  };
}

export const workspace = {
  get isTrusted() {
    return editor.isTrusted;
  },
  get workspaceFolders() {
    return editor.folders.length === 0 ? undefined : editor.folders;
  },
  get textDocuments() {
    return editor.documents;
  },
  get notebookDocuments() {
    return editor.notebooks;
  },
  onDidOpenTextDocument: events.documentOpened.event,
  onDidCloseTextDocument: events.documentClosed.event,
  onDidChangeTextDocument: events.documentChanged.event,
  onDidSaveTextDocument: events.documentSaved.event,
  onDidRenameFiles: events.filesRenamed.event,
  onDidChangeConfiguration: events.settingsChanged.event,
  getConfiguration,
  fs,
  applyEdit,
  openTextDocument,
  createFileSystemWatcher,
  /** Returns the path below its folder without the name of the folder, as VS Code does for a single folder. */
  asRelativePath(place: string | vscode.Uri): string {
    const path = typeof place === 'string' ? place : place.fsPath;
    const folder = editor.folders.find(({ uri }) => path.startsWith(`${uri.fsPath}/`));
    return folder === undefined ? path : path.slice(folder.uri.fsPath.length + 1);
  },
  decode,
  encode,
  registerFileSystemProvider: () => new Disposable(() => undefined),
  registerTextDocumentContentProvider(scheme: string, provider: vscode.TextDocumentContentProvider): Disposable {
    editor.contentProviders.set(scheme, provider);
    return new Disposable(() => editor.contentProviders.delete(scheme));
  },
} satisfies Faked<typeof vscode.workspace>;

/** A part of a namespace of the API, in which `fs` is a part of its own. */
type Faked<T extends { fs: object }> = Partial<Omit<T, 'fs'>> & { readonly fs: Partial<T['fs']> };
