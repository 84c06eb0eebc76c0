import type { ClientInfo, Principal } from './principal.ts';

/** What is known when a call arrives. */
export interface CallStart {
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly protocolVersion: string | undefined;
  readonly arguments: unknown;
}

export interface AuditResource {
  /** Workspace-relative; absent for a path outside, which is kept as `outside`. */
  readonly path?: string;
  /** SHA-256 (16 hex digits) and base name of a path outside the workspace. */
  readonly outside?: string;
  readonly protected?: boolean;
}

export interface CallEnd {
  /** `ok`, an outcome status (`applied`, `declined`, ...) or an error code (`not_found`, ...). */
  readonly outcome: string;
  readonly resources: readonly AuditResource[];
  /** What the policy said. */
  readonly decision?: { readonly effect: 'allow' | 'ask' | 'deny'; readonly reason: string };
  readonly approvalId?: string;
  readonly durationMilliseconds: number;
  /** Bytes of text handed back. */
  readonly bytesOut: number;
  /** Only for `internal`: the bug, for the log, never for the model. */
  readonly error?: unknown;
}

/** Anything else worth a line: an approval's change of state, an apply, an undo, an assistant paused, a refused credential. */
export interface AuditEvent {
  readonly event:
    | 'approval.state'
    | 'apply'
    | 'revert'
    | 'restriction'
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
