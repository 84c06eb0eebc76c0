/** Returns the known name that is closest to a mistyped one; undefined when none is close. */
export function closestName(written: string, known: readonly string[]): string | undefined {
  if (written.length > 64) return undefined;
  const nearest = known
    .map((name) => ({ name, distance: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)[0];
  return nearest !== undefined && nearest.distance <= Math.max(1, written.length / 4) ? nearest.name : undefined;
}

/** Returns the edit distance of two texts: how many characters must be inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, character] of Array.from(from).entries()) {
    const next = [at + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const [replaced = 0, inserted = 0, removed = 0] = [row[column], next[column], row[column + 1]];
      next.push(Math.min(replaced + (character === other ? 0 : 1), inserted + 1, removed + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
