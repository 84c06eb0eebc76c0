import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Emitter, type Event } from '#base/event.ts';
import { listAuditFiles } from './auditFiles.ts';
import { isRoutine, type AuditDecision, type AuditResource } from './auditLog.ts';
import {
  callHistoryRecord,
  type ApprovalStateRecord,
  type CallHistoryRecord,
  type CallReceived,
  type CallResult,
} from './auditRecord.ts';

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

/** Enough for some 300 calls. */
const tailBytes = 256 * 1024;
const mostFiles = 3;

/**
 * The calls of earlier runs of a window, so that its Activity view survives a reload: from the ends of its newest record
 * files, of this version or the one before. Lines that cannot be read (torn ones at either end) are left out; so are files, and
 * a missing folder is an empty one.
 * @param auditFolder where the record files are
 */
export async function readEarlierCalls(auditFolder: string, windowId: string): Promise<RecentCalls> {
  const files = await listAuditFiles(auditFolder);
  const newest = files.filter((file) => file.windowId === windowId).slice(-mostFiles);
  const tails = await Promise.all(newest.map(({ path }) => readTail(path)));
  const calls = new RecentCalls();
  for (const line of tails.flat()) {
    const record = parseLine(line);
    if (record !== undefined) calls.take(record);
  }
  calls.closeUnfinished();
  return calls;
}

async function readTail(path: string): Promise<string[]> {
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using file = await open(path, flags);
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: size - length });
    return buffer.toString('utf8', 0, bytesRead).split('\n');
  } catch {
    return [];
  }
}

function parseLine(line: string): CallHistoryRecord | undefined {
  try {
    return callHistoryRecord.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
