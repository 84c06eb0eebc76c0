import type { WorkspaceFolder } from '#base/workspace.ts';
import { relativeTo } from './paths.ts';

interface Placed {
  readonly folder: WorkspaceFolder;
  readonly fsPath: string;
  readonly realPath: string;
}

/**
 * A place once for each folder of the window that holds it, the one that it was addressed by first. Folders may lie in each
 * other, and whoever addresses a file by the outer one must not get around a rule about the inner one.
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

/** A place by the innermost folder of the window that it is spelt below, whichever it was addressed by. */
export function inInnermostFolder<Place extends Placed>(place: Place, folders: readonly WorkspaceFolder[]): Place {
  const inner = folders.filter(
    ({ fsPath }) => fsPath.length > place.folder.fsPath.length && relativeTo(fsPath, place.fsPath) !== undefined,
  );
  const [innermost] = inner.toSorted((one, other) => other.fsPath.length - one.fsPath.length);
  return innermost === undefined ? place : { ...place, folder: innermost };
}
