import { isRecord } from './isRecord.ts';
import type { JsonSchema } from './tool.ts';

/** A number from which on a maximum tells a model nothing. */
const large = 10;
/** Bounds that a sensible call keeps by itself. */
const obvious = ['maxLength', 'minimum', 'minItems', 'maxItems'];

/**
 * Returns an input schema as clients get it: without bounds that cost tokens and hardly ever matter. The error for invalid arguments
 * names the one that was exceeded.
 */
export function listedInput(schema: JsonSchema): JsonSchema {
  return shortened(
    schema,
    (keyword, value) =>
      obvious.includes(keyword) ||
      (keyword === 'maximum' && Number(value) >= large) ||
      (keyword === 'default' && typeof value === 'number'),
  );
}

/** Most characters of a listed output schema; one that is longer leaves more out. A list holds dozens of schemas. */
const longest = 450;
/** Keywords of an output schema that tell a client nothing about the form of a result. */
const formless = [
  'description',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'additionalProperties',
];

/**
 * Returns a shorter output schema that accepts every result of the tool: without bounds and descriptions, when it would be long also
 * without the fields of nested objects, and when it would still be long without the values of texts. `docs/tools.md` has the whole
 * schema.
 */
export function listedOutput(schema: JsonSchema): JsonSchema {
  const isFormless = (keyword: string): boolean => formless.includes(keyword);
  const isShort = (form: JsonSchema): boolean => JSON.stringify(form).length <= longest;
  const whole = shortened(schema, isFormless);
  if (isShort(whole)) return whole;
  const flat = shortened(schema, isFormless, 1);
  return isShort(flat) ? flat : shortened(flat, (keyword) => keyword === 'enum');
}

/** @param levels of objects whose fields are kept */
function shortened(
  schema: JsonSchema,
  leavesOut: (keyword: string, value: unknown) => boolean,
  levels = Infinity,
): JsonSchema {
  const part = (value: unknown, left: number): unknown => (isRecord(value) ? shortened(value, leavesOut, left) : value);
  const kept = Object.entries(schema).flatMap(([keyword, value]): (readonly [string, unknown])[] => {
    if (leavesOut(keyword, value)) return [];
    if (levels === 0 && (keyword === 'properties' || keyword === 'required')) return [];
    if (keyword === 'properties' && isRecord(value)) {
      const fields = Object.entries(value).map(([name, field]) => [name, part(field, levels - 1)] as const);
      return [[keyword, Object.fromEntries(fields)]];
    }
    if (keyword === 'items') return [[keyword, part(value, levels)]];
    if (keyword.endsWith('Of') && Array.isArray(value)) return [[keyword, value.map((each) => part(each, levels))]];
    return [[keyword, value]];
  });
  return Object.fromEntries(kept);
}
