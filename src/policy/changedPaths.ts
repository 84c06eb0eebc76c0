import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { joinPath } from './paths.ts';
import { classifyPath, type Classification, type PathRules } from './protectedPaths.ts';

type Place = Pick<ResolvedPath, 'path' | 'folder' | 'fsPath' | 'realPath'>;

/** A place that a change touches. */
export interface ChangedPlace extends Place {
  /** The addressed folder, when this place is a file in it. */
  readonly below?: Place;
}

/** A place with its class, which each stage of a call determines once. */
export interface ClassifiedPlace extends ChangedPlace {
  readonly classification: Classification;
}

/** Returns the place with its class, or the place itself when it was classified already. */
export function classified(place: ChangedPlace | ClassifiedPlace, pathRules: PathRules): ClassifiedPlace {
  return 'classification' in place ? place : { ...place, classification: classifyPath(place, pathRules) };
}

/** Returns every place that a change touches: the named places first, then the files below them (threat rows P15, P16). */
export function placesOf(change: FileChange): readonly ChangedPlace[] {
  const { kind, path } = change;
  if (kind === 'edit' || kind === 'create') return [path];
  const from = [path, ...below(path, change.files)];
  return kind === 'delete' ? from : [...from, change.to, ...below(change.to, change.files)];
}

function below(root: Place, files: readonly TreeFile[]): readonly ChangedPlace[] {
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
