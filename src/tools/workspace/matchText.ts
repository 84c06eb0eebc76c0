/** One matching line, with what stands around it. */
interface ShownMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Matches as text, the way grep shows them: the path once, `12:` a match, `12-` a line around it, each line once. */
export function matchText(matches: readonly ShownMatch[]): readonly string[] {
  return [...Map.groupBy(matches, ({ path }) => path)].flatMap(([path, inFile]) => [path, ...fileText(inFile)]);
}

function fileText(matches: readonly ShownMatch[]): readonly string[] {
  const lines = new Map<number, string>();
  for (const { line, text, before = [], after = [] } of matches) {
    const own = text.split('\n');
    const around = [
      ...before.map((one, at) => [line - before.length + at, one] as const),
      ...after.map((one, at) => [line + own.length + at, one] as const),
    ];
    for (const [number, one] of around) if (!lines.has(number)) lines.set(number, `${number}-\t${one}`);
    for (const [at, one] of own.entries()) lines.set(line + at, `${line + at}:\t${one}`);
  }
  const numbers = [...lines.keys()].toSorted((one, other) => one - other);
  const hasContext = matches.some(({ before, after }) => before !== undefined || after !== undefined);
  return numbers.flatMap((number, at) => {
    const gap = hasContext && at > 0 && numbers[at - 1] !== number - 1;
    return [...(gap ? ['--'] : []), lines.get(number) ?? ''];
  });
}

interface LinesOfMatch {
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** UTF-16 units of a line below which there is nothing left to see in it. */
const shortest = 10;

/** A match whose lines are short enough for it to fit; the line in which it begins stays as it is. */
export function withShortLines<Match extends LinesOfMatch>(match: Match, fits: (match: Match) => boolean): Match {
  let short = match;
  for (let length = 200; !fits(short) && length >= shortest; length /= 2) short = cutTo(match, length);
  return short;
}

function cutTo<Match extends LinesOfMatch>(match: Match, length: number): Match {
  const { before, after } = match;
  const [first = '', ...more] = match.text.split('\n');
  const cut = (line: string): string =>
    line.length <= length
      ? line
      : `${line
          .slice(0, length)
          .toWellFormed()
          .replace(/\ufffd$/, '')}…`;
  return {
    ...match,
    text: [first, ...more.map(cut)].join('\n'),
    ...(before && { before: before.map(cut) }),
    ...(after && { after: after.map(cut) }),
  };
}
