import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import type { CodeLocation, OutsideLocation, TextRange } from '#base/language.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';

/** The two forms in which language services give a part of a file. */
export type FoundLocation = vscode.Location | vscode.LocationLink;

export type Address = Pick<vscode.Uri, 'scheme' | 'fsPath' | 'path'>;
type Range = Pick<vscode.Range, 'start' | 'end'>;

/**
 * Converts VS Code locations to places in path and line order, each once. A link gives the place of its target's name.
 * @param led called with each place outside the workspace and its file
 */
export function placesOfLocations(
  found: readonly FoundLocation[],
  folders: readonly WorkspaceFolder[],
  led?: (place: OutsideLocation, file: Address) => void,
): readonly CodeLocation[] {
  const placeIn = placeConverter(folders);
  const places = new Map<string, CodeLocation>();
  for (const location of found) {
    const place =
      'targetUri' in location
        ? placeIn(location.targetUri, location.targetSelectionRange ?? location.targetRange)
        : placeIn(location.uri, location.range);
    const key = [place.outside === true ? place.path : place.fsPath, place.firstLine, place.firstColumn].join('\n');
    if (!places.has(key)) places.set(key, place);
    if (place.outside === true) led?.(place, 'targetUri' in location ? location.targetUri : location.uri);
  }
  return [...places.values()].toSorted(
    (one, other) =>
      (one.path === other.path ? 0 : one.path < other.path ? -1 : 1) ||
      one.firstLine - other.firstLine ||
      one.firstColumn - other.firstColumn,
  );
}

/** Returns a function that converts the locations of one answer to places and looks up each file once on the disk. */
export function placeConverter(folders: readonly WorkspaceFolder[]): (uri: Address, range: Range) => CodeLocation {
  const files = new Map<string, ReturnType<typeof foundFile>>();
  return (uri, range) => {
    const key = `${uri.scheme}:${uri.fsPath}`;
    const file = files.has(key) ? files.get(key) : foundFile(uri, folders);
    files.set(key, file);
    const at = textRange(range);
    return file === undefined ? { outside: true, path: outsideLabel(uri), ...at } : { ...file, ...at };
  };
}

/** Converts a VS Code range, which is 0-based, to a 1-based one. */
export function textRange({ start, end }: Range): TextRange {
  return {
    firstLine: start.line + 1,
    firstColumn: start.character + 1,
    lastLine: end.line + 1,
    lastColumn: end.character + 1,
  };
}

/** Returns a label that identifies a file outside the workspace without its location on this machine. */
export function outsideLabel({ scheme, fsPath, path }: Address): string {
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
