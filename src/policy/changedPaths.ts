import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { joinPath } from './paths.ts';
import { classifyPath, type Classification, type PathRules } from './protectedPaths.ts';

/** The parts of a resolved path that the policy judges. */
export type JudgedPath = Pick<ResolvedPath, 'path' | 'folder' | 'fsPath' | 'realPath'>;

/** A path that a change touches. */
export interface ChangedPath extends JudgedPath {
  /** The addressed folder, when this path is of a file in it. */
  readonly below?: JudgedPath;
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

function below(root: JudgedPath, files: readonly TreeFile[]): readonly ChangedPath[] {
  return files.flatMap(({ relative }) =>
    relative === ''
      ? []
      : {
          path: `${root.path}/${relative}`,
          folder: root.folder,
          fsPath: joinPath(root.fsPath, relative),
          realPath: joinPath(root.realPath, relative),
          below: root,
        },
  );
}
