import { redactText } from '#audit/redactText.ts';

/** Lines of the wanted text that are compared; enough to find a place, few enough for any file. */
const comparedLines = 40;
const shownLines = 12;
const shownCharacters = 200;

/**
 * The lines of a text that look most like the wanted ones, numbered from 1, or undefined when nothing comes close.
 * White space at the ends of lines and letter case do not count. Secrets are neither shown nor compared.
 */
export function nearestMatch(text: string, wanted: string): string | undefined {
  const lines = shownLinesOf(text);
  const wantedLines = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  const first = bestAligned(lines, wantedLines) ?? mostSimilarLine(lines, wantedLines);
  if (first === undefined) return undefined;
  return numberedLines(lines, first + 1, first + wantedLines.length);
}

/** The lines of a text with LF as an error may show them: without secrets. */
export function shownLinesOf(text: string): readonly string[] {
  return redactText(text).text.split('\n');
}

/** Lines of a text with their numbers, both 1-based and inclusive; at most twelve, each cut to 200 characters. */
export function numberedLines(lines: readonly string[], firstLine: number, lastLine: number): string {
  const first = Math.max(1, firstLine);
  return lines
    .slice(first - 1, Math.min(lastLine, first - 1 + shownLines))
    .map((line, index) => `${first + index}\t${line.slice(0, shownCharacters)}`)
    .join('\n');
}

/** Where most wanted lines stand in their order, each at its distance from the first. */
function bestAligned(lines: readonly string[], wantedLines: readonly string[]): number | undefined {
  const wanted = wantedLines.slice(0, comparedLines).map(comparable);
  const positions = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    if (line !== '') positions.set(line, [...(positions.get(line) ?? []), index]);
  }
  const scores = new Int32Array(lines.length);
  let best = -1;
  let bestScore = 0;
  for (const [at, line] of lines.entries()) {
    for (const index of positions.get(comparable(line)) ?? []) {
      if (at >= index) scores[at - index] = (scores[at - index] ?? 0) + 1;
    }
  }
  for (const [at, score] of scores.entries()) {
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  return best < 0 ? undefined : best;
}

/** Where the line stands that shares most letter pairs with the wanted text's longest line; at least half of them. */
function mostSimilarLine(lines: readonly string[], wantedLines: readonly string[]): number | undefined {
  const longest = wantedLines.toSorted((a, b) => b.trim().length - a.trim().length)[0]?.trim() ?? '';
  const wantedPairs = pairsOf(comparable(longest));
  if (wantedPairs.size === 0) return undefined;
  let best = -1;
  let bestScore = 0.5;
  for (const [index, line] of lines.entries()) {
    const pairs = pairsOf(comparable(line.slice(0, 1000)));
    const shared = wantedPairs.intersection(pairs).size;
    const score = (2 * shared) / (wantedPairs.size + pairs.size);
    if (score > bestScore) [best, bestScore] = [index, score];
  }
  return best < 0 ? undefined : Math.max(0, best - wantedLines.findIndex((line) => line.trim() === longest));
}

/** Models get white space and letter case wrong most. */
function comparable(line: string): string {
  return line.trim().toLowerCase();
}

function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < line.length; index += 1) pairs.add(line.slice(index, index + 2));
  return pairs;
}
