/** One matching line with the lines around it. */
interface ShownMatch {
  readonly file: string;
  readonly line: number;
  readonly content: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Renders matches as grep does: each path once, `12:` before a match, `12-` before a context line, each line once. */
export function matchText(matches: readonly ShownMatch[]): readonly string[] {
  return [...Map.groupBy(matches, ({ file }) => file)].flatMap(([file, inFile]) => [file, ...fileText(inFile)]);
}

function fileText(matches: readonly ShownMatch[]): readonly string[] {
  const lines = new Map<number, string>();
  for (const { line, content, before = [], after = [] } of matches) {
    const own = content.split('\n');
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
  readonly content: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** The shortest cut of a line that is still useful, in UTF-16 units. */
const shortest = 10;

/** Shortens the lines of a match until it fits; the line in which the match begins stays unchanged. */
export function withShortLines<Match extends LinesOfMatch>(match: Match, fits: (match: Match) => boolean): Match {
  let short = match;
  for (let length = 200; !fits(short) && length >= shortest; length /= 2) short = cutTo(match, length);
  return short;
}

function cutTo<Match extends LinesOfMatch>(match: Match, length: number): Match {
  const { before, after } = match;
  const [first = '', ...more] = match.content.split('\n');
  const cut = (line: string): string =>
    line.length <= length
      ? line
      : `${line
          .slice(0, length)
          .toWellFormed()
          .replace(/\ufffd$/, '')}…`;
  return {
    ...match,
    content: [first, ...more.map(cut)].join('\n'),
    ...(before && { before: before.map(cut) }),
    ...(after && { after: after.map(cut) }),
  };
}
