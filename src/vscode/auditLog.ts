import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { AuditEvent, AuditLog, CallEnd, CallRecord, CallStart } from '../ports/auditLog.ts';
import type { Clock } from '../ports/clock.ts';
import { principalKey } from '../ports/principal.ts';
import { AppendFile } from './record/appendFile.ts';
import { argumentsDigest, argumentsPreview } from './record/argumentSummary.ts';
import type { ApprovalStateRecord, CallReceived, CallResult } from './record/auditRecord.ts';
import { RecentCalls } from './record/recentCalls.ts';
import type { Redact } from './record/redaction.ts';
import { makePrivateFolder, type StateFolder } from './stateFolder.ts';

export interface AuditLogOptions {
  readonly state: StateFolder;
  /** Letters, digits, `-` and `_`: it is part of the file's name. */
  readonly windowId: string;
  /** One run of the window's extension host. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly redact: Redact;
  /** Told once when records cannot be written, and again only after one could be. Must not throw. */
  readonly onFailure: (error: unknown) => void;
  /** Where finished and running calls are listed; may hold those of earlier runs already. */
  readonly recentCalls?: RecentCalls;
}

const longestName = 200;

/**
 * The record of every call as JSON Lines, one file for each run of a window (approval-and-security.md, 3.8). A line is in
 * the hands of the operating system when the method that writes it returns; JSON keeps client-made strings inside
 * their line (threat row H10), and every line has passed the redaction of secrets (H13).
 */
export class FileAuditLog implements AuditLog {
  readonly recentCalls: RecentCalls;
  readonly #options: AuditLogOptions;
  readonly #file: AppendFile;
  #sequence = 0;
  #failing = false;

  constructor(options: AuditLogOptions) {
    const { state, windowId, clock } = options;
    this.#options = options;
    this.recentCalls = options.recentCalls ?? new RecentCalls();
    const path = join(state.audit, auditFileName(windowId, clock.now()));
    this.#file = new AppendFile(path, () => makePrivateFolder(state.home, state.audit));
  }

  begin(start: CallStart): CallRecord {
    const received = this.#received(start);
    this.#write(received);
    this.recentCalls.take(received);
    return {
      waits: (approvalId, resources) => this.recentCalls.waits(received, approvalId, resources),
      end: (end) => this.#end(received, end),
    };
  }

  event(event: AuditEvent): void {
    const base = this.#base();
    // The envelope comes first in the line and cannot be overwritten by the event's own fields.
    const record = { ...base, ...event, ...base };
    try {
      this.#write(record);
    } catch {
      // Reported by #write; what happened cannot be taken back.
    }
    const { approvalId } = event;
    if (event.event === 'approval.state' && approvalId !== undefined && typeof event['state'] === 'string') {
      const state: ApprovalStateRecord = { ...base, event: event.event, approvalId, state: event['state'] };
      this.recentCalls.take(state);
    }
  }

  dispose(): void {
    this.#file.close();
  }

  #end(received: CallReceived, end: CallEnd): void {
    const result: CallResult = {
      ...this.#base(),
      event: 'call.result',
      parentSeq: received.seq,
      tool: received.tool,
      resources: [...end.resources],
      ...(end.decision && { decision: end.decision }),
      ...(end.approvalId !== undefined && { approvalId: end.approvalId }),
      outcome: end.outcome,
      durationMs: rounded(end.durationMilliseconds),
      bytesOut: end.bytesOut,
    };
    try {
      this.#write(result);
    } catch {
      // Reported by #write; the call has happened.
    }
    this.recentCalls.take(result);
  }

  #received({ tool, principal, client, protocolVersion, arguments: input }: CallStart): CallReceived {
    const { redact } = this.#options;
    return {
      ...this.#base(),
      event: 'call.received',
      tool: shortened(tool, redact),
      ...(client && {
        client: { name: shortened(client.name, redact), version: shortened(client.version, redact), claimed: true },
      }),
      ...(protocolVersion !== undefined && { protocolVersion: shortened(protocolVersion, redact) }),
      credential: principal.credential,
      principal: createHash('sha256').update(principalKey(principal)).digest('hex').slice(0, 16),
      argsDigest: argumentsDigest(input),
      argsPreview: argumentsPreview(input, redact),
    };
  }

  #base(): Pick<CallReceived, 'v' | 'seq' | 'ts' | 'mono' | 'windowId' | 'instanceId'> {
    const { clock, windowId, instanceId } = this.#options;
    this.#sequence += 1;
    const ts = new Date(clock.now()).toISOString();
    return { v: 1, seq: this.#sequence, ts, mono: rounded(clock.monotonic()), windowId, instanceId };
  }

  #write(record: object): void {
    try {
      this.#file.append(this.#options.redact(JSON.stringify(record)));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#options.onFailure(error);
      this.#failing = true;
      throw error;
    }
  }
}

/** `<YYYY-MM-DD>-<windowId>-<start, ms since the epoch>.jsonl`; the day is UTC's. */
function auditFileName(windowId: string, start: number): string {
  if (!/^[\w-]{1,100}$/.test(windowId)) throw new RangeError(`Not a window id: ${windowId}`);
  return `${new Date(start).toISOString().slice(0, 10)}-${windowId}-${start}.jsonl`;
}

function shortened(text: string, redact: Redact): string {
  return redact(text).slice(0, longestName);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
