import { redactText } from '#audit/redactText.ts';

/** Lines of the wanted text that are compared; bounds the cost in any file. */
const comparedLines = 40;
const shownLines = 12;
const shownCharacters = 200;

/**
 * Returns the lines of a text that look most like the wanted ones, numbered from 1, or undefined when nothing is similar.
 * Ignores letter case and white space at the ends of lines. Redacts secrets before it compares or shows lines.
 */
export function nearestMatch(text: string, wanted: string): string | undefined {
  const lines = shownLinesOf(text);
  const wantedLines = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  const first = bestAligned(lines, wantedLines) ?? mostSimilarLine(lines, wantedLines);
  if (first === undefined) return undefined;
  return numberedLines(lines, first + 1, first + wantedLines.length);
}

/** Returns the lines of a text with LF, redacted so that errors may show them. */
export function shownLinesOf(text: string): readonly string[] {
  return redactText(text).text.split('\n');
}

/** Returns lines with their numbers, 1-based and inclusive; at most twelve, each cut to 200 characters. */
export function numberedLines(lines: readonly string[], firstLine: number, lastLine: number): string {
  const first = Math.max(1, firstLine);
  return lines
    .slice(first - 1, Math.min(lastLine, first - 1 + shownLines))
    .map((line, index) => `${first + index}\t${line.slice(0, shownCharacters)}`)
    .join('\n');
}

/** Returns the first line (0-based) at which most wanted lines stand at their own distance from it. */
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

/** Returns the line (0-based) that shares most letter pairs, at least half, with the longest wanted line. */
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

/** Drops white space and letter case, which models get wrong most often. */
function comparable(line: string): string {
  return line.trim().toLowerCase();
}

function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < line.length; index += 1) pairs.add(line.slice(index, index + 2));
  return pairs;
}
