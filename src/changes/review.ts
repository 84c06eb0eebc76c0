/** A proposal's hunks with what the user included, excluded and typed. */
import { compose, hunksBetween, isSameHunk, linesOf, meeting, touches, type Hunk, type Hunks } from './hunks.ts';

/** A hunk with the user's choice. */
export interface ReviewHunk extends Hunk {
  /** `proposed` by the assistant, or `edited` by the user. */
  readonly origin: 'proposed' | 'edited';
  /** True when the hunk would be applied. */
  readonly included: boolean;
  /** Indexes of other hunks that open a bracket which this one closes, or the reverse: they are toggled together. */
  readonly linked: readonly number[];
}

export interface Review {
  readonly hunks: readonly ReviewHunk[];
  /** True when the text to apply is not a selection of the proposed hunks. */
  readonly edited: boolean;
  readonly rough: boolean;
}

/**
 * Returns the hunks between the base and the text that would be applied, in terms of the proposal. Composing the included hunks
 * always gives exactly `current`.
 */
export function reviewOf(base: string, proposed: Hunks, current: string): Review {
  const { hunks, rough } = proposed;
  const included = findSelection(linesOf(base), hunks, linesOf(current));
  if (included !== undefined) {
    const reviewed = hunks.map((hunk, index) => ({
      ...hunk,
      origin: 'proposed' as const,
      included: included[index] === true,
    }));
    return { hunks: linkHunks(reviewed), edited: false, rough };
  }
  const now = hunksBetween(base, current);
  const kept = new Set(meeting(now.hunks, hunks, isSameHunk));
  const applied = now.hunks.map((hunk) => ({
    ...hunk,
    origin: kept.has(hunk) ? ('proposed' as const) : ('edited' as const),
    included: true,
  }));
  const replaced = new Set(meeting(hunks, now.hunks, touches));
  const left = hunks
    .filter((hunk) => !replaced.has(hunk))
    .map((hunk) => ({ ...hunk, origin: 'proposed' as const, included: false }));
  const all = [...applied, ...left].toSorted((a, b) => a.baseStart - b.baseStart);
  return { hunks: linkHunks(all), edited: true, rough: now.rough };
}

/** Returns a review with all proposed hunks included, or none. */
export function reviewOfAll({ hunks, rough }: Hunks, included: boolean): Review {
  const reviewed = hunks.map((hunk) => ({ ...hunk, origin: 'proposed' as const, included }));
  return { hunks: linkHunks(reviewed), edited: false, rough };
}

/** Returns the text after including or excluding a hunk and those linked with it. */
export function select(base: string, { hunks }: Review, index: number, included: boolean): string {
  const chosen = new Set([index, ...(hunks[index]?.linked ?? [])]);
  return compose(
    base,
    hunks.filter((hunk, at) => (chosen.has(at) ? included : hunk.included)),
  );
}

/** Lines that replace those of a base from a 0-based index on. */
interface Replaced {
  readonly baseStart: number;
  readonly baseLines: readonly string[];
  readonly resultLines: readonly string[];
}

/**
 * Returns which hunks a text (`wanted`) includes; undefined when it is not the base with a selection of them. When several
 * selections give the same text, returns the one that includes the first hunks.
 */
function findSelection(
  lines: readonly string[],
  hunks: readonly Replaced[],
  wanted: readonly string[],
): boolean[] | undefined {
  const startsAt = (part: readonly string[], at: number): boolean =>
    at + part.length <= wanted.length && part.every((line, index) => wanted[at + index] === line);
  /** Pairs of hunk and line from which no selection gives the text; none is tried twice. */
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

interface Changed {
  readonly baseLines: readonly string[];
  readonly resultLines: readonly string[];
}

/** The most hunks that are linked by their brackets. */
const mostLinked = 50;

/** Links hunks of which one opens and a later one closes a bracket; `linked` holds the indexes of the others. */
export function linkHunks<Linkable extends Changed>(
  hunks: readonly Linkable[],
): (Linkable & { readonly linked: readonly number[] })[] {
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

/** Returns by how much the hunk changes the number of unclosed brackets of each kind. */
function bracketsOf({ baseLines, resultLines }: Changed): number[] {
  const count = (lines: readonly string[], bracket: string): number =>
    lines.reduce((sum, line) => sum + line.split(bracket).length - 1, 0);
  return ['()', '[]', '{}'].map(([open = '', close = '']) => {
    const net = (lines: readonly string[]): number => count(lines, open) - count(lines, close);
    return net(resultLines) - net(baseLines);
  });
}
