import { Emitter, type Event } from '#base/event.ts';
import type { AuditDecision, AuditResource } from './auditLog.ts';
import type { ApprovalStateRecord, CallHistoryRecord, CallReceived, CallResult } from './auditRecord.ts';
import { isRoutine } from './routineRequests.ts';

/** One call as the Activity view shows it. A snapshot: every change makes a new object. */
export interface CallSummary {
  /** Unique among all runs of all windows. */
  readonly id: string;
  /** When it arrived, milliseconds since the epoch. */
  readonly time: number;
  readonly tool: string;
  /** What the caller says it is. */
  readonly client: string | undefined;
  readonly resources: readonly AuditResource[];
  /** `ok`, an outcome status, a state of its approval, or an error code; undefined while it runs. */
  readonly outcome: string | undefined;
  /** Records of earlier versions say no more than what and why. */
  readonly decision?: Pick<AuditDecision, 'effect' | 'reason'> & Partial<AuditDecision>;
  /** Of an action: what the rules know it by. */
  readonly definition?: string;
  readonly approvalId?: string;
  readonly durationMilliseconds?: number;
  /** Bytes of text handed back. */
  readonly bytesOut?: number;
}

const kept = 200;

/** States of an approval that say more about its call than the call's own answer did. */
const tellingStates: ReadonlySet<string> = new Set([
  'applied',
  'undone',
  'declined',
  'expired',
  'withdrawn',
  'superseded',
  'stale',
  'failed',
]);

/** The last 200 calls but for routine requests, made from the records of the audit log as they are written or read back. */
export class RecentCalls {
  /** In order of arrival. */
  readonly #calls = new Map<string, CallSummary>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Newest first. */
  get all(): readonly CallSummary[] {
    return [...this.#calls.values()].toReversed();
  }

  get(id: string): CallSummary | undefined {
    return this.#calls.get(id);
  }

  /** Takes records of one run in the order in which they were written. */
  take(record: CallHistoryRecord): void {
    if (record.event === 'call.received') this.#begin(record);
    else if (record.event === 'call.result') this.#end(record);
    else this.#follow(record);
  }

  /** A running call that waits for the human shows what for, and leads to its card. */
  waits({ instanceId, seq }: CallReceived, approvalId: string, resources: readonly AuditResource[]): void {
    const call = this.#calls.get(callId(instanceId, seq));
    if (call !== undefined) this.#set({ ...call, approvalId, resources: [...resources] });
  }

  /** What still runs in records that were read back ended with its window. */
  closeUnfinished(): void {
    for (const call of this.#calls.values()) {
      if (call.outcome === undefined) this.#set({ ...call, outcome: 'session_closed' });
    }
  }

  #begin(record: CallReceived): void {
    if (isRoutine(record.tool)) return;
    this.#set({
      id: callId(record.instanceId, record.seq),
      time: Date.parse(record.ts),
      tool: record.tool,
      client: record.client?.name,
      resources: [],
      outcome: undefined,
    });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > kept && oldest !== undefined) this.#calls.delete(oldest);
  }

  #end(record: CallResult): void {
    const call = this.#calls.get(callId(record.instanceId, record.parentSeq));
    if (call === undefined) return;
    const { resources, outcome, decision, definition, approvalId, durationMs, bytesOut } = record;
    this.#set({
      ...call,
      resources,
      outcome,
      durationMilliseconds: durationMs,
      bytesOut,
      ...(decision && { decision }),
      ...(definition !== undefined && { definition }),
      ...(approvalId !== undefined && { approvalId }),
    });
  }

  /** A call that was answered `pending_approval`, or whose change was undone, shows what became of it. */
  #follow({ approvalId, state, choice }: ApprovalStateRecord): void {
    if (!tellingStates.has(state)) return;
    const outcome = choice === 'answer' ? 'answered' : choice === 'dismiss' ? 'dismissed' : state;
    for (const call of this.#calls.values()) {
      if (call.approvalId === approvalId) this.#set({ ...call, outcome });
    }
  }

  #set(call: CallSummary): void {
    this.#calls.set(call.id, call);
    this.#changed.fire();
  }
}

function callId(instanceId: string, seq: number): string {
  return `${instanceId}:${seq}`;
}
