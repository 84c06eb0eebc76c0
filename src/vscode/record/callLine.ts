import type { AuditEvent, AuditResource, CallEnd, CallStart } from '../../ports/auditLog.ts';

const longestField = 300;

/** One line for a finished call: client, tool, target, decision, outcome, duration. */
export function formatCallLine(start: CallStart, end: CallEnd): string {
  const { client, tool } = start;
  return [
    client === undefined ? 'unnamed client' : `${client.name} ${client.version}`,
    tool,
    describeTargets(end.resources) ?? '-',
    end.decision?.effect ?? '-',
    end.outcome,
    formatDuration(end.durationMilliseconds),
  ]
    .map(field)
    .join(' | ');
}

/** One line for anything else that is recorded; only its plain values. */
export function formatEventLine({ event, ...facts }: AuditEvent): string {
  const values = Object.entries(facts).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return [event, ...values.map(([name, value]) => `${name}=${String(value)}`)].map(field).join(' | ');
}

/** The first target of a call, and how many more there are; undefined when it names none. */
export function describeTargets(resources: readonly AuditResource[]): string | undefined {
  const names = [...new Set(resources.map(({ path, outside }) => path ?? outside ?? ''))].filter((name) => name !== '');
  const [first] = names;
  if (first === undefined) return undefined;
  return names.length === 1 ? first : `${first} (+${names.length - 1})`;
}

/** For example `0.4 ms`, `37 ms`, `12 s`, `3 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${Math.round(milliseconds * 10) / 10} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 120_000 ? `${Math.round(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60_000)} min`;
}

/**
 * A text that cannot end its line, move the cursor, hide or reorder what follows: such characters are written as `\n`,
 * `\x1b` or `\u{202e}`, a backslash as two (threat rows A6, H10).
 */
export function escapeControl(text: string): string {
  return text.replaceAll(/[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{FFF9}-\u{FFFB}]/gv, escapeCharacter);
}

/** Cut after escaping, and without the mark that separates fields, so that nobody can write a field of another's. */
function field(text: string): string {
  const escaped = escapeControl(text.slice(0, longestField)).replaceAll('|', '\\x7c');
  return text.length > longestField ? `${escaped}…` : escaped;
}

function escapeCharacter(character: string): string {
  if (character === '\\') return '\\\\';
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}
