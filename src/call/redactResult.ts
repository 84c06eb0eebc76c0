import { ownRedactionsIn, redactText } from '#audit/redactText.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { printable } from './sanitise.ts';
import type { JsonSchema } from './tool.ts';

/** Fields that name something, which callers send back as they are, or that are no text. */
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
 * The last look at what a tool hands to a model, whatever its parts come from; the tools themselves redact what they cut out
 * of a file. Secrets are counted in the field `redactedSecrets` of the result, where its schema has one.
 */
export function redactResult<Data>(data: Data, schema: JsonSchema): { readonly data: Data; readonly count: number };
export function redactResult(data: unknown, schema: JsonSchema): { readonly data: unknown; readonly count: number } {
  const markers = new Set<string>();
  const redacted = redactDeep(data, markers);
  const count = markers.size;
  const isCounted = count > 0 && isRecord(schema['properties']) && schema['properties'][countField] !== undefined;
  return { data: isCounted && isRecord(redacted) ? { ...redacted, [countField]: count } : redacted, count };
}

/** The same value when there is nothing to redact. */
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

/** An error as a model may see it, and how many secrets are hidden in it. Models are told of no other errors than these. */
export function redactError(error: unknown): { readonly error: Error; readonly count: number } {
  if (!(error instanceof Error)) return { error: new Error('What was thrown is no error', { cause: error }), count: 0 };
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
