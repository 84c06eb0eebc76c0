import type { ChangesProposal, FileChange } from '#base/proposal.ts';
import { meeting, type Hunk } from './hunks.ts';
import type { ReviewedChange } from './selection.ts';

/** Returns whether two proposals change the same lines, or the same file as a whole, so that the later one replaces the other. */
export function overlap(one: readonly ReviewedChange[], other: readonly ReviewedChange[]): boolean {
  const hunksOf = new Map([...one, ...other].map(({ change, hunks }) => [change, hunks?.hunks ?? []]));
  const changes = (reviewed: readonly ReviewedChange[]): FileChange[] => reviewed.map(({ change }) => change);
  for (const [change, another] of pairsThatMeet(changes(one), changes(other))) {
    if (change.kind !== 'edit' || another.kind !== 'edit' || change.base.text !== another.base.text) return true;
    if (meeting(hunksOf.get(change) ?? [], hunksOf.get(another) ?? [], shareLines).length > 0) return true;
  }
  return false;
}

/** Returns whether both proposals change the same file in some way. */
export function sharePath(one: Pick<ChangesProposal, 'files'>, other: Pick<ChangesProposal, 'files'>): boolean {
  return pairsThatMeet(one.files, other.files).next().done !== true;
}

/** Adjacent lines are not the same lines. Two insertions at one position are. */
function shareLines(one: Hunk, other: Hunk): boolean {
  const [oneEnd, otherEnd] = [one.baseStart + one.baseLines.length, other.baseStart + other.baseLines.length];
  const isSamePosition = one.baseStart === other.baseStart && one.baseLines.length === other.baseLines.length;
  return isSamePosition || (one.baseStart < otherEnd && other.baseStart < oneEnd);
}

/** Yields the pairs with a path in common, or with one path below the other. Uses maps: each side may have hundreds of files. */
function* pairsThatMeet(
  changes: readonly FileChange[],
  others: readonly FileChange[],
): Generator<readonly [FileChange, FileChange]> {
  const at = new Map<string, FileChange[]>();
  const below = new Map<string, FileChange[]>();
  for (const other of others) {
    for (const path of pathsOf(other)) {
      add(at, path, other);
      for (const folder of foldersAbove(path)) add(below, folder, other);
    }
  }
  for (const change of changes) {
    for (const path of pathsOf(change)) {
      const above = Array.from(foldersAbove(path), (folder) => at.get(folder) ?? []);
      for (const other of [at.get(path) ?? [], below.get(path) ?? [], ...above].flat()) yield [change, other];
    }
  }
}

function add(map: Map<string, FileChange[]>, path: string, change: FileChange): void {
  const known = map.get(path);
  if (known === undefined) map.set(path, [change]);
  else known.push(change);
}

/** Returns the real paths that the change creates, removes or writes. */
function pathsOf(change: FileChange): string[] {
  return change.kind === 'move' ? [change.path.realPath, change.to.realPath] : [change.path.realPath];
}

function* foldersAbove(path: string): Generator<string> {
  for (let end = path.length - 1; end > 0; end -= 1) {
    if (path[end] === '/' || path[end] === '\\') yield path.slice(0, end);
  }
}
