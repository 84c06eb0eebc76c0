import type { Redactor } from './redaction.ts';

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
  return redaction.redactKnown(JSON.stringify(redactValue(record, '', redaction)));
}

function redactValue(value: unknown, name: string, redaction: Redaction): unknown {
  if (typeof value === 'string') {
    if (ownFields.has(name)) return value;
    return pathFields.has(name) ? redaction.redactPath(value) : redaction.redact(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, name, redaction));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(inner, key, redaction)]));
}
