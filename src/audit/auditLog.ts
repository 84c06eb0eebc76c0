import type { ClientInfo, Principal } from '#base/principal.ts';

/** What is known when a call arrives. */
export interface CallStart {
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly protocolVersion: string | undefined;
  readonly arguments: unknown;
  /** The tool's class of risk; absent for a tool that does not exist. */
  readonly risk?: string;
  /** What the protocol calls the request; not a secret, chosen by the client. */
  readonly requestId?: string;
  /** Of a session that the protocol keeps: hashed, never the id itself. */
  readonly sessionId?: string;
  readonly remotePort?: number;
}

export interface AuditResource {
  /** Workspace-relative; absent for a path outside, which is kept as `outside`. */
  readonly path?: string;
  /** SHA-256 (16 hex digits) and base name of a path outside the workspace. */
  readonly outside?: string;
  /** Name of the workspace folder. */
  readonly folder?: string;
  /** The address led through a link, or another spelling, to another real path. */
  readonly realDiffers?: boolean;
  readonly inside?: boolean;
  readonly protected?: boolean;
  readonly secret?: boolean;
}

/** What the policy said, and why (docs/security.md, "Audit"). */
export interface AuditDecision {
  readonly effect: 'allow' | 'ask' | 'deny';
  /** Stable name of the step that decided, for example `deny_rule` or `mode`. */
  readonly step: string;
  readonly reason: string;
  /** The rule that decided. */
  readonly ruleId?: string;
  /** Where that rule stands: `user`, `workspace`, `session` and so on. */
  readonly scope?: string;
  readonly mode: string;
  readonly trusted: boolean;
  /** The steps before it, in order, each in a few words. */
  readonly explain: readonly string[];
}

export interface CallEnd {
  /** `ok`, an outcome status (`applied`, `declined`, ...) or an error code (`not_found`, ...). */
  readonly outcome: string;
  readonly resources: readonly AuditResource[];
  readonly decision?: AuditDecision;
  /** Of an action: what the rules know it by. */
  readonly definition?: string;
  readonly approvalId?: string;
  /** Of the change in the journal. */
  readonly journalId?: string;
  readonly durationMilliseconds: number;
  /** Bytes of text handed back. */
  readonly bytesOut: number;
  /** Only for `internal`: the bug, for the log, never for the model. */
  readonly error?: unknown;
}

/**
 * Anything else worth a line: an approval's change of state, an apply, an undo, an assistant paused, a refused credential.
 * The fields of each are in `auditRecord.ts`; none of them holds the text of a file.
 */
export interface AuditEvent {
  readonly event:
    | 'policy.decision'
    | 'approval.state'
    | 'apply'
    | 'revert'
    | 'restriction'
    | 'rule.change'
    | 'mode.change'
    | 'token.change'
    | 'tool.pin'
    | 'redaction'
    | 'export'
    | 'records.deleted'
    | 'auth.failure'
    | 'session.open'
    | 'session.close'
    | 'server.start'
    | 'server.stop';
  readonly approvalId?: string;
  readonly [field: string]: unknown;
}

export interface CallRecord {
  /** The call waits for the human's decision on an approval. Writes nothing: the approval's own events do. */
  waits(approvalId: string, resources: readonly AuditResource[]): void;
  end(end: CallEnd): void;
}

/** The record of every call. Fails closed: when a start cannot be written, `begin` throws and the tool must not run. */
export interface AuditLog {
  begin(start: CallStart): CallRecord;
  event(event: AuditEvent): void;
}

/**
 * Requests that clients make by themselves, one for every letter typed or tab opened. They ask nobody, and stand in the record
 * alone, where they do not hide what assistants do.
 */
export const routineRequests = { complete: 'complete_argument', list: 'list_resources' } as const;

/** Whether a record is of one of them, by what it calls its tool. */
export function isRoutine(tool: string): boolean {
  return Object.values<string>(routineRequests).includes(tool);
}
