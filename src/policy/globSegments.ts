import { nameMatches, parseName, type NamePattern } from './namePattern.ts';

/** Any number of names, none included. */
export const anyDepth = '**' as const;

export type GlobSegment = typeof anyDepth | NamePattern;

/** Why a glob is not valid and what to write instead: the end of a sentence, for the one who wrote it. */
export class GlobError extends Error {
  override readonly name = 'GlobError';
}

/** How the `{a,b}` of a glob are read. */
export interface BraceLimits {
  /** Of the texts that a glob stands for, since each `{a,b}` doubles them (threat row H16). */
  readonly maximum: number;
  /** Whether `{a}` is `a`; otherwise it is refused, since other programs take it as it stands. */
  readonly allowsOneChoice: boolean;
}

/**
 * Every text that the `{a,b}` in a glob stand for; what is in `[]` is left alone.
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
 * The names of a glob without `{a,b}`, from its root down.
 * @throws GlobError
 */
export function parseSegments(text: string): readonly GlobSegment[] {
  const names = text.split('/');
  if (names.includes('')) throw new GlobError('holds an empty name; write one name between two /');
  if (names.includes('..')) throw new GlobError('holds ..; write the path from the workspace folder down');
  if (names.includes('.')) throw new GlobError('holds a dot as a name; only ./ at the start is one');
  return names.map((name) => (name === anyDepth ? anyDepth : parseSegment(name)));
}

/** With a `**` at the end, only what lies below is meant: one name at least. */
export function atLeastOneBelow(segments: readonly GlobSegment[]): readonly GlobSegment[] {
  return segments.at(-1) === anyDepth ? [...segments, parseSegment('*')] : segments;
}

/** @throws GlobError */
export function parseSegment(name: string): NamePattern {
  const pattern = parseName(name);
  if (pattern === undefined) throw unclosedSet();
  return pattern;
}

/** Whether segments match names as a whole, or the first ones of them: at least so many. */
export function segmentsMatch(
  segments: readonly GlobSegment[],
  names: readonly string[],
  atLeast = names.length,
): boolean {
  const matches = (segment: NamePattern, at: number): boolean => nameMatches(segment, names[at] ?? '');
  const last = segments.at(-1);
  // Most paths fail here.
  if (atLeast === names.length && last !== undefined && last !== anyDepth && !matches(last, names.length - 1))
    return false;
  return matchSegments(segments, names.length, matches, atLeast);
}

/**
 * Whether segments match a list of `length` things as a whole, or the first ones of it: at least so many. Only the last `**` is ever
 * tried again, since the first place where something is found is as good as a later one; so this asks `segments.length * length`
 * times at most (threat row H16).
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
  return new GlobError('has { and } that do not belong together as in {a,b}; write [{] for a { in a name');
}

function tooManyPaths(): GlobError {
  return new GlobError('stands for too many paths; write fewer choices in {}, or * for them');
}
