import { actsAlone } from './protectedAlone.ts';
import { actsAtNextCommand } from './protectedAtCommand.ts';

/**
 * How a protected file comes to act. `alone`: without a command of the user, so each change asks and no rule can allow it.
 * `atNextCommand`: when the user next builds, tests, installs or starts something, so each change asks unless a rule allows it.
 */
type Strength = 'alone' | 'atNextCommand';

/** Protected files with one danger. */
export interface DangerousFiles {
  /** Tells the user in one sentence what such a file can do. */
  readonly danger: string;
  /**
   * Each names a file or folder by its last one or two names, at any depth of the workspace, with everything below it, whether it
   * exists or not (threat row P16). Matched case-folded and NFC, so they are in lower case.
   */
  readonly patterns: readonly string[];
}

interface ProtectedRow extends DangerousFiles {
  readonly strength: Strength;
}

/** The rows in two strengths. A path that matches rows of both has the first strength. */
export const protectedRows: readonly ProtectedRow[] = [
  ...actsAlone.map((row) => ({ ...row, strength: 'alone' as const })),
  ...actsAtNextCommand.map((row) => ({ ...row, strength: 'atNextCommand' as const })),
];

/** The pattern of a `package.json` in which a key changes whose value runs, loads or fetches code. */
export const packagePattern = '**/package.json';

const dangers: ReadonlyMap<string, string> = new Map([
  ...protectedRows.flatMap(({ patterns, danger }) => patterns.map((pattern) => [`**/${pattern}`, danger] as const)),
  [packagePattern, 'What changes here runs or fetches code at the next install, build or test.'],
]);

/** Returns the sentence that tells what a protected file can do. @param pattern as a classification has it; `undefined` of another build */
export function dangerOf(pattern: string): string | undefined {
  if (pattern.startsWith('~/'))
    return 'Programs read their configuration in your home folder, and some run what it says.';
  return dangers.get(pattern);
}

/** The patterns of files that act only at the next command of the user, which an allow rule may open. */
export const ruleableProtected: ReadonlySet<string> = new Set([
  packagePattern,
  ...protectedRows.flatMap(({ strength, patterns }) =>
    strength === 'atNextCommand' ? patterns.map((pattern) => `**/${pattern}`) : [],
  ),
]);
