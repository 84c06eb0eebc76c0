import { expandBraces, parseSegment } from './globSegments.ts';
import { nameMatches } from './namePattern.ts';
import { hardDenied, protectedPaths, sampleEnvironments, secret } from './protectedTable.ts';

export type PathClass = 'ordinary' | 'protected' | 'secret' | 'hard_deny';

export interface Classification {
  readonly class: PathClass;
  /** The pattern that it matched, for display. Absent for an ordinary path. */
  readonly pattern?: string;
}

export const ordinary: Classification = { class: 'ordinary' };

const strictness: Readonly<Record<PathClass, number>> = { ordinary: 0, protected: 1, secret: 2, hard_deny: 3 };

export function stricter(one: Classification, other: Classification): Classification {
  return strictness[other.class] > strictness[one.class] ? other : one;
}

/**
 * Returns the form in which names are compared (threat rows P6, P8). Disks that ignore case also compare upper-case forms: there
 * `.vſcode` and `.vscode` are the same folder. A letter always folds to one letter, since `?` in a glob matches one.
 */
export function fold(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u0080-\u{10ffff}]/gu, foldLetter);
}

function foldLetter(letter: string): string {
  const upper = letter.toUpperCase();
  const lower = upper.toLowerCase();
  return upper.length === letter.length && lower.length <= letter.length ? lower : letter;
}

/** A row of the table: one name, or the name of a directory and a name in it. */
export interface NamePattern {
  readonly verdict: Classification;
  readonly first: (folded: string) => boolean;
  readonly second?: (folded: string) => boolean;
}

function compilePatterns(kind: PathClass, patterns: readonly string[]): readonly NamePattern[] {
  return patterns.map((pattern) => {
    const verdict = { class: kind, pattern: `**/${pattern}` };
    const [first, second, ...rest] = pattern.split('/').map(matcherOf);
    if (first === undefined || rest.length > 0) throw new Error(`A pattern has one or two segments: ${pattern}`);
    return second === undefined ? { verdict, first } : { verdict, first, second };
  });
}

const braces = { maximum: 64, allowsOneChoice: false };

function matcherOf(segment: string): (name: string) => boolean {
  const choices = expandBraces(segment, braces).map(parseSegment);
  return (name) => choices.some((choice) => nameMatches(choice, name));
}

const allPatterns: readonly NamePattern[] = [
  ...compilePatterns('hard_deny', hardDenied),
  ...compilePatterns('secret', secret),
  ...compilePatterns('protected', protectedPaths),
];

/** Matches every name that the first segment of a pattern can match; it rejects nearly every name of a large tree at once. */
const anyFirst = new RegExp(
  [...hardDenied, ...secret, ...protectedPaths]
    .flatMap((pattern) => expandBraces(pattern.split('/')[0] ?? '', braces))
    .map((choice) => parseSegment(choice).runs[0]?.source ?? '')
    .join('|'),
  'su',
);

const samples: ReadonlySet<string> = new Set(sampleEnvironments.map((suffix) => `.env.${suffix}`));

/** Returns the patterns whose first segment matches a folded name. */
export function patternsStarting(folded: string): readonly NamePattern[] {
  if (!anyFirst.test(folded)) return [];
  return allPatterns.filter(
    ({ first, verdict }) => first(folded) && !(verdict.class === 'secret' && samples.has(folded)),
  );
}

/** Classifies a path relative to its folder by its strictest segment; everything in a matched directory is matched too. */
export function classifyNames(relative: string): Classification {
  const segments = relative.split(/[/\\]/).map(fold);
  let verdict = ordinary;
  for (const [at, segment] of segments.entries()) {
    for (const pattern of patternsStarting(segment)) {
      const next = segments[at + 1];
      const matches = pattern.second === undefined || (next !== undefined && pattern.second(next));
      if (matches) verdict = stricter(verdict, pattern.verdict);
    }
  }
  return verdict;
}
