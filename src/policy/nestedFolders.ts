import type { WorkspaceFolder } from '#base/workspace.ts';
import { fsPathOf, joinPath, relativeTo } from './paths.ts';

interface Placed {
  readonly folder: WorkspaceFolder;
  readonly fsPath: string;
  readonly realPath: string;
}

/**
 * Returns a place once for each folder of the window that holds it, the addressed folder first. Folders may be nested, and an
 * address by the outer folder must not bypass a rule about the inner one. A place in a work tree is also returned as the same place
 * in the tree that the window has open, because rules about the repository count there too.
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
  const holding = [place, ...others.map((folder) => ({ ...place, folder }))];
  return [...holding, ...holding.flatMap((each) => inOpenTree(each, folders))];
}

/** Returns the same places of the open tree for a place in a work tree: by its lexical and by its real path. */
function inOpenTree<Place extends Placed>(place: Place, folders: readonly WorkspaceFolder[]): readonly Place[] {
  const { folder: tree, fsPath, realPath } = place;
  const root = tree.worktree?.of;
  if (root === undefined) return [];
  const names = new Set([relativeTo(tree.fsPath, fsPath), relativeTo(tree.realPath, realPath)]);
  return [...names].flatMap((name) => {
    if (name === undefined) return [];
    const same = joinPath(root, name);
    return folders.flatMap((folder) => {
      const relative = folder.worktree === undefined ? relativeTo(folder.realPath, same) : undefined;
      return relative === undefined
        ? []
        : [{ ...place, folder, fsPath: fsPathOf({ folder, relative }), realPath: same }];
    });
  });
}

/** Returns a place by the innermost folder of the window that holds its lexical path, whichever folder it was addressed by. */
export function inInnermostFolder<Place extends Placed>(place: Place, folders: readonly WorkspaceFolder[]): Place {
  const inner = folders.filter(
    ({ fsPath }) => fsPath.length > place.folder.fsPath.length && relativeTo(fsPath, place.fsPath) !== undefined,
  );
  const [innermost] = inner.toSorted((one, other) => other.fsPath.length - one.fsPath.length);
  return innermost === undefined ? place : { ...place, folder: innermost };
}
