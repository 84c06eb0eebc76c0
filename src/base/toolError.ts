import type { Media } from './media.ts';

/** A group of tools that the user turns on or off as a whole. */
export type Toolset = 'workspace' | 'edit' | 'language' | 'editor' | 'commands' | 'language_more';

/**
 * The lowest risk of a tool. The policy raises it for certain resources, and `call/annotations.ts` derives the MCP annotations
 * from it.
 */
export type Risk = 'read' | 'edit' | 'delete' | 'execute' | 'network' | 'config' | 'ui';

/** The stable codes of failures that tool results carry. */
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

/**
 * A failure that the assistant can act on, with a stable code, a message that says what happened, and a hint. Any other error
 * that a tool throws is a bug of Drawbridge.
 */
export class ToolError extends Error {
  readonly code: ErrorCode;
  /** One sentence that says what to do next. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.hint = hint;
  }
}

/** A path of the caller does not exist. The call pipeline adds the nearest paths that exist to the message. */
export class MissingPathError extends ToolError {
  /** Workspace-relative, as results show it. */
  readonly path: string;

  constructor(path: string, message: string, hint: string) {
    super('not_found', message, hint);
    this.path = path;
  }
}

/**
 * An error in arguments that match the schema but make no sense, such as a bad regular expression. It is answered as invalid
 * arguments are.
 */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError';
}

/** The log levels of MCP (RFC 5424), least important first. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export type LogLevel = (typeof logLevels)[number];

export type Log = (level: LogLevel, message: string) => void;

/** The result of an action. */
export interface ActionResult {
  /** The complete text for the assistant, which the call pipeline caps and redacts. Empty when there is nothing to report. */
  readonly text: string;
  readonly isError?: true;
  readonly media?: readonly Media[];
}
