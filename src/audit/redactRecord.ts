import type { Redactor } from './redactor.ts';

/** Fields that we make ourselves: ids, hashes and words of ours, which would look random or like names of secrets. */
const ownFields: ReadonlySet<string> = new Set([
  'event',
  'ts',
  'windowId',
  'instanceId',
  'sessionId',
  'approvalId',
  'journalId',
  'restrictionId',
  'principal',
  'argsDigest',
  'proposalHash',
  'sha256',
  'chainEnd',
  'prev',
  'hash',
  'state',
  'effect',
  'step',
]);

/** Fields that hold paths and names of files. */
const pathFields: ReadonlySet<string> = new Set(['path', 'movedFrom', 'to', 'outside', 'folder']);

type Redaction = Pick<Redactor, 'redact' | 'redactPath' | 'redactKnown'>;

/**
 * A record as JSON without secrets. Each string is cleaned for itself, so that it stays JSON; secrets that are known by their
 * letters are looked for once more in the whole.
 */
export function redactedJson(record: object, redaction: Redaction): string {
  return redaction.redactKnown(jsonOf(record, '', redaction) ?? '{}');
}

/** As `JSON.stringify` writes it: undefined for what has no JSON. */
function jsonOf(value: unknown, name: string, redaction: Redaction): string | undefined {
  if (typeof value === 'string') return JSON.stringify(redactText(value, name, redaction));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => jsonOf(item, name, redaction) ?? 'null').join(',')}]`;
  }
  const members: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const json = jsonOf(inner, key, redaction);
    if (json !== undefined) members.push(`${JSON.stringify(key)}:${json}`);
  }
  return `{${members.join(',')}}`;
}

function redactText(text: string, name: string, redaction: Redaction): string {
  if (ownFields.has(name)) return text;
  return pathFields.has(name) ? redaction.redactPath(text) : redaction.redact(text);
}
