import type { Media } from './media.ts';

export type Toolset = 'workspace' | 'edit' | 'language' | 'editor' | 'commands' | 'language_more';

/** A floor: the policy raises it by resource. MCP annotations derive from it (`core/annotations.ts`). */
export type Risk = 'read' | 'edit' | 'delete' | 'execute' | 'network' | 'config' | 'ui';

export type ErrorCode =
  | 'not_found'
  | 'outside_workspace'
  | 'unsafe_path'
  | 'scheme_not_allowed'
  | 'binary_file'
  | 'too_large'
  | 'undecodable'
  | 'no_match'
  | 'ambiguous_match'
  | 'stale_version'
  | 'redacted_text'
  | 'denied'
  | 'not_trusted'
  | 'rate_limited'
  | 'too_many_pending'
  | 'timeout'
  | 'cancelled'
  | 'session_closed'
  | 'workspace_unavailable'
  | 'unavailable'
  | 'internal';

/** A failure the model can act on: what happened, what to do next, a stable code. Anything else that is thrown is our bug. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  /** One sentence: what to do next. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.hint = hint;
  }
}

/** Arguments that match the schema in form but not in meaning (a bad regular expression, say); answered as invalid arguments are. */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError';
}

/** RFC 5424, least important first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export type LogLevel = (typeof logLevels)[number];

export type Log = (level: LogLevel, message: string) => void;

/** What an action returned. */
export interface ActionResult {
  /** For the model, complete; the pipeline caps and redacts it. Empty when there is nothing to tell. */
  readonly text: string;
  readonly isError?: true;
  readonly media?: readonly Media[];
}
