interface Changed {
  readonly baseLines: readonly string[];
  readonly resultLines: readonly string[];
}

/** Hunks that may hang together by their brackets. */
const mostLinked = 50;

/** Brackets that one hunk opens and a later one closes make them depend on each other: `linked` are the indexes of the others. */
export function linked<Hunk extends Changed>(
  hunks: readonly Hunk[],
): (Hunk & { readonly linked: readonly number[] })[] {
  const links = hunks.map((): number[] => []);
  let run: number[] = [];
  let balance = [0, 0, 0];
  for (const [index, hunk] of hunks.entries()) {
    const change = bracketsOf(hunk);
    if (change.every((count) => count === 0)) continue;
    run.push(index);
    balance = balance.map((count, kind) => count + (change[kind] ?? 0));
    if (balance.some((count) => count !== 0) && run.length < mostLinked) continue;
    if (balance.every((count) => count === 0)) for (const one of run) links[one] = run.filter((other) => other !== one);
    [run, balance] = [[], [0, 0, 0]];
  }
  return hunks.map((hunk, index) => ({ ...hunk, linked: links[index] ?? [] }));
}

/** How many more brackets of each kind are opened than closed after the hunk than before. */
function bracketsOf({ baseLines, resultLines }: Changed): number[] {
  const count = (lines: readonly string[], bracket: string): number =>
    lines.reduce((sum, line) => sum + line.split(bracket).length - 1, 0);
  return ['()', '[]', '{}'].map(([open = '', close = '']) => {
    const net = (lines: readonly string[]): number => count(lines, open) - count(lines, close);
    return net(resultLines) - net(baseLines);
  });
}
