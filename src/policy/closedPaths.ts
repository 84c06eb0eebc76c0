import type { GlobSegment } from './globSegments.ts';
import type { NamePattern } from './namePattern.ts';
import { classifyNames, fold, ordinary, stricter, type Classification } from './nameRules.ts';
import { parseGlob, type PathGlob } from './pathGlob.ts';
import { packagePattern } from './protectedRows.ts';
import type { RuleClass } from './rules.ts';
import { classifyTree, treeRules } from './treeRules.ts';

/** An example home directory: the protected trees below it are the same for every home. */
const home = '/home';
const homeTrees = treeRules({ home, privateFolders: [] });
const packageVerdict: Classification = { class: 'protected', pattern: packagePattern, isRuleable: true };

/** Sample names for `*`: one that built-in patterns match and one that they leave out (`.env.example` is not secret). */
const sampleWords = ['x', 'example'];

/**
 * Returns why an `allow` rule cannot name a path, as the end of a sentence: a built-in rule closes everything that the glob
 * can match. Returns undefined for any other path.
 * @throws GlobError
 */
export function closedReason(glob: string, kind: RuleClass | undefined): string | undefined {
  const verdicts = sampleVerdicts(parseGlob(glob, 'asWritten'));
  const [first] = verdicts;
  const isOpen = (verdict: Classification): boolean => {
    if (verdict.class === 'protected') return kind === 'read' || kind === 'ui' || verdict.isRuleable === true;
    return verdict.class === 'ordinary';
  };
  if (first === undefined || verdicts.some(isOpen)) return undefined;
  const pattern = first.pattern ?? 'a built-in rule';
  if (first.class === 'protected')
    return `${pattern} needs approval each time, whatever the rules say; remove that path`;
  if (first.class === 'secret')
    return `${pattern} is closed to assistants, and only an ask rule can open it; remove that path`;
  return `${pattern} is never read or changed for an assistant; remove that path`;
}

/**
 * Returns true when everything that a glob can match is protected, so that its author meant protected files: `Makefile`,
 * `scripts/*.sh`, but neither `*.json` nor `src/**`.
 */
export function matchesOnlyProtected(glob: PathGlob): boolean {
  return sampleVerdicts(glob).every(({ class: kind }) => kind === 'protected');
}

function sampleVerdicts({ root, alternatives }: PathGlob): readonly Classification[] {
  return alternatives.flatMap((segments) => samplesOf(segments).map((sample) => classify(sample, root.in === 'home')));
}

function classify(names: readonly string[], isInHome: boolean): Classification {
  const path = names.join('/');
  // A rule for `.env` means the file, not what lies in a folder of that name.
  const byAnyPrefix = names.map((_, at) => classifyNames(names.slice(0, at + 1).join('/'))).reduce(stricter, ordinary);
  // A package.json is protected by what changes in it, which no glob can tell.
  const byName = stricter(byAnyPrefix, names.some(isPackageName) ? packageVerdict : ordinary);
  return isInHome ? stricter(byName, classifyTree(`${home}/${path}`, homeTrees)) : byName;
}

/** Returns sample paths that a glob matches. */
function samplesOf(segments: readonly GlobSegment[]): readonly (readonly string[])[] {
  return sampleWords.flatMap((word) =>
    [[], [word]].map((between) =>
      segments.flatMap((segment) => (segment === '**' ? between : [sampleName(segment, word)])),
    ),
  );
}

function sampleName({ tokens }: NamePattern, word: string): string {
  return tokens
    .map((token) => {
      if (token === '*') return word;
      if (token === '?') return word.charAt(0);
      if ('text' in token) return token.text;
      return String.fromCodePoint(token.negated ? 0x78 : (token.ranges[0]?.[0] ?? 0x78));
    })
    .join('');
}

function isPackageName(name: string): boolean {
  return fold(name) === 'package.json';
}
