/** Compares two texts line by line: the hunks between them, and the text that hunks make of a base. */
import { diffArrays } from 'diff';

/** Above this many edits a rougher comparison is used: for a whole text, and for the part between two anchors. */
const [mostEdits, mostEditsBetweenAnchors] = [600, 200];
const lineFeed = 0x0a;

/** Lines that replace other lines, without unchanged lines around them. Lines include their line ends. */
export interface Hunk {
  /** 0-based index of the first replaced line; when lines are only added, of the line after them. */
  readonly baseStart: number;
  readonly baseLines: readonly string[];
  /** 0-based index in the text with all hunks. */
  readonly resultStart: number;
  readonly resultLines: readonly string[];
}

export interface Hunks {
  /** Ordered; no two of them touch. */
  readonly hunks: readonly Hunk[];
  /** The texts are too different to compare closely: lines that did not change may be among the changed ones, never the reverse. */
  readonly rough: boolean;
}

/** Returns every difference between two texts. Equal texts always give equal hunks, since a user's selection names them by index. */
export function hunksBetween(base: string, result: string): Hunks {
  const { head, headLines, tail } = commonEnds(base, result);
  const [before, after] = [
    linesOf(base.slice(head, base.length - tail)),
    linesOf(result.slice(head, result.length - tail)),
  ];
  const isClose = leastEdits(before, after) <= mostEdits;
  const whole = isClose ? compare(before, after, headLines, headLines, mostEdits) : undefined;
  if (whole !== undefined) return { hunks: whole, rough: false };
  return compareBetweenAnchors(before, after, headLines);
}

/** Returns the base with these hunks applied. */
export function compose(base: string, hunks: readonly Hunk[]): string {
  const lines = linesOf(base);
  const parts: string[] = [];
  let at = 0;
  for (const { baseStart, baseLines, resultLines } of hunks) {
    parts.push(lines.slice(at, baseStart).join(''), resultLines.join(''));
    at = baseStart + baseLines.length;
  }
  return parts.join('') + lines.slice(at).join('');
}

/** Splits a text into lines with their line ends; only the last line may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Returns the complete lines that both texts begin and end with (`head` and `tail` in UTF-16 units): most changes are small parts of a file. */
function commonEnds(base: string, result: string): { head: number; headLines: number; tail: number } {
  const shorter = Math.min(base.length, result.length);
  let [at, head, headLines] = [0, 0, 0];
  while (at < shorter && base.charCodeAt(at) === result.charCodeAt(at)) {
    at += 1;
    if (base.charCodeAt(at - 1) === lineFeed) [head, headLines] = [at, headLines + 1];
  }
  let [back, tail] = [0, 0];
  const endOfBase = base.length - 1;
  const endOfResult = result.length - 1;
  while (back < shorter - head && base.charCodeAt(endOfBase - back) === result.charCodeAt(endOfResult - back)) {
    if (base.charCodeAt(endOfBase - back) === lineFeed) tail = back;
    back += 1;
  }
  return { head, headLines, tail };
}

/** Returns a cheap lower bound of the edits: the lines that one text has more often than the other. */
function leastEdits(before: readonly string[], after: readonly string[]): number {
  const surplus = new Map<string, number>();
  for (const line of before) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of after) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  let edits = 0;
  for (const count of surplus.values()) edits += Math.abs(count);
  return edits;
}

function compare(
  before: readonly string[],
  after: readonly string[],
  baseOffset: number,
  resultOffset: number,
  maxEditLength: number,
): Hunk[] | undefined {
  const changes = diffArrays([...before], [...after], { maxEditLength });
  if (changes === undefined) return undefined;
  const hunks: Hunk[] = [];
  let [baseStart, resultStart] = [baseOffset, resultOffset];
  let open: { baseStart: number; baseLines: string[]; resultStart: number; resultLines: string[] } | undefined;
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      open = undefined;
      baseStart += value.length;
      resultStart += value.length;
      continue;
    }
    if (open === undefined) {
      open = { baseStart, baseLines: [], resultStart, resultLines: [] };
      hunks.push(open);
    }
    // There may be more lines than a call takes arguments.
    if (removed) {
      for (const line of value) open.baseLines.push(line);
      baseStart += value.length;
    } else {
      for (const line of value) open.resultLines.push(line);
      resultStart += value.length;
    }
  }
  return hunks;
}

/**
 * Compares in linear time: splits both texts at lines that occur once in each, and compares the parts between.
 * @param offset 0-based index of the first of these lines
 */
function compareBetweenAnchors(before: readonly string[], after: readonly string[], offset: number): Hunks {
  const hunks: Hunk[] = [];
  let rough = false;
  let [baseStart, resultStart] = [0, 0];
  for (const anchor of [...findAnchors(before, after), { oldIndex: before.length, newIndex: after.length }]) {
    const [old, fresh] = [before.slice(baseStart, anchor.oldIndex), after.slice(resultStart, anchor.newIndex)];
    if (old.length > 0 || fresh.length > 0) {
      const starts = [baseStart + offset, resultStart + offset] as const;
      const close = compare(old, fresh, ...starts, mostEditsBetweenAnchors);
      hunks.push(...(close ?? [trimmed(old, fresh, ...starts)]));
      rough ||= close === undefined && haveCommonLine(old, fresh);
    }
    baseStart = anchor.oldIndex + 1;
    resultStart = anchor.newIndex + 1;
  }
  return { hunks, rough };
}

function haveCommonLine(old: readonly string[], fresh: readonly string[]): boolean {
  const known = new Set(old);
  return fresh.some((line) => known.has(line));
}

/** Returns one hunk for everything but the common first and last lines. */
function trimmed(old: readonly string[], fresh: readonly string[], baseStart: number, resultStart: number): Hunk {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  return {
    baseStart: baseStart + head,
    baseLines: old.slice(head, old.length - tail),
    resultStart: resultStart + head,
    resultLines: fresh.slice(head, fresh.length - tail),
  };
}

/**
 * Returns the hunks that are related to one of the others. Both lists have one base, are ordered, and no two of a list touch.
 * @param isRelated may be true only for hunks that touch
 */
export function meeting(
  hunks: readonly Hunk[],
  others: readonly Hunk[],
  isRelated: (one: Hunk, other: Hunk) => boolean,
): readonly Hunk[] {
  let first = 0;
  return hunks.filter((hunk) => {
    while (endOf(others[first]) < hunk.baseStart) first += 1;
    for (let at = first; (others[at]?.baseStart ?? Infinity) <= endOf(hunk); at += 1) {
      const other = others[at];
      if (other !== undefined && isRelated(hunk, other)) return true;
    }
    return false;
  });
}

function endOf(hunk: Hunk | undefined): number {
  return hunk === undefined ? Infinity : hunk.baseStart + hunk.baseLines.length;
}

/** Returns whether both hunks replace the same lines by the same lines. */
export function isSameHunk(one: Hunk, other: Hunk): boolean {
  return (
    one.baseStart === other.baseStart &&
    one.baseLines.length === other.baseLines.length &&
    one.resultLines.length === other.resultLines.length &&
    one.resultLines.every((line, index) => line === other.resultLines[index])
  );
}

/** Returns whether both hunks change the same or adjacent lines. */
export function touches(one: Hunk, other: Hunk): boolean {
  return one.baseStart <= endOf(other) && other.baseStart <= endOf(one);
}

/** A line that both texts share, by its 0-based index in each. */
export interface Anchor {
  readonly oldIndex: number;
  readonly newIndex: number;
}

/** Returns the lines that occur exactly once in both texts, in the longest order that both share (patience diff). */
export function findAnchors(before: readonly string[], after: readonly string[]): Anchor[] {
  const old = uniqueLines(before);
  const candidates: Anchor[] = [];
  for (const [line, newIndex] of uniqueLines(after)) {
    const oldIndex = old.get(line);
    if (oldIndex !== undefined) candidates.push({ oldIndex, newIndex });
  }
  return longestRise(candidates);
}

function uniqueLines(lines: readonly string[]): Map<string, number> {
  const seen = new Set<string>();
  const unique = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (seen.has(line)) unique.delete(line);
    else unique.set(line, index);
    seen.add(line);
  }
  return unique;
}

/** Returns the longest subsequence with rising `oldIndex`. */
function longestRise(candidates: readonly Anchor[]): Anchor[] {
  interface Link extends Anchor {
    readonly before: Link | undefined;
  }
  const piles: Link[] = [];
  for (const candidate of candidates) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((piles[middle]?.oldIndex ?? 0) < candidate.oldIndex) low = middle + 1;
      else high = middle;
    }
    piles[low] = { ...candidate, before: piles[low - 1] };
  }
  const rise: Anchor[] = [];
  for (let link = piles.at(-1); link !== undefined; link = link.before) rise.push(link);
  return rise.toReversed();
}
