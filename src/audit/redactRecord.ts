/** Redacts the records of the audit log. */
import type { Redactor } from './redactor.ts';

/** Fields whose values Drawbridge creates itself: ids, hashes and fixed words, which could be mistaken for secrets. */
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
  'auditFile',
  'prev',
  'hash',
  'state',
  'effect',
  'step',
]);

/** Fields that hold paths or file names. */
const pathFields: ReadonlySet<string> = new Set(['path', 'movedFrom', 'to', 'outside', 'folder']);

type Redaction = Pick<Redactor, 'redact' | 'redactPath' | 'redactKnown'>;

/**
 * Returns a record as JSON without secrets. Each string is redacted on its own, so that the result stays valid JSON; then known
 * secrets are redacted once more in the whole text.
 */
export function redactedJson(record: object, redaction: Redaction): string {
  return redaction.redactKnown(jsonOf(record, '', redaction) ?? '{}');
}

/** Serializes a value as `JSON.stringify` does; undefined when the value has no JSON form. */
function jsonOf(value: unknown, name: string, redaction: Redaction): string | undefined {
  if (typeof value === 'string') return JSON.stringify(redactField(value, name, redaction));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => jsonOf(item, name, redaction) ?? 'null').join(',')}]`;
  }
  let members = '';
  for (const [key, inner] of Object.entries(value)) {
    const json = jsonOf(inner, key, redaction);
    if (json === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${json}`;
  }
  return `{${members}}`;
}

function redactField(text: string, name: string, redaction: Redaction): string {
  if (ownFields.has(name)) return text;
  return pathFields.has(name) ? redaction.redactPath(text) : redaction.redact(text);
}
