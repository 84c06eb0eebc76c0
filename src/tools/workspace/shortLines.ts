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
