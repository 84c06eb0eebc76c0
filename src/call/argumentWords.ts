import type * as z from 'zod';
import { isRecord } from './isRecord.ts';
import { nearestParameter, parameterFor, propertiesOf, type Properties } from './parameterNames.ts';
import type { JsonSchema, Tool } from './tool.ts';

/** The number of problems in one refusal; more do not help a model. */
const mostProblems = 5;

/** Returns what is wrong with arguments, in sentences that name the parameters. */
export function problemsInWords(error: z.ZodError, given: unknown, schema: JsonSchema): string {
  const problems = error.issues.flatMap((issue) => wordsOf(issue, given, schema));
  return problems
    .slice(0, mostProblems)
    .map((problem) => (problem.endsWith('?') ? problem : `${problem}.`))
    .join(' ');
}

function wordsOf(issue: z.core.$ZodIssue, given: unknown, schema: JsonSchema): readonly string[] {
  const value = issue.path.reduce<unknown>((found, step) => stepInto(found, step), given);
  const name = nameOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownWords(key, propertiesOf(schemaAt(schema, issue.path)), value));
    case 'invalid_type':
      return [typeWords(name, issue.expected, value)];
    case 'too_small':
      return [boundWords(name, issue.origin, 'at least', Number(issue.minimum))];
    case 'too_big':
      return [boundWords(name, issue.origin, 'at most', Number(issue.maximum))];
    case 'invalid_value':
      return [
        `${name} must be one of ${issue.values.map((each) => JSON.stringify(each)).join(', ')}, not ${shown(value)}`,
      ];
    case 'custom':
      return [issue.path.length === 0 ? issue.message : `${name}: ${issue.message}`];
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      break;
  }
  return [`${name} is not valid`];
}

function unknownWords(key: string, properties: Properties, given: unknown): string {
  const same = parameterFor(key, properties);
  if (same !== undefined && isRecord(given) && Object.hasOwn(given, same)) {
    return `${shown(key)} is another name of ${JSON.stringify(same)}, which has another value; give only ${JSON.stringify(same)}`;
  }
  const nearest = nearestParameter(key, properties);
  const meant = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
  return `There is no parameter ${shown(key)}${meant}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function typeWords(name: string, expected: string, value: unknown): string {
  const wanted = typeNames[expected] ?? expected;
  if (value === undefined) return `${name} is missing; it must be ${wanted}`;
  if (value === null) return `${name} is null; leave it out, or give ${wanted}`;
  return `${name} must be ${wanted}, not ${shown(value)}`;
}

function boundWords(name: string, origin: string, bound: 'at least' | 'at most', limit: number): string {
  if (origin === 'string')
    return limit === 1 && bound === 'at least' ? `${name} is empty` : `${name} must have ${bound} ${limit} characters`;
  if (origin === 'array') return `${name} must have ${bound} ${limit} ${limit === 1 ? 'item' : 'items'}`;
  return `${name} must be ${bound} ${limit}`;
}

/** Returns the parameters of a tool and one valid call, in sentences. */
export function acceptedArguments(tool: Pick<Tool, 'description' | 'example' | 'input'>): readonly string[] {
  const { jsonSchema } = tool.input;
  // The requests of the protocol that are carried out as calls have no schema.
  if (!isRecord(jsonSchema['properties'])) return [];
  const names = parameterList(jsonSchema);
  const example = exampleOf(tool);
  return [
    names === '' ? 'It takes no parameters.' : `Its parameters are ${names}.`,
    ...(example === undefined ? [] : [`A valid call: ${JSON.stringify(example)}`]),
  ];
}

/** Returns valid arguments of a tool, from the tool or from the example in its description. */
export function exampleOf({ description, example }: Pick<Tool, 'description' | 'example'>): unknown {
  if (example !== undefined) return example;
  const written = /Example: (\{.*\})(?: or \{.*\})?\.$/s.exec(description)?.[1]?.split(' or {')[0];
  try {
    return written === undefined ? undefined : JSON.parse(written);
  } catch {
    return undefined;
  }
}

function parameterList(schema: unknown): string {
  const required = isRecord(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(propertiesOf(schema))
    .map(([name, own]) => {
      const fields = parameterList(own['items']);
      return `${name}${required.includes(name) ? ' (required)' : ''}${fields === '' ? '' : ` (a list of objects with ${fields})`}`;
    })
    .join(', ');
}

function nameOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path;
  if (first === undefined) return 'The arguments';
  const below = rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `"${String(first)}${below}"`;
}

function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((found, step) => {
    if (!isRecord(found)) return undefined;
    return typeof step === 'number' ? found['items'] : propertiesOf(found)[String(step)];
  }, schema);
}

function stepInto(value: unknown, step: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isRecord(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
}

/** Returns a value of the caller for a message, shortened. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
