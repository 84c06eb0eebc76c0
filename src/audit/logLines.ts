/** Formats calls and events as single lines of the "Drawbridge" output channel. */
import type { AuditDecision, AuditEvent, AuditResource, CallEnd, CallStart } from './auditLog.ts';
import type { Redact } from './redactor.ts';

const longestField = 300;

/** Returns the log line of a finished call: client, tool, target, decision and deciding step, outcome, duration. */
export function formatCallLine(start: CallStart, end: CallEnd, redact: Redact): string {
  const { client, tool } = start;
  return [
    client === undefined ? 'unnamed client' : `${client.name} ${client.version}`,
    tool,
    describeTargets(end.resources) ?? end.definition ?? '-',
    end.decision === undefined ? '-' : describeDecision(end.decision),
    end.outcome,
    formatDuration(end.durationMilliseconds),
  ]
    .map((text) => field(text, redact))
    .join(' | ');
}

/** Describes a decision, for example `allow` or `asked: ask rule r-7f3a (user)`. It explains every decision except `allow`. */
export function describeDecision({ effect, step, ruleId, scope }: AuditDecision): string {
  if (effect === 'allow') return effect;
  const rule = [...(ruleId === undefined ? [] : [ruleId]), ...(scope === undefined ? [] : [`(${scope})`])];
  return `${effect === 'ask' ? 'asked' : 'denied'}: ${[step.replaceAll('_', ' '), ...rule].join(' ')}`;
}

/** Returns the log line of an event: its plain values, without hashes, which tell a reader nothing. */
export function formatEventLine({ event, ...facts }: AuditEvent, redact: Redact): string {
  const values = Object.entries(facts).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && !recordOnly.has(name) ? [`${name}=${String(value)}`] : [],
  );
  const readable = values.filter((value) => !/=[0-9a-f]{64}$/.test(value));
  return [event, ...readable].map((text) => field(text, redact)).join(' | ');
}

/** Fields that stand only in the record: the log lines carry times already, and nobody looks for the rest in the log. */
const recordOnly: ReadonlySet<string> = new Set(['displayedAt', 'decidedAt', 'latencyMs', 'edited', 'feedbackLen']);

/** Returns the first target of a call and the number of further targets; undefined when the call names no target. */
export function describeTargets(resources: readonly AuditResource[]): string | undefined {
  const names = [...new Set(resources.map(({ path, outside }) => path ?? outside ?? ''))].filter((name) => name !== '');
  const [first] = names;
  if (first === undefined) return undefined;
  return names.length === 1 ? first : `${first} (+${names.length - 1})`;
}

/** Formats a duration, for example `0.4 ms`, `37 ms`, `12 s`, `3 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${Math.round(milliseconds * 10) / 10} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 120_000 ? `${Math.round(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60_000)} min`;
}

/**
 * Escapes characters that could end a line, move the cursor, or hide or reorder the following text: they become `\n`, `\x1b` or
 * `\u{202e}`, and a backslash becomes two (threat rows A6, H10).
 */
export function escapeControl(text: string): string {
  return text.replaceAll(/[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{FFF9}-\u{FFFB}]/gv, escapeCharacter);
}

/**
 * Escapes a field, including the separator `|`, so that no value can pass for another field. Redacts before it cuts, because
 * half a secret would not be recognized.
 */
function field(text: string, redact: Redact): string {
  const clean = redact(text);
  const escaped = escapeControl(clean.slice(0, longestField)).replaceAll('|', '\\x7c');
  return clean.length > longestField ? `${escaped}…` : escaped;
}

function escapeCharacter(character: string): string {
  if (character === '\\') return '\\\\';
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}
