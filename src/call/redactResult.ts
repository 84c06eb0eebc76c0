import { ownRedactionsIn, redactText } from '#audit/redactText.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
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
  const markers = new Set<string>();
  const redacted = redactDeep(data, markers);
  const count = markers.size;
  const isCounted = count > 0 && isRecord(schema['properties']) && schema['properties'][countField] !== undefined;
  return { data: isCounted && isRecord(redacted) ? { ...redacted, [countField]: count } : redacted, count };
}

/** Returns the value with its secrets redacted; the same object when there are none. */
function redactDeep(value: unknown, markers: Set<string>): unknown {
  if (typeof value === 'string') {
    const { text } = redactText(value);
    for (const marker of ownRedactionsIn(text)) markers.add(marker);
    return text;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item: unknown) => redactDeep(item, markers));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    ([name, field]) => [name, untouched.has(name) ? field : redactDeep(field, markers)] as const,
  );
  return entries.some(([name, field]) => field !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Returns an error as a model may see it, and the number of secrets redacted in it. Other errors never reach a model. */
export function redactError(error: unknown): { readonly error: Error; readonly count: number } {
  if (!(error instanceof Error))
    return { error: new Error('A value that is not an Error was thrown', { cause: error }), count: 0 };
  if (!(error instanceof ToolError || error instanceof InvalidArgumentsError)) return { error, count: 0 };
  const text = printable(redactText(error.message).text);
  const count = new Set(ownRedactionsIn(text)).size;
  const hint = error instanceof ToolError ? printable(error.hint) : '';
  if (text === error.message && (error instanceof InvalidArgumentsError || hint === error.hint))
    return { error, count };
  if (error instanceof InvalidArgumentsError) return { error: new InvalidArgumentsError(text), count };
  return { error: new ToolError(error.code, text, hint), count };
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
