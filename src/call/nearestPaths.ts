import type { Clock } from '#base/clock.ts';
import type { FoundFile, ResolvedPath } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { MissingPathError } from '#base/toolError.ts';
import { quoted } from '#policy/unsafeNames.ts';
import type { Search } from '#search/search.ts';
import { withTimeLimit } from './timeLimit.ts';

/** The most paths that one error names. */
const mostNamed = 3;
/** The most missing paths of one call for which the nearest ones are looked for. */
export const maximumExplained = 5;
/** The most files that are compared, and the most seconds that this takes. */
const mostCompared = 100_000;
const mostSeconds = 3;

/** The search and the folders in which the nearest paths are looked for. */
export interface NearestDependencies {
  /** Leaves out what the caller may not see. */
  readonly search: Pick<Search, 'files'>;
  readonly within: readonly ResolvedPath[];
  readonly clock: Clock;
}

/** Returns the error of a missing path with the names of the nearest paths that exist. */
export async function withNearestPaths(
  error: MissingPathError,
  dependencies: NearestDependencies,
  signal: AbortSignal,
): Promise<MissingPathError> {
  const nearest = await nearestPaths(error.path, dependencies, signal);
  if (nearest.length === 0) return error;
  const message = `${error.message} Did you mean ${nearest.map(quoted).join(' or ')}?`;
  return new MissingPathError(error.path, message, `Call again with a path that exists. ${error.hint}`);
}

/** Returns the existing paths that look most like a missing one, the nearest first; none when nothing is similar. */
async function nearestPaths(
  missing: string,
  { search, within, clock }: NearestDependencies,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wanted = partsOf(missing);
  const nearest = new Map<string, number>();
  const consider = (path: string): void => {
    const distance = distanceOf(partsOf(path), wanted);
    if (distance !== undefined) nearest.set(path, distance);
  };
  const look = async (stop: AbortSignal): Promise<void> => {
    const seenFolders = new Set<string>();
    let compared = 0;
    for await (const file of search.files({ within, include: [], exclude: [], includeIgnored: false }, stop)) {
      consider(file.path);
      for (const folder of foldersAbove(file, seenFolders)) consider(folder);
      compared += 1;
      if (compared >= mostCompared) return;
    }
  };
  // The time may be up, or the search may fail: the paths that were found until then are still named.
  await withTimeLimit(clock, mostSeconds, signal, look).catch(() => undefined);
  return [...nearest]
    .toSorted(([path, distance], [other, otherDistance]) => distance - otherDistance || comparePaths(path, other))
    .slice(0, mostNamed)
    .map(([path]) => path);
}

/** Returns the folders above a file that were not seen yet. */
function foldersAbove({ path }: FoundFile, seen: Set<string>): readonly string[] {
  const added: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (seen.has(folder)) break;
    seen.add(folder);
    added.push(folder);
  }
  return added;
}

/** A path in lower case, in the parts that are compared. */
interface PathParts {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
  /** The name without its extension. */
  readonly stem: string;
}

function partsOf(spelled: string): PathParts {
  const path = spelled.toLowerCase();
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  return { path, folder: path.slice(0, Math.max(slash, 0)), name, stem: dot > 0 ? name.slice(0, dot) : name };
}

/** Returns how far a path is from the wanted one; undefined when they are not similar. */
function distanceOf(found: PathParts, wanted: PathParts): number | undefined {
  if (found.path === wanted.path) return 0;
  if (found.folder === wanted.folder) {
    if (found.stem === wanted.stem) return 1;
    if (isOneTypoApart(found.name, wanted.name)) return 2;
    return isOneTypoApart(found.stem, wanted.stem) && found.stem.length > 2 ? 3 : undefined;
  }
  if (isOneTypoApart(found.path, wanted.path)) return 2;
  // A file with the wanted name is nearer when more of the folders above it have the wanted names.
  if (found.name === wanted.name) return 5 - sharedEnd(found.folder, wanted.folder);
  if (found.stem === wanted.stem) return 7 - sharedEnd(found.folder, wanted.folder);
  return found.name.length > 3 && isOneTypoApart(found.name, wanted.name) ? 8 : undefined;
}

/** Returns how much the ends of two folders share, by names: 0 for nothing, and nearly 1 for very much. */
function sharedEnd(one: string, other: string): number {
  const names = one.split('/').toReversed();
  const others = other.split('/').toReversed();
  const differs = names.findIndex((name, at) => name !== others[at]);
  const shared = differs < 0 ? names.length : differs;
  return shared / (shared + 1);
}

/** Returns whether one inserted, removed, changed or swapped character makes two texts equal. */
function isOneTypoApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
