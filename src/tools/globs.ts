import * as z from 'zod';

/** Limits the cost of matching one glob (threat rows H16 and P14). */
const maximumWildcards = 16;

/** The input schema of one glob. */
export const globInput = z
  .string()
  .min(1)
  // `abort` skips the checks below, which would take hours for a megabyte of [.
  .max(256, { abort: true })
  .refine((glob) => (glob.match(/[*?[{]/g) ?? []).length <= maximumWildcards, {
    message: `at most ${maximumWildcards} wildcards in one glob`,
  })
  .refine((glob) => !glob.includes('\0'), { message: 'a path cannot have a NUL character' })
  .refine((glob) => !/^[a-z][a-z0-9+.-]+:\/\//i.test(glob), { message: 'a glob is a path with wildcards, not a URI' })
  .refine((glob) => !glob.startsWith('!'), { message: 'a glob does not begin with !; use exclude' })
  .refine(isBalanced, { message: 'a [ or { in the glob is not closed' });

/** The input schema of `include` and `exclude` of searches. */
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

/** Returns a glob for files whose path contains the text in any case; glob syntax in the text is escaped. */
export function anyCaseGlob(part: string): string {
  const inner = Array.from(part.replace(/^\/+/, ''), (character) => {
    const lower = character.toLowerCase();
    const upper = character.toUpperCase();
    if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
    return /[()|+@$*?[{]/.test(character) ? `[${character}]` : character;
  }).join('');
  return `**/*${inner}*`;
}
