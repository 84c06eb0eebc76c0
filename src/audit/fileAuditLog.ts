import { hash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event } from '#base/event.ts';
import { principalKey } from '#base/principal.ts';
import { makePrivateFolder, type StateFolder } from '#home/stateFolder.ts';
import { argumentsDigest, argumentsPreview } from './argumentSummary.ts';
import type { AuditEvent, AuditLog, CallEnd, CallRecord, CallStart } from './auditLog.ts';
import type { ApprovalStateRecord, CallReceived, CallResult } from './auditRecord.ts';
import { ChainedFiles, type ChainHead } from './chainedFiles.ts';
import { RecentCalls } from './recentCalls.ts';
import { redactedJson } from './redactRecord.ts';
import type { Redact, Redactor } from './redactor.ts';
import type { RunEnd } from './runEnds.ts';

export interface AuditLogOptions {
  readonly state: StateFolder;
  /** Letters, digits, `-` and `_`, because the id is part of the file name. */
  readonly windowId: string;
  /** Id of one run of the window's extension host. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Called once when records cannot be written, and again only after a record was written. Must not throw. */
  readonly onFailure: (error: unknown) => void;
  /** The list of running and finished calls; may already hold calls of earlier runs. */
  readonly recentCalls?: RecentCalls;
  /** The ends of the runs before, which the first line of this run carries. */
  readonly before?: readonly RunEnd[];
  /** Maximum length of an audit file, unless a single line is longer. */
  readonly mostFileBytes?: number;
}

const longestName = 200;
/** Length at which a new file begins (docs/security.md, "Audit"). */
const mostFileBytes = 10 * 1024 * 1024;

/**
 * Writes the record of every call as JSON Lines, one hash chain for each run of a window (docs/security.md, "Audit"). The
 * operating system has a line when the method that writes it returns. JSON keeps strings of clients inside their line (threat row
 * H10), and secrets are redacted from every line (H13, A22).
 */
export class FileAuditLog implements AuditLog {
  readonly recentCalls: RecentCalls;
  readonly #options: AuditLogOptions;
  readonly #files: ChainedFiles;
  readonly #rotated = new Emitter<void>();
  /** Fires when a new file begins, so that old files can be removed. */
  readonly onDidRotate: Event<void> = this.#rotated.event;
  readonly #written = new Emitter<void>();
  /** Fires after each line. */
  readonly onDidWrite: Event<void> = this.#written.event;
  #sequence = 0;
  #problem: string | undefined;

  constructor(options: AuditLogOptions) {
    const { state, windowId, clock } = options;
    this.#options = options;
    this.recentCalls = options.recentCalls ?? new RecentCalls();
    this.#files = new ChainedFiles({
      folder: state.audit,
      windowId,
      start: clock.now(),
      mostBytes: options.mostFileBytes ?? mostFileBytes,
      prepare: () => makePrivateFolder(state.home, state.audit),
    });
  }

  /** The end of this run's record as this window knows it; the files on disk must end there too. */
  get head(): ChainHead {
    return this.#files.head;
  }

  /** The reason why the last record could not be written; undefined when it was written. */
  get problem(): string | undefined {
    return this.#problem;
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
    // The base fields stand first and no event field can replace them; the fields of the chain are added last.
    const { prev: _prev, hash: _hash, ...facts } = event;
    const record = { ...base, ...facts, ...base };
    try {
      this.#write(record);
    } catch {
      // #write has reported the failure; the event cannot be undone.
    }
    const { approvalId } = event;
    if (event.event === 'approval.state' && approvalId !== undefined && typeof event['state'] === 'string') {
      const { state: name, choice, tool, argsDigest } = event;
      const state: ApprovalStateRecord = {
        ...base,
        event: event.event,
        approvalId,
        state: name,
        ...(typeof choice === 'string' && { choice }),
        ...(typeof tool === 'string' && { tool }),
        ...(typeof argsDigest === 'string' && { argsDigest }),
      };
      this.recentCalls.take(state);
    }
  }

  dispose(): void {
    this.#files.close();
  }

  #end(received: CallReceived, end: CallEnd): void {
    const { decision } = end;
    const result: CallResult = {
      ...this.#base(),
      event: 'call.result',
      parentSeq: received.seq,
      tool: received.tool,
      resources: [...end.resources],
      ...(decision && { decision: { ...decision, explain: [...decision.explain] } }),
      ...(end.definition !== undefined && { definition: end.definition }),
      ...(end.approvalId !== undefined && { approvalId: end.approvalId }),
      ...(end.journalId !== undefined && { journalId: end.journalId }),
      outcome: end.outcome,
      durationMs: rounded(end.durationMilliseconds),
      bytesOut: end.bytesOut,
    };
    try {
      this.#write(result);
    } catch {
      // #write has reported the failure; the call has already run.
    }
    this.recentCalls.take(result, end.counts);
  }

  #received(start: CallStart): CallReceived {
    const { tool, principal, client, protocolVersion, arguments: input } = start;
    const { redactor } = this.#options;
    const short = (text: string): string => shortened(text, redactor.redact);
    return {
      ...this.#base(),
      event: 'call.received',
      tool: short(tool),
      ...(start.risk !== undefined && { class: start.risk }),
      ...(client && { client: { name: short(client.name), version: short(client.version), claimed: true } }),
      ...(protocolVersion !== undefined && { protocolVersion: short(protocolVersion) }),
      ...(start.requestId !== undefined && { requestId: short(start.requestId) }),
      ...(start.sessionId !== undefined && { sessionId: start.sessionId }),
      ...(start.remotePort !== undefined && { remotePort: start.remotePort }),
      credential: principal.credential,
      principal: hash('sha256', principalKey(principal), 'hex').slice(0, 16),
      argsDigest: argumentsDigest(input),
      argsPreview: argumentsPreview(input, redactor),
    };
  }

  #base(): Pick<CallReceived, 'v' | 'seq' | 'ts' | 'mono' | 'windowId' | 'instanceId'> {
    const { clock, windowId, instanceId } = this.#options;
    this.#sequence += 1;
    const ts = new Date(clock.now()).toISOString();
    return { v: 2, seq: this.#sequence, ts, mono: rounded(clock.monotonic()), windowId, instanceId };
  }

  #write(record: Pick<CallReceived, 'seq'>): void {
    const { clock, redactor, onFailure, before } = this.#options;
    const isFirst = this.#files.isEmpty;
    let isNewPart: boolean;
    try {
      const json = redactedJson(isFirst && before ? { ...record, before } : record, redactor);
      isNewPart = this.#files.append(json, record.seq, clock.now());
      this.#problem = undefined;
    } catch (error) {
      if (this.#problem === undefined) onFailure(error);
      this.#problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
    if (isNewPart) this.#rotated.fire();
    this.#written.fire();
  }
}

function shortened(text: string, redact: Redact): string {
  return redact(text).slice(0, longestName);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
