/** A line that both texts share, by its 0-based index in each. */
export interface Anchor {
  readonly oldIndex: number;
  readonly newIndex: number;
}

/** Lines that occur exactly once in both texts, in the longest order that both share (patience diff). */
export function anchors(before: readonly string[], after: readonly string[]): Anchor[] {
  const old = uniqueLines(before);
  const candidates: Anchor[] = [];
  for (const [line, newIndex] of uniqueLines(after)) {
    const oldIndex = old.get(line);
    if (oldIndex !== undefined) candidates.push({ oldIndex, newIndex });
  }
  return longestRise(candidates);
}

function uniqueLines(lines: readonly string[]): Map<string, number> {
  const seen = new Set<string>();
  const unique = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (seen.has(line)) unique.delete(line);
    else unique.set(line, index);
    seen.add(line);
  }
  return unique;
}

/** The longest subsequence whose `oldIndex` rises. */
function longestRise(candidates: readonly Anchor[]): Anchor[] {
  interface Link extends Anchor {
    readonly before: Link | undefined;
  }
  const piles: Link[] = [];
  for (const candidate of candidates) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((piles[middle]?.oldIndex ?? 0) < candidate.oldIndex) low = middle + 1;
      else high = middle;
    }
    piles[low] = { ...candidate, before: piles[low - 1] };
  }
  const rise: Anchor[] = [];
  for (let link = piles.at(-1); link !== undefined; link = link.before) rise.push(link);
  return rise.toReversed();
}
