import { InvalidArgumentsError } from '#base/toolError.ts';
import { isRecord } from './isRecord.ts';
import type { InputSchema, JsonSchema } from './tool.ts';

/** The number of problems in one refusal; more do not help a model. */
const mostProblems = 5;

/**
 * Returns the input of a foreign tool from its JSON Schema, which clients are shown as it is. The arguments are checked and passed
 * on as they came, without defaults filled in.
 */
export function inputFromJsonSchema(schema: JsonSchema): InputSchema<unknown> {
  const rooted: JsonSchema = { ...schema, type: 'object' };
  return {
    jsonSchema: rooted,
    isForeign: true,
    parse(value) {
      const problems = problemsOf(value, rooted);
      if (problems.length > 0) throw new InvalidArgumentsError(problems.slice(0, mostProblems).join('; '));
      return value;
    },
  };
}

/*
 * Why this is not the validator of the MCP SDK (2.4.0 ships two; figures measured with Node 24, minified):
 * - Size: this file has 4 KB, cfworker 23 KB, Ajv 155 KB. First check after loading: 0.3 ms, 1 ms, about 40 ms (Ajv also takes 50 to
 *   130 ms to load, because it compiles code).
 * - Both throw, instead of checking the rest, for a schema whose `$ref` leads outside or nowhere or back to itself, whose `pattern`
 *   is no JavaScript expression, that names draft 04, or that is nested 1,000 levels deep (stack overflow). Tools of other
 *   extensions have such schemas, and would be lost.
 * - Both accept `{}` for `required: ["constructor"]`; Ajv also accepts any value for a property `__proto__`.
 * - Ajv keeps schemas by `$id`: arguments of one extension's tool would be checked with the schema of another one's.
 * - Both try a `pattern` on texts of any length. A short text can take a bad expression for seconds in all three.
 */

/**
 * Returns what is wrong with JSON data by a JSON Schema, in a few words each; nothing when it fits. Only data that the schema
 * refuses is refused: keywords that are not known here (`not`, `if`, `format` ...) are left to the tool that gets the data. (zod's
 * `fromJSONSchema` throws for some of them and misreads others: alternatives without a type, constants that are objects.)
 */
export function problemsOf(data: unknown, schema: unknown): readonly string[] {
  return check(data, schema, { root: schema, path: '', depth: 0 });
}

interface DataPosition {
  readonly root: unknown;
  readonly path: string;
  readonly depth: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Levels of nesting that are checked, more than any real argument has; data below is accepted. */
const deepest = 64;
/** UTF-16 units of the longest text that a pattern is tried on, since a pattern blocks the whole window; longer ones are refused. */
const longestMatched = 10_000;

function check(data: unknown, schema: unknown, place: DataPosition): string[] {
  if (schema === false) return [at(place, 'is not allowed')];
  if (!isRecord(schema) || place.depth > deepest) return [];
  const typed = checkType(data, schema, place);
  if (typed.length > 0) return typed;
  return [
    ...checkValue(data, schema, place),
    ...(typeof data === 'string' ? checkText(data, schema, place) : []),
    ...(typeof data === 'number' ? checkNumber(data, schema, place) : []),
    ...(Array.isArray(data) ? checkItems(data, schema, place) : isRecord(data) ? checkFields(data, schema, place) : []),
    ...checkCombined(data, schema, place),
  ];
}

function checkType(data: unknown, { type }: Fields, place: DataPosition): string[] {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (types.length === 0 || types.some((each) => isOfType(data, each))) return [];
  return [at(place, `must be ${types.join(' or ')}`)];
}

function isOfType(data: unknown, type: string): boolean {
  if (type === 'null') return data === null;
  if (type === 'array') return Array.isArray(data);
  if (type === 'object') return isRecord(data);
  if (type === 'integer') return Number.isInteger(data);
  return typeof data === type;
}

function checkValue(data: unknown, { enum: values, ...schema }: Fields, place: DataPosition): string[] {
  if (Array.isArray(values) && !values.some((value) => isSame(value, data))) {
    return [at(place, `must be one of ${JSON.stringify(values).slice(0, 300)}`)];
  }
  if (!('const' in schema) || isSame(schema['const'], data)) return [];
  return [at(place, `must be ${JSON.stringify(schema['const']).slice(0, 300)}`)];
}

function checkText(data: string, schema: Fields, place: DataPosition): string[] {
  const { pattern } = schema;
  const expression = typeof pattern === 'string' ? expressionOf(pattern) : undefined;
  return [
    ...checkBounds(Array.from(data).length, schema, ['minLength', 'maxLength', 'characters'], place),
    ...(expression === undefined || (data.length <= longestMatched && expression.test(data))
      ? []
      : [at(place, `must match ${String(pattern)}`)]),
  ];
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function checkNumber(data: number, schema: Fields, place: DataPosition): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return [
    ...(typeof minimum === 'number' && data < minimum ? [at(place, `must be at least ${minimum}`)] : []),
    ...(typeof maximum === 'number' && data > maximum ? [at(place, `must be at most ${maximum}`)] : []),
    ...(typeof exclusiveMinimum === 'number' && data <= exclusiveMinimum
      ? [at(place, `must be more than ${exclusiveMinimum}`)]
      : []),
    ...(typeof exclusiveMaximum === 'number' && data >= exclusiveMaximum
      ? [at(place, `must be less than ${exclusiveMaximum}`)]
      : []),
  ];
}

function checkItems(data: readonly unknown[], schema: Fields, place: DataPosition): string[] {
  const { items, prefixItems } = schema;
  // With `prefixItems` the first items have schemas of their own, which are not checked.
  const each = prefixItems === undefined && !Array.isArray(items) ? items : undefined;
  return [
    ...checkBounds(data.length, schema, ['minItems', 'maxItems', 'items'], place),
    ...data.flatMap((item, index) => check(item, each, below(place, String(index)))),
  ];
}

function checkFields(data: Fields, schema: Fields, place: DataPosition): string[] {
  const { required, additionalProperties: others, patternProperties } = schema;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return [
    ...names.filter((name) => !Object.hasOwn(data, name)).map((name) => at(below(place, name), 'is required')),
    ...checkBounds(Object.keys(data).length, schema, ['minProperties', 'maxProperties', 'properties'], place),
    ...Object.entries(data).flatMap(([name, value]) => {
      // `patternProperties` is not checked, so it may allow names that nothing else allows.
      const schemaOfOthers = patternProperties === undefined ? others : undefined;
      return check(value, Object.hasOwn(properties, name) ? properties[name] : schemaOfOthers, below(place, name));
    }),
  ];
}

function checkCombined(data: unknown, schema: Fields, place: DataPosition): string[] {
  const { $ref, allOf } = schema;
  const deeper = { ...place, depth: place.depth + 1 };
  const alternatives = [schema['anyOf'], schema['oneOf']].filter((each) => Array.isArray(each));
  return [
    ...(typeof $ref === 'string' ? check(data, referred($ref, place.root), deeper) : []),
    ...(Array.isArray(allOf) ? allOf.flatMap((each) => check(data, each, deeper)) : []),
    ...alternatives
      .filter((schemas) => !schemas.some((each) => check(data, each, deeper).length === 0))
      .map(() => at(place, 'is none of the forms that are allowed')),
  ];
}

/** Returns the schema that `#/$defs/name` refers to; undefined, which accepts all, for a reference to another document. */
function referred(reference: string, root: unknown): unknown {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  const steps = reference.split('/').slice(1);
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, step) => (isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined), root);
}

function checkBounds(
  count: number,
  schema: Fields,
  [least, most, what]: readonly [string, string, string],
  place: DataPosition,
): string[] {
  const [minimum, maximum] = [schema[least], schema[most]];
  return [
    ...(typeof minimum === 'number' && count < minimum ? [at(place, `must have at least ${minimum} ${what}`)] : []),
    ...(typeof maximum === 'number' && count > maximum ? [at(place, `must have at most ${maximum} ${what}`)] : []),
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function below({ root, path, depth }: DataPosition, name: string): DataPosition {
  return { root, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 };
}

function at({ path }: DataPosition, problem: string): string {
  return path === '' ? `the arguments ${problem}` : `${path}: ${problem}`;
}
