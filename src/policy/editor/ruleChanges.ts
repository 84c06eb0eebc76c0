import { createHash } from 'node:crypto';
import type { AuditLog } from '#audit/auditLog.ts';
import type { RuleScope } from '../rules.ts';

/** One rule as it is written, whether it applies in this window or not. */
export interface WrittenRule {
  readonly id: string;
  readonly scope: RuleScope;
  readonly text: string;
}

/** Records every change of a set of rules in the audit log: the rule, and hashes of the whole set before and after. */
export class RuleChanges {
  readonly #auditLog: Pick<AuditLog, 'event'>;
  #rules: ReadonlyMap<string, WrittenRule>;
  #hash: string;

  constructor(auditLog: Pick<AuditLog, 'event'>, rules: readonly WrittenRule[]) {
    this.#auditLog = auditLog;
    this.#rules = byKey(rules);
    this.#hash = hashOf(rules);
  }

  record(rules: readonly WrittenRule[]): void {
    const [before, after] = [this.#hash, hashOf(rules)];
    if (before === after) return;
    const [old, now] = [this.#rules, byKey(rules)];
    [this.#rules, this.#hash] = [now, after];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(key), now.get(key)];
      const rule = is ?? was;
      if (rule === undefined || was?.text === is?.text) continue;
      const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
      const { id: ruleId, scope } = rule;
      this.#auditLog.event({ event: 'rule.change', ruleId, scope, change, before, after });
    }
  }
}

function byKey(rules: readonly WrittenRule[]): ReadonlyMap<string, WrittenRule> {
  return new Map(rules.map((rule) => [`${rule.scope} ${rule.id}`, rule]));
}

/** Returns the first 16 hex digits of the SHA-256 hash. */
function hashOf(rules: readonly WrittenRule[]): string {
  const texts = rules.map(({ scope, text }) => [scope, text]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}
