/** Lines in place of those of a base from a 0-based index on. */
interface Replaced {
  readonly baseStart: number;
  readonly baseLines: readonly string[];
  readonly resultLines: readonly string[];
}

/**
 * Which of the hunks a text (`wanted`) has, when it is the base with a selection of them and nothing else. Where several selections
 * give the same text, the one with the first hunks in it.
 */
export function explain(
  lines: readonly string[],
  hunks: readonly Replaced[],
  wanted: readonly string[],
): boolean[] | undefined {
  const startsAt = (part: readonly string[], at: number): boolean =>
    at + part.length <= wanted.length && part.every((line, index) => wanted[at + index] === line);
  /** How far the text can be explained, per hunk and line; a dead end is not tried twice. */
  const deadEnds = new Set<string>();
  const choices: boolean[] = [];
  const positions: number[] = [];
  const gapBefore = (index: number): readonly string[] => {
    const previous = hunks[index - 1];
    const from = previous === undefined ? 0 : previous.baseStart + previous.baseLines.length;
    return lines.slice(from, hunks[index]?.baseStart ?? lines.length);
  };
  const first = gapBefore(0);
  if (!startsAt(first, 0)) return undefined;
  positions.push(first.length);
  let next: boolean | undefined = true;
  while (choices.length < hunks.length || positions.at(-1) !== wanted.length) {
    const index = choices.length;
    const hunk = hunks[index];
    const at = positions.at(-1) ?? 0;
    let end: number | undefined;
    if (hunk !== undefined && next !== undefined && !deadEnds.has(`${index} ${at}`)) {
      const part = next ? hunk.resultLines : hunk.baseLines;
      const gap = gapBefore(index + 1);
      if (startsAt(part, at) && startsAt(gap, at + part.length)) end = at + part.length + gap.length;
    }
    if (end !== undefined && next !== undefined) {
      choices.push(next);
      positions.push(end);
      next = true;
    } else if (hunk !== undefined && next === true) {
      next = false;
    } else {
      deadEnds.add(`${index} ${at}`);
      const last = choices.pop();
      if (last === undefined) return undefined;
      positions.pop();
      next = last ? false : undefined;
    }
  }
  return choices;
}
