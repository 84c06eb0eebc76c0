import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import type { Place, TextRange } from '#base/language.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';

/** What names a part of a file: every language service has its own favourite of the two. */
export type FoundLocation = vscode.Location | vscode.LocationLink;

type Address = Pick<vscode.Uri, 'scheme' | 'fsPath' | 'path'>;
type Range = Pick<vscode.Range, 'start' | 'end'>;

/** Places in path and line order, each once. Of a link it is the name of what it leads to. */
export function placesOfLocations(
  found: readonly FoundLocation[],
  folders: readonly WorkspaceFolder[],
): readonly Place[] {
  const placeIn = placeConverter(folders);
  const places = new Map<string, Place>();
  for (const location of found) {
    const place =
      'targetUri' in location
        ? placeIn(location.targetUri, location.targetSelectionRange ?? location.targetRange)
        : placeIn(location.uri, location.range);
    const key = [place.outside === true ? place.path : place.fsPath, place.firstLine, place.firstColumn].join('\n');
    if (!places.has(key)) places.set(key, place);
  }
  return [...places.values()].toSorted(
    (one, other) =>
      (one.path === other.path ? 0 : one.path < other.path ? -1 : 1) ||
      one.firstLine - other.firstLine ||
      one.firstColumn - other.firstColumn,
  );
}

/** Names places of one answer; of each file it asks the disk once. */
export function placeConverter(folders: readonly WorkspaceFolder[]): (uri: Address, range: Range) => Place {
  const files = new Map<string, ReturnType<typeof foundFile>>();
  return (uri, range) => {
    const key = `${uri.scheme}:${uri.fsPath}`;
    const file = files.has(key) ? files.get(key) : foundFile(uri, folders);
    files.set(key, file);
    const at = textRange(range);
    return file === undefined ? { outside: true, path: outsideLabel(uri), ...at } : { ...file, ...at };
  };
}

/** 1-based, as models count. */
export function textRange({ start, end }: Range): TextRange {
  return {
    firstLine: start.line + 1,
    firstColumn: start.character + 1,
    lastLine: end.line + 1,
    lastColumn: end.character + 1,
  };
}

/** Enough to know a file by, and never where it lies on this machine. */
function outsideLabel({ scheme, fsPath, path }: Address): string {
  const parts = (scheme === 'file' ? fsPath : path).split(/[\\/]/).filter((part) => part !== '');
  const installed = parts.lastIndexOf('node_modules');
  if (installed >= 0) return parts.slice(installed).join('/');
  const home = homedir()
    .split(/[\\/]/)
    .filter((part) => part !== '');
  const isAtHome = scheme === 'file' && home.every((part, at) => parts[at] === part);
  const told = isAtHome ? parts.slice(home.length) : parts.slice(1);
  return (told.length === 0 ? parts : told).slice(-3).join('/');
}
