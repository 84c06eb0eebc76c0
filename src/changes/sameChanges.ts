import type { Hunk } from './hunks.ts';

/** The words of a line; what lies between two of them is a word of its own. */
const words = /[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]/gu;
/** A change with longer lines has no kind: comparing them by words costs more than it shows. */
const longestLine = 2000;

/**
 * Finds files whose changes are the same: each of their lines replaces the same words by the same other words, as in a rename, or they
 * have the same removed and added lines. Only what is around the replaced words may differ.
 * @param files the hunks of each file; a file without hunks is the same as no other
 * @returns for each file the index of the first file with the same change; undefined for that file, and for a file whose change no
 * other file has
 */
export function sameChanges(
  files: readonly (readonly Pick<Hunk, 'baseLines' | 'resultLines'>[])[],
): (number | undefined)[] {
  const first = new Map<string, number>();
  return files.map((hunks, index) => {
    if (hunks.length === 0) return undefined;
    const kind = kindOf(hunks);
    const known = first.get(kind);
    if (known === undefined) first.set(kind, index);
    return known;
  });
}

/** Returns a text that is equal for two changes that are the same. */
function kindOf(hunks: readonly Pick<Hunk, 'baseLines' | 'resultLines'>[]): string {
  const replaced = replacedWords(hunks);
  return JSON.stringify(replaced ?? hunks.map(({ baseLines, resultLines }) => [baseLines, resultLines]));
}

/** Returns the pairs of words that a change replaces, sorted; undefined when it does more than replacing whole words. */
function replacedWords(
  hunks: readonly Pick<Hunk, 'baseLines' | 'resultLines'>[],
): readonly (readonly [string, string])[] | undefined {
  const pairs = new Map<string, string>();
  for (const { baseLines, resultLines } of hunks) {
    if (baseLines.length !== resultLines.length) return undefined;
    for (const [index, before] of baseLines.entries()) {
      const after = resultLines[index] ?? '';
      if (Math.max(before.length, after.length) > longestLine) return undefined;
      const [old, now] = [before.match(words) ?? [], after.match(words) ?? []];
      if (old.length !== now.length) return undefined;
      for (const [at, word] of old.entries()) {
        const other = now[at] ?? '';
        const isWord = /^[\p{L}\p{N}_$]/u.test(word) && /^[\p{L}\p{N}_$]/u.test(other);
        if (word === other) continue;
        // The same word becomes two different ones: no plain replacement.
        if (!isWord || (pairs.get(word) ?? other) !== other) return undefined;
        pairs.set(word, other);
      }
    }
  }
  return [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
