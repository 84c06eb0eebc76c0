import type { ChangesProposal, FileChange } from '#base/proposal.ts';
import { meeting, type Hunk } from './hunks.ts';
import type { ReviewedChange } from './selection.ts';

/** Two proposals want different things of the same lines, or of a file as a whole: only one of them can be meant. */
export function overlap(one: readonly ReviewedChange[], other: readonly ReviewedChange[]): boolean {
  const hunksOf = new Map([...one, ...other].map(({ change, hunks }) => [change, hunks?.hunks ?? []]));
  const changes = (reviewed: readonly ReviewedChange[]): FileChange[] => reviewed.map(({ change }) => change);
  for (const [change, another] of pairsThatMeet(changes(one), changes(other))) {
    if (change.kind !== 'edit' || another.kind !== 'edit' || change.base.text !== another.base.text) return true;
    if (meeting(hunksOf.get(change) ?? [], hunksOf.get(another) ?? [], shareLines).length > 0) return true;
  }
  return false;
}

/** Both touch the same file in some way. */
export function sharePath(one: Pick<ChangesProposal, 'files'>, other: Pick<ChangesProposal, 'files'>): boolean {
  return pairsThatMeet(one.files, other.files).next().done !== true;
}

/** Lines beside each other are not the same lines; two insertions at one place are. */
function shareLines(one: Hunk, other: Hunk): boolean {
  const [oneEnd, otherEnd] = [one.baseStart + one.baseLines.length, other.baseStart + other.baseLines.length];
  const isSamePlace = one.baseStart === other.baseStart && one.baseLines.length === other.baseLines.length;
  return isSamePlace || (one.baseStart < otherEnd && other.baseStart < oneEnd);
}

/** Those that have a place in common, or one below the other's. Looked up, for each side may be hundreds of files. */
function* pairsThatMeet(
  changes: readonly FileChange[],
  others: readonly FileChange[],
): Generator<readonly [FileChange, FileChange]> {
  const at = new Map<string, FileChange[]>();
  const below = new Map<string, FileChange[]>();
  for (const other of others) {
    for (const place of placesOf(other)) {
      add(at, place, other);
      for (const folder of foldersAbove(place)) add(below, folder, other);
    }
  }
  for (const change of changes) {
    for (const place of placesOf(change)) {
      const above = Array.from(foldersAbove(place), (folder) => at.get(folder) ?? []);
      for (const other of [at.get(place) ?? [], below.get(place) ?? [], ...above].flat()) yield [change, other];
    }
  }
}

function add(map: Map<string, FileChange[]>, place: string, change: FileChange): void {
  const known = map.get(place);
  if (known === undefined) map.set(place, [change]);
  else known.push(change);
}

/** Real paths whose being or content the change decides. */
function placesOf(change: FileChange): string[] {
  return change.kind === 'move' ? [change.path.realPath, change.to.realPath] : [change.path.realPath];
}

function* foldersAbove(path: string): Generator<string> {
  for (let end = path.length - 1; end > 0; end -= 1) {
    if (path[end] === '/' || path[end] === '\\') yield path.slice(0, end);
  }
}
