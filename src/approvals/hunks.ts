import { diffArrays } from 'diff';
import { anchors } from './anchors.ts';

/** Edits of one comparison beyond which a rougher one is used; of a whole text, and of the part between two anchors. */
const [mostEdits, mostEditsBetweenAnchors] = [600, 200];
/** Hunks that may hang together by their brackets. */
const mostLinked = 50;

/** Lines in place of lines, without any that did not change around them. Lines carry their line ends. */
export interface Hunk {
  /** 0-based index of the first line that is replaced; where lines are only added, of the line they are put before. */
  readonly baseStart: number;
  readonly baseLines: readonly string[];
  /** 0-based, in the text with all hunks. */
  readonly resultStart: number;
  readonly resultLines: readonly string[];
}

export interface Hunks {
  /** In order; never two that touch. */
  readonly hunks: readonly Hunk[];
  /** The texts are too different to compare closely: lines that did not change may be among the changed ones, never the reverse. */
  readonly rough: boolean;
}

/** A hunk with what the human decided about it. */
export interface ReviewHunk extends Hunk {
  /** Whose it is: the assistant's as proposed, or a text of the human's. */
  readonly origin: 'proposed' | 'edited';
  /** It is part of what would be applied. */
  readonly included: boolean;
  /** Indexes of others that open a bracket which this one closes, or the reverse: taken out and back in together. */
  readonly linked: readonly number[];
}

export interface Review {
  readonly hunks: readonly ReviewHunk[];
  /** What would be applied is not a selection of the proposed hunks. */
  readonly edited: boolean;
  readonly rough: boolean;
}

/** Every difference between two texts. The same texts always give the same hunks, for a human's selection names them by index. */
export function hunksBetween(base: string, result: string): Hunks {
  const [before, after] = [linesOf(base), linesOf(result)];
  const whole = leastEdits(before, after) <= mostEdits ? compare(before, after, 0, 0, mostEdits) : undefined;
  if (whole !== undefined) return { hunks: whole, rough: false };
  return compareBetweenAnchors(before, after);
}

/** The text that these hunks make of the base. */
export function compose(base: string, hunks: readonly Hunk[]): string {
  const lines = linesOf(base);
  const parts: string[] = [];
  let at = 0;
  for (const { baseStart, baseLines, resultLines } of hunks) {
    parts.push(...lines.slice(at, baseStart), ...resultLines);
    at = baseStart + baseLines.length;
  }
  return [...parts, ...lines.slice(at)].join('');
}

/**
 * What stands between the base and the text that would be applied, in terms of the proposal. Composing the included hunks
 * always gives exactly `current`.
 */
export function reviewOf(base: string, proposed: Hunks, current: string): Review {
  const { hunks, rough } = proposed;
  const included = selectionOf(base, hunks, current);
  if (included !== undefined) {
    const reviewed = hunks.map((hunk, index) => ({
      ...hunk,
      origin: 'proposed' as const,
      included: included[index] === true,
    }));
    return { hunks: linked(reviewed), edited: false, rough };
  }
  const now = hunksBetween(base, current);
  const applied = now.hunks.map((hunk) => ({
    ...hunk,
    origin: hunks.some((each) => isSameHunk(each, hunk)) ? ('proposed' as const) : ('edited' as const),
    included: true,
  }));
  const left = hunks
    .filter((hunk) => !now.hunks.some((each) => touches(each, hunk)))
    .map((hunk) => ({ ...hunk, origin: 'proposed' as const, included: false }));
  const all = [...applied, ...left].toSorted((a, b) => a.baseStart - b.baseStart);
  return { hunks: linked(all), edited: true, rough: now.rough };
}

/** The text after taking a hunk, and those linked with it, out or back in. */
export function select(base: string, { hunks }: Review, index: number, included: boolean): string {
  const chosen = new Set([index, ...(hunks[index]?.linked ?? [])]);
  return compose(
    base,
    hunks.filter((hunk, at) => (chosen.has(at) ? included : hunk.included)),
  );
}

/** Lines with their line ends; only a last line may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** A lower bound that costs next to nothing: lines that one text has more often than the other. */
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
    if (removed) {
      open.baseLines.push(...value);
      baseStart += value.length;
    } else {
      open.resultLines.push(...value);
      resultStart += value.length;
    }
  }
  return hunks;
}

/** In linear time: lines that occur once in both texts hold them together, and what lies between is compared by itself. */
function compareBetweenAnchors(before: readonly string[], after: readonly string[]): Hunks {
  const hunks: Hunk[] = [];
  let rough = false;
  let [baseStart, resultStart] = [0, 0];
  for (const anchor of [...anchors(before, after), { oldIndex: before.length, newIndex: after.length }]) {
    const [old, fresh] = [before.slice(baseStart, anchor.oldIndex), after.slice(resultStart, anchor.newIndex)];
    if (old.length > 0 || fresh.length > 0) {
      const close = compare(old, fresh, baseStart, resultStart, mostEditsBetweenAnchors);
      hunks.push(...(close ?? [trimmed(old, fresh, baseStart, resultStart)]));
      rough ||= close === undefined && old.some((line) => fresh.includes(line));
    }
    baseStart = anchor.oldIndex + 1;
    resultStart = anchor.newIndex + 1;
  }
  return { hunks, rough };
}

/** All of it changed, but for what both begin and end with. */
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
 * Which of the hunks a text has, when it is the base with a selection of them and nothing else. Where several selections
 * give the same text, the one with the first hunks in it.
 */
function selectionOf(base: string, hunks: readonly Hunk[], current: string): boolean[] | undefined {
  const [lines, wanted] = [linesOf(base), linesOf(current)];
  const startsAt = (part: readonly string[], at: number): boolean =>
    at + part.length <= wanted.length && part.every((line, index) => wanted[at + index] === line);
  /** How far the text can be explained, per hunk and line; a dead end is not tried twice. */
  const deadEnds = new Set<string>();
  const choices: boolean[] = [];
  const positions: number[] = [];
  const gapBefore = (index: number): string[] => {
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

/** Brackets that one hunk opens and a later one closes make them depend on each other. */
function linked(hunks: readonly Omit<ReviewHunk, 'linked'>[]): ReviewHunk[] {
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
function bracketsOf({ baseLines, resultLines }: Hunk): number[] {
  const count = (lines: readonly string[], bracket: string): number =>
    lines.reduce((sum, line) => sum + line.split(bracket).length - 1, 0);
  return ['()', '[]', '{}'].map(([open = '', close = '']) => {
    const net = (lines: readonly string[]): number => count(lines, open) - count(lines, close);
    return net(resultLines) - net(baseLines);
  });
}

/** The same lines in place of the same lines. */
export function isSameHunk(one: Hunk, other: Hunk): boolean {
  return (
    one.baseStart === other.baseStart &&
    one.baseLines.length === other.baseLines.length &&
    one.resultLines.length === other.resultLines.length &&
    one.resultLines.every((line, index) => line === other.resultLines[index])
  );
}

/** They change the same lines, or lines with nothing between them. */
export function touches(one: Hunk, other: Hunk): boolean {
  return (
    one.baseStart <= other.baseStart + other.baseLines.length && other.baseStart <= one.baseStart + one.baseLines.length
  );
}
