import type { ChangesProposal, FileChange } from '../ports/proposal.ts';
import { hunksBetween, type Hunk } from './hunks.ts';

/** Two proposals want different things of the same lines, or of a file as a whole: only one of them can be meant. */
export function overlap(one: ChangesProposal, other: ChangesProposal): boolean {
  return one.files.some((change) => other.files.some((another) => changesOverlap(change, another)));
}

/** Both touch the same file in some way. */
export function sharePath(one: ChangesProposal, other: ChangesProposal): boolean {
  return one.files.some((change) => other.files.some((another) => placesMeet(change, another)));
}

function changesOverlap(one: FileChange, other: FileChange): boolean {
  if (!placesMeet(one, other)) return false;
  if (one.kind !== 'edit' || other.kind !== 'edit' || one.base.text !== other.base.text) return true;
  const hunks = hunksBetween(other.base.text, other.result.text).hunks;
  return hunksBetween(one.base.text, one.result.text).hunks.some((hunk) =>
    hunks.some((each) => shareLines(hunk, each)),
  );
}

/** Lines beside each other are not the same lines; two insertions at one place are. */
function shareLines(one: Hunk, other: Hunk): boolean {
  const [oneEnd, otherEnd] = [one.baseStart + one.baseLines.length, other.baseStart + other.baseLines.length];
  const isSamePlace = one.baseStart === other.baseStart && one.baseLines.length === other.baseLines.length;
  return isSamePlace || (one.baseStart < otherEnd && other.baseStart < oneEnd);
}

function placesMeet(one: FileChange, other: FileChange): boolean {
  return placesOf(one).some((place) =>
    placesOf(other).some((another) => isSameOrBelow(place, another) || isSameOrBelow(another, place)),
  );
}

/** Real paths whose being or content the change decides. */
function placesOf(change: FileChange): string[] {
  return change.kind === 'move' ? [change.path.realPath, change.to.realPath] : [change.path.realPath];
}

function isSameOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
