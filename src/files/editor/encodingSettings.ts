import { basename, extname } from 'node:path';
import * as vscode from 'vscode';

export interface EncodingSettings {
  /** `files.encoding`: an encoding id of the editor's. */
  readonly encoding: string;
  /** `files.autoGuessEncoding` */
  readonly guesses: boolean;
}

/** Asking the editor for a setting costs about as much as reading a file; answers are kept while somebody watches for changes. */
const known = new Map<string, EncodingSettings>();
let isWatched = false;

/** Keeps answers until they may have changed. */
export function watchEncodingSettings(): vscode.Disposable {
  isWatched = true;
  const forget = (): void => known.clear();
  const subscriptions = [
    vscode.workspace.onDidChangeConfiguration(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  ];
  return {
    dispose() {
      isWatched = false;
      forget();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** The encoding in which the editor would open a file; it may depend on the file's folder and language. */
export function encodingSettings(uri: vscode.Uri): EncodingSettings {
  if (!isWatched) return readSettings(uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.index;
  const key = `${folder ?? ''} ${extname(uri.path) || basename(uri.path)}`;
  const settings = known.get(key) ?? readSettings(uri);
  known.set(key, settings);
  return settings;
}

function readSettings(uri: vscode.Uri): EncodingSettings {
  const configuration = vscode.workspace.getConfiguration('files', uri);
  const encoding = configuration.get<unknown>('encoding');
  // A settings file may hold anything.
  return {
    encoding: typeof encoding === 'string' ? encoding : 'utf8',
    guesses: configuration.get<boolean>('autoGuessEncoding', false),
  };
}
