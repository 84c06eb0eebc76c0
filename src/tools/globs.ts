import * as z from 'zod';

/** Bounds against globs that cost more than they find (threat rows H16 and P14). */
const maximumWildcards = 16;

/** One glob of a caller. */
export const globInput = z
  .string()
  .min(1)
  // What is too long is not even looked at: the checks below would take hours for a megabyte of [.
  .max(256, { abort: true })
  .refine((glob) => (glob.match(/[*?[{]/g) ?? []).length <= maximumWildcards, {
    message: `at most ${maximumWildcards} wildcards in one glob`,
  })
  .refine((glob) => !glob.includes('\0'), { message: 'a NUL character is in no path' })
  .refine((glob) => !/^[a-z][a-z0-9+.-]+:\/\//i.test(glob), { message: 'a glob is a path with wildcards, not a URI' })
  .refine((glob) => !glob.startsWith('!'), { message: 'a glob does not begin with !; use exclude' })
  .refine(isBalanced, { message: 'a [ or { in the glob is not closed' });

/** `include` and `exclude` of searches. */
export const globsInput = z.array(globInput).max(32).exactOptional();

function isBalanced(glob: string): boolean {
  const withoutClasses = glob.replace(/\[[!^]?\]?[^\]]*\]/g, '');
  let depth = 0;
  for (const character of withoutClasses) {
    if (character === '[') return false;
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Files whose path holds a part, letters in either case; what a glob would take as syntax stands for itself. */
export function anyCaseGlob(part: string): string {
  const inner = Array.from(part.replace(/^\/+/, ''), (character) => {
    const lower = character.toLowerCase();
    const upper = character.toUpperCase();
    if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
    return /[()|+@$*?[{]/.test(character) ? `[${character}]` : character;
  }).join('');
  return `**/*${inner}*`;
}
