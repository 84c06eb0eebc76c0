import { nameMatches, parseName, type NamePattern } from './namePattern.ts';

/** The segment `**`, which matches any number of names, including none. */
export const anyDepth = '**' as const;

export type GlobSegment = typeof anyDepth | NamePattern;

/** Thrown for a glob that is not valid. The message says why and what to write instead, as the end of a sentence. */
export class GlobError extends Error {
  override readonly name = 'GlobError';
}

/** Options for expanding the `{a,b}` of a glob. */
export interface BraceLimits {
  /** The most texts that a glob may stand for; each `{a,b}` doubles them (threat row H16). */
  readonly maximum: number;
  /** True to read `{a}` as `a`; otherwise it is refused, since other programs take it literally. */
  readonly allowsOneChoice: boolean;
}

/**
 * Returns every text that the `{a,b}` in a glob stand for; text in `[]` is not expanded.
 * @throws GlobError
 */
export function expandBraces(text: string, { maximum, allowsOneChoice }: BraceLimits): readonly string[] {
  const open: { readonly before: readonly string[]; readonly choices: string[] }[] = [];
  let current: readonly string[] = [''];
  for (const [part] of text.matchAll(/\[[!^]?\]?[^\]]*\]|[^[{},]+|[^]/g)) {
    const group = open.at(-1);
    if (part === '[') throw unclosedSet();
    if (part === '{') {
      open.push({ before: current, choices: [] });
      current = [''];
    } else if (part === ',' && group !== undefined) {
      group.choices.push(...current);
      current = [''];
    } else if (part === '}') {
      if (group === undefined || (group.choices.length === 0 && !allowsOneChoice)) throw unbalancedBraces();
      const choices = [...group.choices, ...current];
      if (group.before.length * choices.length > maximum) throw tooManyPaths();
      current = group.before.flatMap((start) => choices.map((choice) => start + choice));
      open.pop();
    } else current = current.map((start) => start + part);
  }
  if (open.length > 0) throw unbalancedBraces();
  if (current.length > maximum) throw tooManyPaths();
  return current;
}

/**
 * Parses a glob without `{a,b}` to its segments, from its root down.
 * @throws GlobError
 */
export function parseSegments(text: string): readonly GlobSegment[] {
  const names = text.split('/');
  if (names.includes('')) throw new GlobError('contains an empty name; write a name between two /');
  if (names.includes('..')) throw new GlobError('contains ..; write the path from the workspace folder');
  if (names.includes('.')) throw new GlobError('contains . as a name; only ./ at the start is allowed');
  return names.map((name) => (name === anyDepth ? anyDepth : parseSegment(name)));
}

/** Makes a `**` at the end match at least one name, so that it matches only what lies below. */
export function atLeastOneBelow(segments: readonly GlobSegment[]): readonly GlobSegment[] {
  return segments.at(-1) === anyDepth ? [...segments, parseSegment('*')] : segments;
}

/** @throws GlobError */
export function parseSegment(name: string): NamePattern {
  const pattern = parseName(name);
  if (pattern === undefined) throw unclosedSet();
  return pattern;
}

/** Returns true when segments match all names, or a prefix of at least `atLeast` names. */
export function segmentsMatch(
  segments: readonly GlobSegment[],
  names: readonly string[],
  atLeast = names.length,
): boolean {
  const matches = (segment: NamePattern, at: number): boolean => nameMatches(segment, names[at] ?? '');
  const last = segments.at(-1);
  // This cheap check rejects most paths.
  if (atLeast === names.length && last !== undefined && last !== anyDepth && !matches(last, names.length - 1))
    return false;
  return matchSegments(segments, names.length, matches, atLeast);
}

/**
 * Returns true when segments match a list of `length` items as a whole, or a prefix of at least `atLeast` items. It retries only
 * from the last `**`, since the first match after an earlier one is as good as a later match, so it compares at most
 * `segments.length * length` times (threat row H16).
 */
export function matchSegments(
  segments: readonly GlobSegment[],
  length: number,
  matches: (segment: NamePattern, at: number) => boolean,
  atLeast = length,
): boolean {
  if (atLeast > length) return false;
  let next = 0;
  let at = 0;
  let retry: { readonly next: number; readonly at: number } | undefined;
  while (next < segments.length || at < atLeast) {
    const segment = segments[next];
    if (segment === anyDepth) {
      next += 1;
      if (next === segments.length) return true;
      retry = { next, at };
    } else if (segment !== undefined && at < length && matches(segment, at)) {
      next += 1;
      at += 1;
    } else {
      if (retry === undefined || retry.at >= length) return false;
      retry = { next: retry.next, at: retry.at + 1 };
      ({ next, at } = retry);
    }
  }
  return true;
}

function unclosedSet(): GlobError {
  return new GlobError('has a [ without its ], or an empty range; write [[] for a [ in a name');
}

function unbalancedBraces(): GlobError {
  return new GlobError('has { and } that do not form a pair as in {a,b}; write [{] for a { in a name');
}

function tooManyPaths(): GlobError {
  return new GlobError('expands to too many paths; write fewer choices in {}, or use *');
}
