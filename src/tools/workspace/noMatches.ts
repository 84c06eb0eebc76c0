import type { FileQuery, Search } from '#search/search.ts';
import { counted } from '../page.ts';
import type { SearchTime } from './searchTime.ts';

/** Files that are counted; more are called "at least" this many. */
const mostCounted = 50_000;

/**
 * Takes the brackets of a glob literally when a file has that name, as the folders `[id]` of Next.js have.
 * @returns the globs, and those that were taken literally as they were written
 */
export async function withLiteralBrackets(
  globs: readonly string[],
  query: Omit<FileQuery, 'include' | 'exclude'>,
  search: Pick<Search, 'files'>,
  time: SearchTime,
): Promise<{ readonly globs: readonly string[]; readonly literal: readonly string[] }> {
  const found: { readonly glob: string; readonly literal?: string }[] = [];
  for (const written of globs) {
    const glob = written.replaceAll('[', '[[]');
    const isThere =
      glob !== written && (await countFiles({ ...query, include: [glob], exclude: [] }, search, time, 1)) > 0;
    found.push(isThere ? { glob, literal: written } : { glob: written });
  }
  return { globs: found.map(({ glob }) => glob), literal: found.flatMap(({ literal }) => literal ?? []) };
}

/**
 * Returns why a search may have found nothing, as far as the files that the caller may read tell. Only names of files count, so nothing
 * that a closed or redacted file holds changes the words. There are no reasons when the time is up before all files are counted.
 * @param written the include globs as the caller wrote them
 */
export async function reasonsForNothing(
  query: FileQuery,
  written: readonly string[],
  search: Pick<Search, 'files'>,
  time: SearchTime,
): Promise<readonly string[]> {
  const all = await countFiles({ ...query, includeIgnored: true }, search, time);
  if (time.isUp) return [];
  if (all === 0) {
    return written.length === 0 ? ['there is no file to look at'] : [`no file matches ${JSON.stringify(written)}`];
  }
  const seen = query.includeIgnored ? all : await countFiles(query, search, time);
  const leftOut = all - seen;
  if (leftOut <= 0 || time.isUp) return [];
  const least = all >= mostCounted ? 'at least ' : '';
  const verb = leftOut === 1 ? 'is' : 'are';
  return [
    `${least}${counted(leftOut, 'file')} ${verb} left out by ignore rules or files.exclude; includeIgnored looks at them, too`,
  ];
}

/** Returns the line about brackets that were taken literally. */
export function literalNote(literal: readonly string[]): readonly string[] {
  return literal.length === 0
    ? []
    : [`the brackets of ${JSON.stringify(literal)} were taken literally, because such a name exists`];
}

async function countFiles(
  query: FileQuery,
  search: Pick<Search, 'files'>,
  time: SearchTime,
  most = mostCounted,
): Promise<number> {
  let count = 0;
  for await (const found of time.during((signal) => search.files(query, signal))) {
    if (found.path !== '') count += 1;
    if (count >= most) break;
  }
  return count;
}
