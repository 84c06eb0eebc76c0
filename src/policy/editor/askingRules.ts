import type { RuleClass, RuleScope, ScopedRule } from '../rules.ts';

const changes: readonly RuleClass[] = ['edit', 'delete', 'execute', 'network', 'config'];

/** The id of the rules that stand in for a file of rules that cannot be used. */
export const unreadableRulesId = 'unreadable-rules';

/**
 * What a file of rules that cannot be used stands for: whatever it could have forbidden asks.
 * @param reason why it cannot be used
 * @param reads reads ask too: the file may have forbidden some, and was never read
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
