import type { AuditDecision } from '#audit/auditLog.ts';

/** Returns a decision in the form of the audit log; by default that of a call that was allowed without asking. */
export function auditDecision(facts: Partial<AuditDecision> = {}): AuditDecision {
  return { effect: 'allow', step: 'default', reason: 'default', mode: 'manual', trusted: true, explain: [], ...facts };
}
