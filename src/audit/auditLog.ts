import type { ClientInfo, Principal } from '#base/principal.ts';

/** The facts that are known when a tool call arrives. */
export interface CallStart {
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly protocolVersion: string | undefined;
  readonly arguments: unknown;
  /** The risk of the tool; absent when the tool does not exist. */
  readonly risk?: string;
  /** The protocol's id of the request. The client chooses it; it is not a secret. */
  readonly requestId?: string;
  /** Hash of the MCP session id, for clients that have a session; never the id itself. */
  readonly sessionId?: string;
  readonly remotePort?: number;
}

/** A file or folder that a tool call addressed. */
export interface AuditResource {
  /** Workspace-relative; absent for a path outside the workspace, which is recorded as `outside`. */
  readonly path?: string;
  /** First 16 hex digits of the SHA-256 of a path outside the workspace, and its base name. */
  readonly outside?: string;
  /** Name of the workspace folder. */
  readonly folder?: string;
  /** True when the real path differs from the addressed path, through a link or another spelling. */
  readonly realDiffers?: boolean;
  readonly inside?: boolean;
  readonly protected?: boolean;
  readonly secret?: boolean;
}

/** A decision of the policy and its reasons (docs/security.md, "Audit"). */
export interface AuditDecision {
  readonly effect: 'allow' | 'ask' | 'deny';
  /** Stable name of the deciding step, for example `deny_rule` or `mode`. */
  readonly step: string;
  readonly reason: string;
  /** Id of the rule that decided. */
  readonly ruleId?: string;
  /** Scope of that rule: `user`, `workspace`, `session` and so on. */
  readonly scope?: string;
  readonly mode: string;
  readonly trusted: boolean;
  /** The earlier steps in order, each in a few words. */
  readonly explain: readonly string[];
}

/** The numbers in the result of a call, by the names of their fields: a number itself, and the length of a list. */
export type CallCounts = Readonly<Record<string, number>>;

/** The facts that are known when a tool call ends. */
export interface CallEnd {
  /** `ok`, the status of an approval (`applied`, `declined`, ...) or an error code (`not_found`, ...). */
  readonly outcome: string;
  readonly resources: readonly AuditResource[];
  readonly decision?: AuditDecision;
  /** For an action: the name by which rules refer to it. */
  readonly definition?: string;
  readonly approvalId?: string;
  /** Id of the change in the history. */
  readonly journalId?: string;
  readonly durationMilliseconds: number;
  /** Bytes of text in the result. */
  readonly bytesOut: number;
  /** The numbers in the result, for the list of recent calls; the record on disk does not have them. */
  readonly counts?: CallCounts;
  /** Only with the outcome `internal`: the error, for the log; it is never sent to the assistant. */
  readonly error?: unknown;
}

/**
 * Any other recorded event: an approval changed its state, a change was applied or undone, an assistant was paused, a credential
 * was refused. `auditRecord.ts` lists the fields of each event; none of them holds the text of a file.
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
    | 'guard.change'
    | 'tool.pin'
    | 'tool.unknown'
    | 'redaction'
    | 'export'
    | 'records.deleted'
    | 'records.removal'
    | 'auth.failure'
    | 'session.open'
    | 'session.close'
    | 'server.start'
    | 'server.stop';
  readonly approvalId?: string;
  readonly [field: string]: unknown;
}

/** The record of one running tool call. */
export interface CallRecord {
  /** Marks the call as waiting for the user's decision. Writes no line, because the approval records its own events. */
  waits(approvalId: string, resources: readonly AuditResource[]): void;
  end(end: CallEnd): void;
}

/**
 * Records every tool call and event. Fails closed: `begin` throws when the start of a call cannot be written, and the tool must
 * not run then.
 */
export interface AuditLog {
  begin(start: CallStart): CallRecord;
  event(event: AuditEvent): void;
}

/**
 * Names under which requests are recorded that clients send on their own, for example for every letter typed or tab opened. They
 * stand in the record, but not in the list of recent calls, where they would hide the calls of assistants.
 */
export const routineRequests = { complete: 'complete_argument', list: 'list_resources' } as const;

/** Returns whether a recorded tool name stands for a routine request. */
export function isRoutine(tool: string): boolean {
  return Object.values<string>(routineRequests).includes(tool);
}
