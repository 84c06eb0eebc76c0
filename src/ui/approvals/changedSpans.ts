import { diffArrays } from 'diff';

/** A range of a text in UTF-16 units, end excluded; empty where the other text has more. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ChangedSpans {
  readonly before: readonly Span[];
  readonly after: readonly Span[];
}

/** Beyond these a comparison by words costs more than it shows. */
const limits = { maxEditLength: 100, characters: 1_000_000 };

/**
 * Where two texts differ: all that lies outside the spans is the same on both sides, in the same order.
 * @param timeout milliseconds that a comparison by words may take; without one the spans are rougher, never fewer
 */
export function changedSpans(before: string, after: string, timeout: number): ChangedSpans {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  const [beforeEnd, afterEnd] = [before.length - same, after.length - same];
  const isTooMuch = timeout <= 0 || Math.max(beforeEnd, afterEnd) - start > limits.characters;
  const [oldWords, newWords] = [before.slice(start, beforeEnd), after.slice(start, afterEnd)];
  const spans = isTooMuch ? undefined : spansOfWords(wordsOf(oldWords), wordsOf(newWords), start, timeout);
  return spans ?? { before: [{ start, end: beforeEnd }], after: [{ start, end: afterEnd }] };
}

function wordsOf(text: string): string[] {
  return text.match(/\w{1,100}|\W/g) ?? [];
}

function spansOfWords(before: string[], after: string[], offset: number, timeout: number): ChangedSpans | undefined {
  const changes = diffArrays(before, after, { maxEditLength: limits.maxEditLength, timeout });
  if (changes === undefined) return undefined;
  const spans = { before: [] as Span[], after: [] as Span[] };
  let [oldStart, newStart] = [offset, offset];
  for (const { value, added, removed } of changes) {
    const length = value.reduce((sum, word) => sum + word.length, 0);
    const [oldEnd, newEnd] = [oldStart + (added ? 0 : length), newStart + (removed ? 0 : length)];
    if (added || removed) {
      spans.before.push({ start: oldStart, end: oldEnd });
      spans.after.push({ start: newStart, end: newEnd });
    }
    [oldStart, newStart] = [oldEnd, newEnd];
  }
  return spans;
}
