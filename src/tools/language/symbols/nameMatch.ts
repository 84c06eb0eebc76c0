import { wordOf } from './symbolInFile.ts';

/**
 * Returns how well a name matches a query, 0 for the best: the exact name, its beginning, the beginnings of its humps (`AdIt` for
 * `addItem`), a part of it. Returns undefined when it does not match.
 */
export function matchRank(query: string, name: string): number | undefined {
  const [wanted, own] = [wordOf(query), wordOf(name)];
  const [lowWanted, lowOwn] = [wanted.toLowerCase(), own.toLowerCase()];
  const isMatch = [
    own === wanted,
    lowOwn === lowWanted,
    own.startsWith(wanted),
    lowOwn.startsWith(lowWanted),
    hasHumps(humpsOf(wanted), humpsOf(own)),
    lowOwn.includes(lowWanted),
  ];
  const rank = isMatch.indexOf(true);
  return rank < 0 ? undefined : rank;
}

/** Splits a name at its capitals and underscores. */
export function humpsOf(name: string): readonly string[] {
  return name.split(/(?<=[^\p{Lu}])(?=\p{Lu})|(?=\p{Lu}\p{Ll})|_+/u).filter((hump) => hump !== '');
}

function hasHumps(wanted: readonly string[], own: readonly string[]): boolean {
  if (wanted.length < 2) return false;
  let at = 0;
  for (const hump of own) {
    if (hump.toLowerCase().startsWith((wanted[at] ?? '').toLowerCase())) at += 1;
    if (at === wanted.length) return true;
  }
  return false;
}
