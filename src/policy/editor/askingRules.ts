import type { RuleClass, RuleScope, ScopedRule } from '../rules.ts';

const changes: readonly RuleClass[] = ['edit', 'delete', 'execute', 'network', 'config'];

/** The id of the rules that replace a rules file that cannot be used. */
export const unreadableRulesId = 'unreadable-rules';

/**
 * Returns the rules that replace a rules file that cannot be used: they ask for everything that the file could have forbidden.
 * @param reason why it cannot be used
 * @param reads true to ask for reads too: a file that was never read may have forbidden some
 */
export function askingRules(
  scope: RuleScope,
  reason: string,
  { folder, reads = false }: { readonly folder?: string; readonly reads?: boolean } = {},
): readonly ScopedRule[] {
  return [...changes, ...(reads ? (['read'] as const) : [])].map((ruleClass) => ({
    scope,
    rule: { id: unreadableRulesId, effect: 'ask', class: ruleClass },
    ...(folder !== undefined && { folder }),
    invalid: reason,
  }));
}
