/** Keeps the list of recent tool calls for the Activity view, and reads it back after a reload. */
import * as z from 'zod';
import { Emitter, type Event } from '#base/event.ts';
import { listAuditFiles, readLastLines } from './auditFiles.ts';
import { isRoutine, type AuditDecision, type AuditResource, type CallCounts } from './auditLog.ts';
import {
  callHistoryRecord,
  type ApprovalStateRecord,
  type CallHistoryRecord,
  type CallReceived,
  type CallResult,
} from './auditRecord.ts';

/** A tool call as the Activity view shows it. The object never changes; every update creates a new one. */
export interface CallSummary {
  /** Unique across all runs of all windows. */
  readonly id: string;
  /** Time of arrival, milliseconds since the epoch. */
  readonly time: number;
  readonly tool: string;
  /** The name that the client claims. */
  readonly client: string | undefined;
  /** Digest of the principal, the same for all calls of a session. */
  readonly principal: string;
  /** The arguments as the record has them: shortened, without secrets and without the text of files. Absent when it cut them. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly resources: readonly AuditResource[];
  /** `ok`, a state of the approval, or an error code; undefined while the call runs. */
  readonly outcome: string | undefined;
  /** Records of version 1 have only `effect` and `reason`. */
  readonly decision?: Pick<AuditDecision, 'effect' | 'reason'> & Partial<AuditDecision>;
  /** For an action: the name by which rules refer to it. */
  readonly definition?: string;
  readonly approvalId?: string;
  readonly durationMilliseconds?: number;
  /** Bytes of text in the result. */
  readonly bytesOut?: number;
  /** Milliseconds from the request to the decision of the user; absent when the user was not asked or has not decided. */
  readonly waitedMilliseconds?: number;
  /** The numbers in the result. Absent for calls of earlier runs. */
  readonly counts?: CallCounts;
}

const kept = 200;

/** States of an approval that replace the outcome of its call in the list. */
const tellingStates: ReadonlySet<string> = new Set([
  'applied',
  'partly_applied',
  'undone',
  'declined',
  'expired',
  'withdrawn',
  'superseded',
  'stale',
  'failed',
]);

/** The last 200 calls without routine requests, built from audit records as they are written or read back. */
export class RecentCalls {
  /** Calls by id, in order of arrival. */
  readonly #calls = new Map<string, CallSummary>();
  /** When the user was asked, in milliseconds since the epoch, by the id of the approval. */
  readonly #asked = new Map<string, number>();
  /** How long the user took, by the id of the approval. */
  readonly #waited = new Map<string, number>();
  /** Tool and digest of the arguments of the calls without a result. */
  readonly #unfinished = new Map<string, string>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;

  /** All calls, newest first. */
  get all(): readonly CallSummary[] {
    return [...this.#calls.values()].toReversed();
  }

  /** The calls without a result, in order of arrival. */
  get running(): readonly CallSummary[] {
    return [...this.#unfinished.keys()].flatMap((id) => this.#calls.get(id) ?? []);
  }

  get(id: string): CallSummary | undefined {
    return this.#calls.get(id);
  }

  /**
   * Takes the records of one run, in the order in which they were written.
   * @param counts the numbers in the result of a call that ended
   */
  take(record: CallHistoryRecord, counts?: CallCounts): void {
    if (record.event === 'call.received') this.#begin(record);
    else if (record.event === 'call.result') this.#end(record, counts);
    else this.#follow(record);
  }

  /** Adds approval and files to a running call that waits for the user, so that the view can name them and lead to the card. */
  waits({ instanceId, seq }: CallReceived, approvalId: string, resources: readonly AuditResource[]): void {
    const call = this.#calls.get(callId(instanceId, seq));
    if (call !== undefined) this.#set({ ...call, approvalId, resources: [...resources] });
  }

  /** Marks calls without a result as `session_closed`, because calls of an earlier run ended with their window. */
  closeUnfinished(): void {
    for (const call of this.#calls.values()) {
      if (call.outcome === undefined) this.#set({ ...call, outcome: 'session_closed' });
    }
  }

  #begin(record: CallReceived): void {
    if (isRoutine(record.tool)) return;
    const given = parseArguments(record.argsPreview);
    const id = callId(record.instanceId, record.seq);
    this.#unfinished.set(id, `${record.tool} ${record.argsDigest}`);
    this.#set({
      id,
      time: Date.parse(record.ts),
      tool: record.tool,
      client: record.client?.name,
      principal: record.principal,
      ...(given && { arguments: given }),
      resources: [],
      outcome: undefined,
    });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size <= kept || oldest === undefined) return;
    this.#calls.delete(oldest);
    this.#unfinished.delete(oldest);
  }

  #end(record: CallResult, counts: CallCounts | undefined): void {
    const call = this.#calls.get(callId(record.instanceId, record.parentSeq));
    if (call === undefined) return;
    this.#unfinished.delete(call.id);
    const { resources, outcome, decision, definition, approvalId, durationMs, bytesOut } = record;
    const waitedMilliseconds = approvalId === undefined ? undefined : this.#waited.get(approvalId);
    this.#set({
      ...call,
      resources,
      outcome,
      durationMilliseconds: durationMs,
      bytesOut,
      ...(decision && { decision }),
      ...(definition !== undefined && { definition }),
      ...(approvalId !== undefined && { approvalId }),
      ...(waitedMilliseconds !== undefined && { waitedMilliseconds }),
      ...(counts && { counts }),
    });
  }

  /** Updates the outcome of a call whose approval was decided after the call ended, or whose change was undone. */
  #follow(record: ApprovalStateRecord): void {
    const { approvalId, state, choice, ts } = record;
    this.#find(record);
    if (state === 'waiting') keep(this.#asked, approvalId, Date.parse(ts));
    const asked = this.#asked.get(approvalId);
    // Only a decision of the user has a choice.
    if (choice !== undefined && asked !== undefined) {
      const waitedMilliseconds = Math.max(0, Date.parse(ts) - asked);
      this.#asked.delete(approvalId);
      keep(this.#waited, approvalId, waitedMilliseconds);
      for (const call of this.#calls.values()) {
        if (call.approvalId === approvalId) this.#set({ ...call, waitedMilliseconds });
      }
    }
    if (!tellingStates.has(state)) return;
    const outcome = choice === 'answer' ? 'answered' : choice === 'dismiss' ? 'dismissed' : state;
    for (const call of this.#calls.values()) {
      if (call.approvalId === approvalId) this.#set({ ...call, outcome });
    }
  }

  /** Finds the call of a change that was half done when the window was killed: it has no result that names its approval. */
  #find({ approvalId, tool, argsDigest }: ApprovalStateRecord): void {
    if (argsDigest === undefined || [...this.#calls.values()].some((call) => call.approvalId === approvalId)) return;
    const [id] = [...this.#unfinished].findLast(([, call]) => call === `${tool} ${argsDigest}`) ?? [];
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call !== undefined) this.#set({ ...call, approvalId });
  }

  #set(call: CallSummary): void {
    this.#calls.set(call.id, call);
    this.#changed.fire();
  }
}

/** Adds a time; the oldest leaves. */
function keep(times: Map<string, number>, approvalId: string, milliseconds: number): void {
  times.set(approvalId, milliseconds);
  const [oldest] = times.keys();
  if (times.size > kept && oldest !== undefined) times.delete(oldest);
}

const argumentsObject = z.record(z.string(), z.unknown());

/** Returns the arguments of a record; undefined when the record cut them. */
function parseArguments(preview: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return argumentsObject.safeParse(JSON.parse(preview)).data;
  } catch {
    return undefined;
  }
}

function callId(instanceId: string, seq: number): string {
  return `${instanceId}:${seq}`;
}

const mostFiles = 3;

/**
 * Reads the calls of earlier runs of a window from the ends of its newest audit files, so that the Activity view survives a
 * reload. It reads records of versions 1 and 2, skips files and lines that it cannot read (the first or last line may be
 * incomplete), and treats a missing folder as empty.
 * @param auditFolder the folder of the audit files
 */
export async function readEarlierCalls(auditFolder: string, windowId: string): Promise<RecentCalls> {
  const files = await listAuditFiles(auditFolder);
  const newest = files.filter((file) => file.windowId === windowId).slice(-mostFiles);
  const tails = await Promise.all(newest.map(({ path }) => readLastLines(path)));
  const calls = new RecentCalls();
  for (const line of tails.flat()) {
    const record = parseLine(line);
    if (record !== undefined) calls.take(record);
  }
  calls.closeUnfinished();
  return calls;
}

function parseLine(line: Buffer): CallHistoryRecord | undefined {
  try {
    return callHistoryRecord.safeParse(JSON.parse(line.toString())).data;
  } catch {
    return undefined;
  }
}
