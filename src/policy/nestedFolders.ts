import type { WorkspaceFolder } from '#base/workspace.ts';
import { relativeTo } from './paths.ts';

interface Placed {
  readonly folder: WorkspaceFolder;
  readonly fsPath: string;
  readonly realPath: string;
}

/**
 * Returns a place once for each folder of the window that holds it, the addressed folder first. Folders may be nested, and an
 * address by the outer folder must not bypass a rule about the inner one.
 */
export function inEveryFolder<Place extends Placed>(
  place: Place,
  folders: readonly WorkspaceFolder[],
): readonly Place[] {
  if (folders.length < 2) return [place];
  const others = folders.filter(
    ({ fsPath, realPath }) =>
      fsPath !== place.folder.fsPath &&
      (relativeTo(fsPath, place.fsPath) !== undefined || relativeTo(realPath, place.realPath) !== undefined),
  );
  return [place, ...others.map((folder) => ({ ...place, folder }))];
}

/** Returns a place by the innermost folder of the window that holds its lexical path, whichever folder it was addressed by. */
export function inInnermostFolder<Place extends Placed>(place: Place, folders: readonly WorkspaceFolder[]): Place {
  const inner = folders.filter(
    ({ fsPath }) => fsPath.length > place.folder.fsPath.length && relativeTo(fsPath, place.fsPath) !== undefined,
  );
  const [innermost] = inner.toSorted((one, other) => other.fsPath.length - one.fsPath.length);
  return innermost === undefined ? place : { ...place, folder: innermost };
}
