import { OpenedOnce } from '#policy/openedOnce.ts';
import type { Mode, Policy, Rule, RuleReference, RuleScope, ScopedRule } from '#policy/rules.ts';

/** A policy with the mode and rules that a test sets. */
export class FakePolicy implements Policy {
  currentMode: Mode = 'manual';
  time = Date.parse('2026-01-01T00:00:00Z');
  #rules: readonly ScopedRule[];
  readonly decided: RuleReference[] = [];
  readonly openedOnce = new OpenedOnce(() => this.now());

  constructor(...rules: readonly ScopedRule[]) {
    this.#rules = rules;
  }

  mode(): Mode {
    return this.currentMode;
  }

  rules(): readonly ScopedRule[] {
    return this.#rules;
  }

  now(): number {
    return this.time;
  }

  used(rule: RuleReference): void {
    this.decided.push(rule);
  }

  setRules(...rules: readonly ScopedRule[]): void {
    this.#rules = rules;
  }
}

/** Returns a rule, in the user scope unless another scope is given. */
export function ruleOf(rule: Partial<Rule> & Pick<Rule, 'effect'>, scope: RuleScope = 'user'): ScopedRule {
  return { scope, rule: { id: `r-${rule.effect}`, ...rule } };
}
