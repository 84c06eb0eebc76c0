/**
 * Compares paths segment by segment and by code point. This is the order of ripgrep's `--sort path`, so pages of results agree
 * whichever of the two sorted them. Returns a negative number when the first path comes first.
 */
export function comparePaths(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** `/` ends a segment, so it sorts before every character; surrogates sort after the rest of the basic plane, as in UTF-8. */
function rank(unit: number): number {
  if (unit === 0x2f) return -1;
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
