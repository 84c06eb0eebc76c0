import { redactText, secretsMarkedIn } from '#audit/redactText.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { isRecord } from './isRecord.ts';
import { printable } from './sanitise.ts';
import type { JsonSchema } from './tool.ts';

/** Fields that are not redacted: names that callers send back unchanged, and data that is not text. */
const untouched = new Set([
  'path',
  'uri',
  'resolvedTo',
  'movedFrom',
  'version',
  'cursor',
  'nextCursor',
  'approvalId',
  'replacedBy',
  'blob',
]);

const countField = 'redactedSecrets';

/**
 * Redacts the data of a tool before the model sees it, wherever its parts come from. (Tools also redact a file before they cut parts
 * out of it.) The field `redactedSecrets` of the result gets the number of secrets, when the schema has this field.
 */
export function redactResult<Data>(data: Data, schema: JsonSchema): { readonly data: Data; readonly count: number };
export function redactResult(data: unknown, schema: JsonSchema): { readonly data: unknown; readonly count: number } {
  const answer: Answer = { whole: data, next: undefined };
  const redacted = redactDeep(data, answer);
  const count = new Set(markedIn(redacted, '')).size;
  const isCounted = count > 0 && isRecord(schema['properties']) && schema['properties'][countField] !== undefined;
  return { data: isCounted && isRecord(redacted) ? { ...redacted, [countField]: count } : redacted, count };
}

/** The answer that is redacted; markers that the tool set keep their numbers, so new ones get higher numbers. */
interface Answer {
  readonly whole: unknown;
  /** The number of the next marker; undefined before the first. */
  next: number | undefined;
}

/** Returns the value with its secrets redacted; the same object when there are none. */
function redactDeep(value: unknown, answer: Answer): unknown {
  if (typeof value === 'string') {
    const redacted = redactText(value);
    if (redacted.hidden.length === 0) return value;
    answer.next ??= 1 + highestIn(answer.whole);
    const { text } = redactText(value, answer.next);
    answer.next = 1 + Math.max(answer.next, ...secretsMarkedIn(text).map(numberOf));
    return text;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item: unknown) => redactDeep(item, answer));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    ([name, field]) => [name, untouched.has(name) ? field : redactDeep(field, answer)] as const,
  );
  return entries.some(([name, field]) => field !== value[name]) ? Object.fromEntries(entries) : value;
}

function highestIn(value: unknown): number {
  return markedIn(value, '').reduce((highest, marked) => Math.max(highest, numberOf(marked)), 0);
}

function numberOf(marked: string): number {
  return Number(marked.slice(marked.lastIndexOf('#') + 1));
}

/**
 * Returns the secrets that the texts of a value mark, each with the path of the file that it belongs to: numbers are counted in each file.
 * @param path of the closest enclosing object that names a file
 */
function markedIn(value: unknown, path: string): readonly string[] {
  if (typeof value === 'string') return secretsMarkedIn(value).map((marked) => `${path}\0${marked}`);
  if (Array.isArray(value)) return value.flatMap((item: unknown) => markedIn(item, path));
  if (!isRecord(value)) return [];
  const own = typeof value['path'] === 'string' ? value['path'] : path;
  return Object.entries(value).flatMap(([name, field]) => (untouched.has(name) ? [] : markedIn(field, own)));
}

/** Returns an error as a model may see it, and the number of secrets redacted in it. Other errors never reach a model. */
export function redactError(error: unknown): { readonly error: Error; readonly count: number } {
  if (!(error instanceof Error))
    return { error: new Error('A value that is not an Error was thrown', { cause: error }), count: 0 };
  if (!(error instanceof ToolError || error instanceof InvalidArgumentsError)) return { error, count: 0 };
  const text = printable(redactText(error.message).text);
  const count = new Set(secretsMarkedIn(text)).size;
  const hint = error instanceof ToolError ? printable(error.hint) : '';
  if (text === error.message && (error instanceof InvalidArgumentsError || hint === error.hint))
    return { error, count };
  if (error instanceof InvalidArgumentsError) return { error: new InvalidArgumentsError(text), count };
  return { error: new ToolError(error.code, text, hint), count };
}
