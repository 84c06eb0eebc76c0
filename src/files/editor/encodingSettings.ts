import { basename, extname } from 'node:path';
import * as vscode from 'vscode';

/** The settings by which the editor chooses the encoding of a file. */
export interface EncodingSettings {
  /** `files.encoding` of the folder: an encoding id of the editor. A language may have another one, which only the editor knows. */
  readonly encoding: string;
}

/** Cached settings by folder and file extension. Reading a setting costs about as much as reading a file. */
const known = new Map<string, EncodingSettings>();
let isWatched = false;

/** Caches the settings until the returned disposable ends, and drops the cache whenever a setting may have changed. */
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

/** Returns the encoding settings for a file, which may depend on its folder and language. */
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
  // The user may have written a value of any type.
  return { encoding: typeof encoding === 'string' ? encoding : 'utf8' };
}
