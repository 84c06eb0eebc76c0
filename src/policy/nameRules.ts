import { expandBraces, parseSegment } from './globSegments.ts';
import { type NamePattern as NameGlob, nameMatches } from './namePattern.ts';
import { protectedRows } from './protectedRows.ts';
import { hardDenied } from './protectedTable.ts';
import { secretRows, sourceExtensions } from './secretRows.ts';

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
  /** True when it matches files only, and no folder with what lies below it. */
  readonly isOfFiles?: boolean;
  /** Words in the names of files that are left out. */
  readonly except?: ReadonlySet<string> | undefined;
  /** Names of folders below which files are left out. */
  readonly exceptBelow?: ReadonlySet<string> | undefined;
}

function compilePatterns(
  facts: Omit<Classification, 'pattern'> & Pick<NamePattern, 'isOfFiles' | 'except' | 'exceptBelow'>,
  patterns: readonly string[] = [],
): readonly NamePattern[] {
  const { isOfFiles = false, except, exceptBelow, ...verdictOfAll } = facts;
  return patterns.map((pattern) => {
    const verdict = { ...verdictOfAll, pattern: `**/${pattern}` };
    const [first, second, ...rest] = pattern.split('/').map(matcherOf);
    if (first === undefined || rest.length > 0) throw new Error(`A pattern has one or two segments: ${pattern}`);
    return { verdict, first, ...(second && { second }), isOfFiles, except, exceptBelow };
  });
}

const braces = { maximum: 64, allowsOneChoice: false };

/** Returns the matcher of a segment. It reads the segment at its first name, because most names get no further than `anyFirst`. */
function matcherOf(segment: string): (name: string) => boolean {
  let choices: readonly NameGlob[] | undefined;
  return (name) =>
    (choices ??= expandBraces(segment, braces).map(parseSegment)).some((choice) => nameMatches(choice, name));
}

const allPatterns: readonly NamePattern[] = [
  ...compilePatterns({ class: 'hard_deny' }, hardDenied),
  ...secretRows.flatMap(({ files, folders, ...left }) => [
    ...compilePatterns({ class: 'secret', isOfFiles: true, except: left.except, exceptBelow: left.exceptBelow }, files),
    ...compilePatterns({ class: 'secret' }, folders),
  ]),
  ...protectedRows.flatMap(({ strength, patterns }) =>
    compilePatterns({ class: 'protected', ...(strength === 'atNextCommand' && { isRuleable: true }) }, patterns),
  ),
];

/** Matches every name that the first segment of a pattern can match; it rejects nearly every name of a large tree at once. */
const anyFirst = new RegExp(
  [
    ...hardDenied,
    ...secretRows.flatMap(({ files = [], folders = [] }) => [...files, ...folders]),
    ...protectedRows.flatMap(({ patterns }) => patterns),
  ]
    .flatMap((pattern) => expandBraces(pattern.split('/')[0] ?? '', braces))
    .map((choice) => parseSegment(choice).runs[0]?.source ?? '')
    .join('|'),
  'su',
);

/** Returns the patterns whose first segment matches a folded name. */
export function patternsStarting(folded: string): readonly NamePattern[] {
  return anyFirst.test(folded) ? allPatterns.filter(({ first }) => first(folded)) : [];
}

/** Returns true when the file of a folded name is never closed by its name, because it is source code. */
export function isSourceCode(folded: string): boolean {
  const dot = folded.lastIndexOf('.');
  return dot > 0 && sourceExtensions.has(folded.slice(dot + 1));
}

/** Returns true when a name has one of the words, or its file stands in a folder of templates, as those of a Helm chart do. */
function isLeftOut({ name, above }: Leaf, { except, exceptBelow }: NamePattern): boolean {
  if (exceptBelow !== undefined && above.some((folder) => exceptBelow.has(folder))) return true;
  if (except === undefined) return false;
  return above.at(-1) === 'templates' || name.split(/[._-]/).some((word) => except.has(word));
}

/** The last name of a path, by which patterns of files and the exceptions of secret files go. */
interface Leaf {
  /** Folded. */
  readonly name: string;
  /** The folded names of the folders above it, from the workspace folder down. */
  readonly above: readonly string[];
  readonly isFolder: boolean;
}

/**
 * Returns true when a pattern that matches names of a path counts for the path.
 * @param isLast whether the last name that the pattern matches is the last one of the path
 */
export function counts(pattern: NamePattern, leaf: Leaf, isLast: boolean): boolean {
  if (pattern.isOfFiles === true && (leaf.isFolder || !isLast)) return false;
  if (pattern.verdict.class !== 'secret' || leaf.isFolder) return true;
  return !isSourceCode(leaf.name) && !isLeftOut(leaf, pattern);
}

/**
 * Classifies a path relative to its folder by its strictest segment; everything in a matched directory is matched too.
 * @param isFolder whether the path is known to be a folder
 */
export function classifyNames(relative: string, isFolder = false): Classification {
  const segments = relative.split(/[/\\]/).map(fold);
  const leaf = { name: segments.at(-1) ?? '', above: segments.slice(0, -1), isFolder };
  let verdict = ordinary;
  for (const [at, segment] of segments.entries()) {
    for (const pattern of patternsStarting(segment)) {
      const next = segments[at + 1];
      const matches = pattern.second === undefined || (next !== undefined && pattern.second(next));
      const last = pattern.second === undefined ? at : at + 1;
      if (matches && counts(pattern, leaf, last === segments.length - 1)) verdict = stricter(verdict, pattern.verdict);
    }
  }
  return verdict;
}
