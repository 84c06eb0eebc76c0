import { isRecord } from './isRecord.ts';
import type { JsonSchema } from './tool.ts';
import { fileNames, parameterFor, plainName, propertiesOf, type Properties } from './parameterNames.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Levels of nesting in which slips are mended; no schema of ours is deeper. */
const deepest = 4;

/** Parameters that check something. A null in their place is not the same as leaving them out. */
const checks: ReadonlySet<string> = new Set(['version']);

/** Parameters by which models give a number of lines, as {@link plainName} writes them. */
const lineCounts: ReadonlySet<string> = new Set(['limit', 'linecount', 'numlines']);

/** Names of a query that is a regular expression in the tools that have them. */
const expressions: ReadonlySet<string> = new Set(['pattern', 'regex', 'regexp', 'substringpattern']);

/** The output modes of Claude Code's Grep, and those of ours that mean the same. */
const outputModes: Readonly<Record<string, string>> = {
  content: 'lines',
  files_with_matches: 'files',
  count: 'counts',
};

/** The keys that no argument may have, as in the body of a request. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/**
 * Returns arguments in the form of a schema of ours: other names of the parameters, numbers, booleans, lists and objects written as
 * text, one value in place of a list, null for an absent parameter. Each slip has one meaning only; whatever has two stays as it is
 * and is refused. Texts are never changed. The arguments must have failed validation: the exact form goes first.
 */
export function mendedArguments(schema: JsonSchema, given: unknown): unknown {
  const value = typeof given === 'string' ? parsed(given, isRecord) : given;
  return isRecord(value) ? mendedObject(schema, value, 0) : value;
}

function mendedObject(schema: unknown, given: Fields, depth: number): Fields {
  const properties = propertiesOf(schema);
  if (depth > deepest || Object.keys(properties).length === 0) return given;
  const required = isRecord(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const isLeftOut = (name: string, value: unknown): boolean =>
    value === null && Object.hasOwn(properties, name) && !required.includes(name) && !checks.has(name);
  const present = Object.fromEntries(Object.entries(given).filter(([name, value]) => !isLeftOut(name, value)));
  const named = withNames(properties, withOwnForms(properties, present), depth);
  return Object.fromEntries(
    Object.entries(withItems(properties, named)).map(([name, value]) => [
      name,
      mendedField(properties, name, value, depth),
    ]),
  );
}

/** Returns the value of a field in the form of its schema; that of an unknown field as it is. */
function mendedField(properties: Properties, name: string, value: unknown, depth: number): unknown {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own === undefined ? value : mendedValue(own, value, depth);
}

/** Renames parameters. Two names of one parameter with different values stay as they are; null is no value beside another one. */
function withNames(properties: Properties, given: Fields, depth: number): Fields {
  const meantBy = (name: string): string | undefined =>
    Object.hasOwn(properties, name) ? name : parameterFor(name, properties);
  const groups = Map.groupBy(
    // A null under another name stands for a parameter that was left out.
    Object.entries(given).filter(([name, value]) => value !== null || [name, undefined].includes(meantBy(name))),
    ([name]) => meantBy(name) ?? name,
  );
  return Object.fromEntries(
    [...groups].flatMap(([name, group]): (readonly [string, unknown])[] => {
      const mended = group.map(([, value]) =>
        mendedField(properties, name, name === 'path' ? onlyText(value) : value, depth),
      );
      const values = mended.filter((value) => value !== null);
      const meanings = values.length === 0 || checks.has(name) ? mended : values;
      const texts = new Set(meanings.map((value) => JSON.stringify(value)));
      return texts.size === 1 ? [[name, meanings[0]]] : group;
    }),
  );
}

/** Other names of the column that belongs to a line, as {@link plainName} writes them. */
const otherColumns = ['col'];

function isFileName(name: string): boolean {
  return fileNames.includes(plainName(name));
}

/** A form of other tools that is more than another name: returns the fields that stand for it. */
type OwnForm = (value: unknown, properties: Properties, given: Fields) => Fields | undefined;

const ownForms: readonly (readonly [names: ReadonlySet<string>, form: OwnForm])[] = [
  [
    lineCounts,
    (value, { firstLine, lastLine }, given) => {
      const count = wholeNumber(value);
      const first = wholeNumber(valueOf(given, 'firstLine', ['offset', 'startline']) ?? 1);
      if (firstLine === undefined || lastLine === undefined || 'lastLine' in given) return undefined;
      if (count === undefined || count < 1 || first === undefined) return undefined;
      return { lastLine: Math.max(1, first) + count - 1 };
    },
  ],
  [
    new Set(['offset']),
    (value, { firstLine, lastLine }, given) => {
      // The first line is 0 for some tools, and 1 for others; a line more at the start does no harm.
      if (firstLine === undefined || lastLine === undefined || 'firstLine' in given) return undefined;
      return wholeNumber(value) === 0 ? { firstLine: 1 } : undefined;
    },
  ],
  [
    new Set(['viewrange']),
    (value, { firstLine, lastLine }, given) => {
      const range = typeof value === 'string' ? parsed(value, Array.isArray) : value;
      if (firstLine === undefined || lastLine === undefined || 'firstLine' in given || 'lastLine' in given)
        return undefined;
      if (!Array.isArray(range) || range.length !== 2) return undefined;
      const [first, last] = range.map(wholeNumber);
      if (first === undefined || last === undefined) return undefined;
      return last === -1 ? { firstLine: first } : { firstLine: first, lastLine: last };
    },
  ],
  [
    new Set(['line']),
    (value, { symbol, path }, given) => {
      const line = wholeNumber(value);
      const files = new Set(
        Object.entries(given).flatMap(([name, each]) => (isFileName(name) ? [onlyText(each)] : [])),
      );
      const [file] = files;
      if (symbol === undefined || path === undefined || line === undefined) return undefined;
      if (files.size > 1 || typeof file !== 'string' || /:\d+$/.test(file)) return undefined;
      const column = wholeNumber(valueOf(given, 'column', otherColumns));
      return { path: `${file}:${line}${column === undefined ? '' : `:${column}`}` };
    },
  ],
  [
    expressions,
    (value, { query, isRegex }, given) => {
      if (query === undefined || isRegex === undefined || typeof value !== 'string' || 'query' in given)
        return undefined;
      return { query: value, ...(valueOf(given, 'isRegex', ['isregexp']) === undefined ? { isRegex: true } : {}) };
    },
  ],
  [
    new Set(['caseinsensitive', 'i', 'ignorecase']),
    (value, { caseSensitive }, given) => {
      const ignores = typeof value === 'string' ? booleans[value.toLowerCase()] : value;
      if (caseSensitive === undefined || typeof ignores !== 'boolean' || 'caseSensitive' in given) return undefined;
      return { caseSensitive: !ignores };
    },
  ],
  [
    new Set(['c', 'context', 'contextlines']),
    (value, { linesBefore, linesAfter }, given) => {
      const count = wholeNumber(value);
      if (linesBefore === undefined || linesAfter === undefined) return undefined;
      if (value === null) return {};
      if (count === undefined) return undefined;
      return 'linesBefore' in given || 'linesAfter' in given ? undefined : { linesBefore: count, linesAfter: count };
    },
  ],
  [
    new Set(['outputmode']),
    (value, { output }, given) => {
      const meant = typeof value === 'string' && Object.hasOwn(outputModes, value) ? outputModes[value] : undefined;
      return output === undefined || meant === undefined || 'output' in given ? undefined : { output: meant };
    },
  ],
  [
    new Set(['namepath', 'namepathpattern']),
    (value, { symbol, query }, given) => {
      if (typeof value !== 'string') return undefined;
      const name = value.replace(/^\//, '').replaceAll('/', '.');
      if (symbol !== undefined) return 'symbol' in given ? undefined : { symbol: name };
      return query === undefined || 'query' in given ? undefined : { query: name };
    },
  ],
];

/** Replaces the forms of other tools that are more than another name. */
function withOwnForms(properties: Properties, given: Fields): Fields {
  let mended = given;
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(properties, name)) continue;
    const form = ownForms.find(([names]) => names.has(plainName(name)))?.[1](value, properties, given);
    if (form === undefined) continue;
    const consumed = 'path' in form ? ['column', ...fileNames, ...otherColumns] : [];
    const others = Object.entries(mended).filter(([each]) => each !== name && !consumed.includes(plainName(each)));
    mended = { ...Object.fromEntries(others), ...form };
  }
  return mended;
}

/** Returns the value of the first of these names that is given, of the parameter itself first. */
function valueOf(given: Fields, parameter: string, plainNames: readonly string[]): unknown {
  if (Object.hasOwn(given, parameter)) return given[parameter];
  return Object.entries(given).find(
    ([name]) => plainNames.includes(plainName(name)) || plainName(name) === plainName(parameter),
  )?.[1];
}

/**
 * Moves fields into the list that they belong to: `{"path":…,"oldText":…}` becomes `{"edits":[{"path":…,"oldText":…}]}`, and a path
 * beside the list becomes the path of its items.
 */
function withItems(properties: Properties, given: Fields): Fields {
  const lists = Object.entries(properties).flatMap(([name, schema]) => {
    const fields = propertiesOf(schema['items']);
    return schema['type'] === 'array' && Object.keys(fields).length > 0 ? [{ name, fields }] : [];
  });
  const [list, another] = lists;
  if (list === undefined || another !== undefined) return given;
  const loose = Object.entries(given).filter(([name]) => !Object.hasOwn(properties, name));
  const item = withNames(list.fields, withOwnForms(list.fields, Object.fromEntries(loose)), deepest);
  if (loose.length === 0 || Object.keys(item).some((name) => !Object.hasOwn(list.fields, name))) return given;
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)));
  const listed = rest[list.name] ?? undefined;
  if (listed === undefined) {
    const { path, ...fields } = item;
    const paths = typeof path === 'string' ? (parsed(path, Array.isArray) ?? path) : path;
    const items = Array.isArray(paths) ? paths.map((each: unknown) => ({ ...fields, path: each })) : [item];
    return { ...rest, [list.name]: items };
  }
  if (Object.keys(item).join() !== 'path') return given;
  const items = listOf(listed, () => true)?.map(inObject);
  if (items === undefined || !items.every(isRecord)) return given;
  const pathOf = (one: Fields): unknown => withNames(list.fields, one, deepest)['path'] ?? item['path'];
  // A path beside items that all name another one has no meaning.
  if (!items.some((one) => pathOf(one) === item['path'])) return given;
  return { ...rest, [list.name]: items.map((one) => ({ ...one, ...(pathOf(one) === item['path'] && item) })) };
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

function mendedValue(schema: JsonSchema, value: unknown, depth: number): unknown {
  const { type } = schema;
  if (type === 'integer' || type === 'number') return typeof value === 'string' ? (wholeNumber(value) ?? value) : value;
  if (type === 'boolean') {
    const plain = typeof value === 'string' ? value.trim().toLowerCase() : '';
    return Object.hasOwn(booleans, plain) ? booleans[plain] : value;
  }
  if (type === 'array') return mendedList(schema['items'], value, depth);
  if (type === 'object') {
    const object = typeof value === 'string' ? parsed(value, isRecord) : value;
    return isRecord(object) ? mendedObject(schema, object, depth + 1) : value;
  }
  // Texts stay as they are.
  return value;
}

/** Returns the path of a list of one path; any other value as it is. */
function onlyText(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : value;
}

function mendedList(items: unknown, value: unknown, depth: number): unknown {
  const itemType = isRecord(items) ? items['type'] : undefined;
  const isObject = itemType === 'object';
  const list = listOf(
    value,
    (text) => !isObject || Object.hasOwn(propertiesOf(items), 'path') || isRecord(parsed(text, isRecord)),
  );
  if (list === undefined || !isRecord(items)) return value;
  return list.map((item) => {
    return mendedValue(items, isObject ? inObject(item) : item, depth);
  });
}

/** Returns the object that a text stands for, as JSON or as a path; any other value as it is. */
function inObject(item: unknown): unknown {
  return typeof item === 'string' ? (parsed(item, isRecord) ?? { path: item }) : item;
}

/** Returns a list, or the list that a text, an object or JSON in a text stands for. */
function listOf(value: unknown, mayStandAlone: (text: string) => boolean): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) return [value];
  if (typeof value !== 'string') return undefined;
  return parsed(value, Array.isArray) ?? (mayStandAlone(value) ? [value] : undefined);
}

/** Returns JSON in a text, when it is of this kind and has no forbidden key. */
function parsed<Value>(text: string, isKind: (value: unknown) => value is Value): Value | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    let isForbidden = false;
    const value: unknown = JSON.parse(text, (key, each: unknown) => {
      isForbidden ||= forbiddenKeys.has(key);
      return each;
    });
    return !isForbidden && isKind(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}
