import type { AuditDecision } from '#audit/auditLog.ts';

/** What the record keeps of a decision; of a call that was allowed without more, if nothing else is said. */
export function auditDecision(facts: Partial<AuditDecision> = {}): AuditDecision {
  return { effect: 'allow', step: 'default', reason: 'default', mode: 'manual', trusted: true, explain: [], ...facts };
}
