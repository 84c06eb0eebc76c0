/** Notifies when the files or documents that a proposal is based on change. */
import { watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { TreeFile, FileAddress } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { isBelow } from '#files/editor/openEditors.ts';

/** The listener is called once for many simultaneous events, for example a checkout. */
const delayMilliseconds = 50;

/** A folder that is watched without its subfolders, for `names` in it or for all. */
interface WatchedFolder {
  readonly path: string;
  readonly names: ReadonlySet<string> | 'all';
}

/** `Edits.watch`, by the editor's events for documents and one plain watcher per folder for files: no recursive one. */
export function watchChanges(changes: readonly FileChange[], listener: () => void): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, delayMilliseconds);
  };
  const places = changes.flatMap((change): FileAddress[] =>
    change.kind === 'move' ? [change.path, change.to] : [change.path],
  );
  const tellOf = ({ uri }: vscode.TextDocument): void => {
    if (places.some((place) => isBelow(uri, place))) tell();
  };
  const watchers = [
    vscode.workspace.onDidChangeTextDocument(({ document }) => tellOf(document)),
    vscode.workspace.onDidOpenTextDocument(tellOf),
    vscode.workspace.onDidCloseTextDocument(tellOf),
    vscode.workspace.onDidSaveTextDocument(tellOf),
    ...foldersOf(changes).map((folder) => watchFolder(folder, tell)),
  ];
  return {
    dispose() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.dispose();
    },
  };
}

/** The folders that hold the files, and every known one of what is deleted or moved as a whole. */
function foldersOf(changes: readonly FileChange[]): readonly WatchedFolder[] {
  const folders = new Map<string, Set<string> | 'all'>();
  const add = (path: string): void => {
    const names = folders.get(dirname(path));
    if (names === undefined) folders.set(dirname(path), new Set([basename(path)]));
    else if (names !== 'all') names.add(basename(path));
  };
  for (const change of changes) {
    add(change.path.realPath);
    if (change.kind === 'move') add(change.to.realPath);
    if ('isFolder' in change && change.isFolder) {
      folders.set(change.path.realPath, 'all');
      for (const relative of foldersAbove(change.files)) folders.set(join(change.path.realPath, relative), 'all');
    }
  }
  return [...folders].map(([path, names]) => ({ path, names }));
}

/** The folders below a deleted or moved one that hold files of it. */
function foldersAbove(files: readonly Pick<TreeFile, 'relative'>[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { relative } of files) {
    for (let folder = dirname(relative); folder !== '.'; folder = dirname(folder)) found.add(folder);
  }
  return found;
}

function watchFolder({ path, names }: WatchedFolder, tell: () => void): { dispose(): void } {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => {
      // The deletion of the folder is reported under its own name.
      if (name === null || names === 'all' || names.has(name) || name === basename(path)) tell();
    });
    watcher.on('error', tell);
    return { dispose: () => watcher.close() };
  } catch {
    // The folder does not exist yet: watches its parent for it.
    return dirname(path) === path
      ? { dispose: () => undefined }
      : watchFolder({ path: dirname(path), names: new Set([basename(path)]) }, tell);
  }
}
