import type { AuditEvent, AuditLog, CallEnd, CallRecord, CallStart } from '#audit/auditLog.ts';

/** An audit log in memory. */
export class FakeAuditLog implements AuditLog {
  readonly calls: { readonly start: CallStart; waitsFor?: string; end?: CallEnd }[] = [];
  readonly events: AuditEvent[] = [];
  /** Set to make every `begin` fail, as on a full disk. */
  failure: Error | undefined;

  begin(start: CallStart): CallRecord {
    if (this.failure) throw this.failure;
    const call: (typeof this.calls)[number] = { start };
    this.calls.push(call);
    return {
      waits: (approvalId) => void (call.waitsFor = approvalId),
      end: (end) => void (call.end = end),
    };
  }

  event(event: AuditEvent): void {
    this.events.push(event);
  }
}
