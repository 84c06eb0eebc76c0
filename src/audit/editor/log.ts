import * as vscode from 'vscode';
import { argumentsPreview } from '../argumentSummary.ts';
import { isRoutine, type AuditLog, type CallRecord, type CallStart } from '../auditLog.ts';
import { escapeControl, formatCallLine, formatEventLine } from '../logLines.ts';
import type { Redactor } from '../redactor.ts';

/** The methods of the "Drawbridge" output channel that the log uses. */
export type LogChannel = Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error' | 'logLevel'>;

/** Writes to the output channel; escapes control characters and redacts secrets in every line. */
export class Log {
  readonly #channel: LogChannel;
  readonly #redactor: Pick<Redactor, 'redact' | 'redactKnown'>;

  constructor(channel: LogChannel, redactor: Pick<Redactor, 'redact' | 'redactKnown'>) {
    this.#channel = channel;
    this.#redactor = redactor;
  }

  /** Writes at level Debug. `text` is called only when the channel shows that level. */
  debug(text: () => string): void {
    const { Off, Debug } = vscode.LogLevel;
    const { logLevel } = this.#channel;
    if (logLevel !== Off && logLevel <= Debug) this.#channel.debug(this.#clean(text()));
  }

  info(text: string): void {
    this.#channel.info(this.#clean(text));
  }

  /**
   * Writes a line that contains a hash of Drawbridge. A hash looks like a key of unknown shape, so only known secrets are redacted
   * in this line: it must not contain text of anyone else.
   */
  infoWithHash(text: string): void {
    this.#channel.info(this.#redactor.redactKnown(text));
  }

  warn(text: string): void {
    this.#channel.warn(this.#clean(text));
  }

  /** Writes an error of Drawbridge with its stack and causes. */
  error(text: string, error?: unknown): void {
    // Redact before splitting: a key of several lines is recognized only as a whole.
    const parts = [text, ...(error === undefined ? [] : describeError(error))].map(this.#redactor.redact);
    const lines = parts.flatMap((part) => part.split(/\r?\n/));
    this.#channel.error(lines.map((line) => this.#clean(line)).join('\n'));
  }

  /** Escapes control characters, but no backslashes, because the lines of calls and events are already escaped. */
  #clean(text: string): string {
    const { redact } = this.#redactor;
    return redact(redact(text).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gv, escapeControl));
  }
}

/** Returns an audit log that also writes one line to the log for each call and event. */
export function withLog(auditLog: AuditLog, log: Log, redactor: Redactor): AuditLog {
  const { redact } = redactor;
  return {
    begin(start) {
      const record = beginRecord(auditLog, start, log);
      log.debug(() => `${redact(start.tool)} ${argumentsPreview(start.arguments, redactor)}`);
      return {
        waits: (approvalId, resources) => record.waits(approvalId, resources),
        end(end) {
          record.end(end);
          const line = (): string => formatCallLine(start, end, redact);
          if (end.outcome === 'ok' && isRoutine(start.tool)) log.debug(line);
          else log.info(line());
          if (end.error !== undefined)
            log.error(`A bug in Drawbridge ended a call of ${redact(start.tool)}`, end.error);
        },
      };
    },
    event(event) {
      auditLog.event(event);
      const line = (): string => formatEventLine(event, redact);
      if (event.event === 'auth.failure') log.warn(line());
      // The log line of the call contains the same decision.
      else if (event.event === 'policy.decision') log.debug(line);
      else log.info(line());
    },
  };
}

function beginRecord(auditLog: AuditLog, start: CallStart, log: Log): CallRecord {
  try {
    return auditLog.begin(start);
  } catch (error) {
    log.error(`Refused a call of ${start.tool.slice(0, 100)}, because it could not be recorded`, error);
    throw error;
  }
}

function describeError(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const own = error.stack ?? `${error.name}: ${error.message}`;
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [own, ...inner.flatMap((cause: unknown) => describeError(cause).map((line) => `  caused by ${line}`))];
}
