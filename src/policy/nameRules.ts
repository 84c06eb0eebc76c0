import { expandBraces, parseSegment } from './globSegments.ts';
import { nameMatches } from './namePattern.ts';
import { protectedRows } from './protectedRows.ts';
import { hardDenied, sampleEnvironments, secret } from './protectedTable.ts';

export type PathClass = 'ordinary' | 'protected' | 'secret' | 'hard_deny';

export interface Classification {
  readonly class: PathClass;
  /** The pattern that it matched, for display. Absent for an ordinary path. */
  readonly pattern?: string;
  /** True for a protected path that an allow rule may open, because it acts only at the next command of the user. */
  readonly isRuleable?: true;
}

export const ordinary: Classification = { class: 'ordinary' };

const strictness: Readonly<Record<PathClass, number>> = { ordinary: 0, protected: 2, secret: 3, hard_deny: 4 };

export function stricter(one: Classification, other: Classification): Classification {
  return strictnessOf(other) > strictnessOf(one) ? other : one;
}

function strictnessOf({ class: kind, isRuleable }: Classification): number {
  return strictness[kind] - (isRuleable === true ? 1 : 0);
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

function compilePatterns(
  verdictOfAll: Omit<Classification, 'pattern'>,
  patterns: readonly string[],
): readonly NamePattern[] {
  return patterns.map((pattern) => {
    const verdict = { ...verdictOfAll, pattern: `**/${pattern}` };
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
  ...compilePatterns({ class: 'hard_deny' }, hardDenied),
  ...compilePatterns({ class: 'secret' }, secret),
  ...protectedRows.flatMap(({ strength, patterns }) =>
    compilePatterns({ class: 'protected', ...(strength === 'atNextCommand' && { isRuleable: true }) }, patterns),
  ),
];

/** Matches every name that the first segment of a pattern can match; it rejects nearly every name of a large tree at once. */
const anyFirst = new RegExp(
  [...hardDenied, ...secret, ...protectedRows.flatMap(({ patterns }) => patterns)]
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
