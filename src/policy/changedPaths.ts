import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { joinPath } from './paths.ts';
import { classifyPath, type Classification, type PathRules } from './protectedPaths.ts';

/** A resolved path, with the path by which results and refusals name it. */
export type AddressedPath = Pick<ResolvedPath, 'path' | 'folder' | 'fsPath' | 'realPath'>;

/** A path that a change touches. */
export interface ChangedPath extends AddressedPath {
  /** The addressed folder, when this path is of a file in it. */
  readonly below?: AddressedPath;
}

/** A path with its class, which each stage of a call determines once. */
export interface ClassifiedPath extends ChangedPath {
  readonly classification: Classification;
}

/** Returns the path with its class, or the path itself when it was classified already. */
export function classified(path: ChangedPath | ClassifiedPath, pathRules: PathRules): ClassifiedPath {
  return 'classification' in path ? path : { ...path, classification: classifyPath(path, pathRules) };
}

/** Returns every path that a change touches: the named paths first, then the files below them (threat rows P15, P16). */
export function pathsOf(change: FileChange): readonly ChangedPath[] {
  const { kind, path } = change;
  if (kind === 'edit' || kind === 'create') return [path];
  const from = [path, ...below(path, change.files)];
  return kind === 'delete' ? from : [...from, change.to, ...below(change.to, change.files)];
}

function below(root: AddressedPath, files: readonly TreeFile[]): readonly ChangedPath[] {
  return files.flatMap(({ relative }) => (relative === '' ? [] : { ...pathBelow(root, relative), below: root }));
}

/** Returns the path of a file in a folder. @param relative below the folder, `/` separators, not empty */
export function pathBelow(root: AddressedPath, relative: string): AddressedPath {
  return {
    path: `${root.path}/${relative}`,
    folder: root.folder,
    fsPath: joinPath(root.fsPath, relative),
    realPath: joinPath(root.realPath, relative),
  };
}
