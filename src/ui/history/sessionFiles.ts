import type { AppliedChange, ChangedFile } from '#changes/changes.ts';

/** A file of a change, whose text before or after that change is kept. */
interface Moment {
  readonly change: AppliedChange;
  readonly file: ChangedFile;
}

/** A file that a session changed, from its text before the first change to its text after the last one. */
export interface SessionFile {
  readonly first: Moment;
  readonly last: Moment;
  /** Where the file is after the last change: workspace-relative, and its URI. */
  readonly path: string;
  readonly uri: string;
}

/**
 * Returns the files whose text changes of a session changed, by path. Changes that were undone do not count, and a file that was
 * moved is followed.
 * @param changes newest first
 */
export function sessionFiles(changes: readonly AppliedChange[]): readonly SessionFile[] {
  /** The files by their present URI. */
  const found = new Map<string, SessionFile>();
  for (const change of changes.filter(({ state }) => state === 'applied').toReversed()) {
    // The files of a change have the addresses from before its moves.
    for (const file of change.files.filter((each) => each.change !== 'move')) {
      const moment = { change, file };
      found.set(file.uri, { path: file.path, uri: file.uri, first: moment, ...found.get(file.uri), last: moment });
    }
    for (const { path, uri, movedTo } of change.files) {
      if (movedTo === undefined) continue;
      const moved = [...found].filter(([from]) => from === uri || from.startsWith(`${uri}/`));
      for (const [from, known] of moved) {
        found.delete(from);
        const to = `${movedTo.uri}${from.slice(uri.length)}`;
        found.set(to, { ...known, path: `${movedTo.path}${known.path.slice(path.length)}`, uri: to });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
