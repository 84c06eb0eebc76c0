import * as z from 'zod';
import { parseRule } from '../ruleSchema.ts';
import type { ScopedRule } from '../rules.ts';
import { identified, withId } from './rulesDocument.ts';

const allowing = z.looseObject({ effect: z.literal('allow') });

/** Returns the rules of a document that may only make things stricter. Its `allow` rules are left out and counted. */
export function readStrictRules(
  written: readonly unknown[],
  tools: readonly string[],
  scope: 'repository' | 'managed',
): { readonly rules: readonly ScopedRule[]; readonly ignored: number } {
  const strict = written.filter((each) => !allowing.safeParse(each).success);
  const rules = identified(strict).map(({ id, written: each }): ScopedRule => {
    const { rule, invalid } = parseRule(withId(each), { tools });
    return { scope, rule: { ...rule, id }, ...(invalid !== undefined && { invalid }) };
  });
  return { rules, ignored: written.length - strict.length };
}
