import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { TextRange } from '#base/language.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import type { CommandArgument, CommandPlace } from '#call/ports/commands.ts';

/** The forms of places in the arguments of commands, for descriptions. */
export const placeForms =
  '{"$uri":"src/a.ts"}, {"$position":{"line":3,"column":1}}, {"$range":{"firstLine":3,"lastLine":5}} (optional ' +
  'firstColumn, lastColumn), {"$location":{"path":"src/a.ts","firstLine":3,"lastLine":3}}; lines and columns are 1-based';

/** The levels of nesting that are accepted, more than any command takes. */
const deepest = 20;

const number = z.int().min(1).max(10_000_000);
const rangeFields = {
  firstLine: number,
  lastLine: number,
  firstColumn: number.exactOptional(),
  lastColumn: number.exactOptional(),
};
const address = z.string().min(1).max(4096);
const position = z.strictObject({ line: number, column: number });
const range = z.strictObject(rangeFields);
const location = z.strictObject({ path: address, ...rangeFields });

/** The forms that stand for values JSON does not have: objects of one key, so that no other object is taken for one. */
const forms = {
  $uri: address,
  $position: position,
  $range: range,
  $location: location,
};

/** Returns the addresses in arguments, each once, in order. */
export function addressesIn(json: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  readArguments(json, (path) => {
    found.add(path);
    return undefined;
  });
  return [...found];
}

/**
 * Returns the same arguments with each address replaced by the one path of its file. Rules remember these arguments, and these
 * are run later.
 * @param pathOf returns the path that an address was resolved to
 */
export function withPlainAddresses(
  json: readonly unknown[],
  pathOf: (address: string) => ResolvedPath,
): readonly unknown[] {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const form = formOf(value);
    if (form?.name === '$uri') return { $uri: pathOf(form.value).path };
    if (form?.name === '$location') return { $location: { ...form.value, path: pathOf(form.value.path).path } };
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
  };
  return json.map(plain);
}

/**
 * Returns arguments as the port takes them.
 * @param pathOf returns the path that an address was resolved to; undefined puts null in its place
 * @throws InvalidArgumentsError for a place of another form; ToolError `scheme_not_allowed` for a URI that the editor would
 *   take for one and nobody has judged (threat row P12)
 */
export function readArguments(
  json: readonly unknown[],
  pathOf: (address: string) => ResolvedPath | undefined,
): readonly CommandArgument[] {
  const read = (value: unknown, depth: number): CommandArgument => {
    if (depth > deepest) throw new InvalidArgumentsError(`arguments: nested more than ${deepest} levels deep`);
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
      return value;
    }
    if (Array.isArray(value)) return value.map((each) => read(each, depth + 1));
    if (typeof value !== 'object') throw new InvalidArgumentsError('arguments: only JSON can be given');
    const form = formOf(value);
    if (form !== undefined) return placeOf(form, pathOf) ?? null;
    refuseBareUri(value);
    return new Map(Object.entries(value).map(([name, each]) => [name, read(each, depth + 1)]));
  };
  return json.map((each) => read(each, 1));
}

type Form = { [Name in keyof typeof forms]: { name: Name; value: z.infer<(typeof forms)[Name]> } }[keyof typeof forms];

function formOf(value: object): Form | undefined {
  const names = Object.keys(value);
  if (names.every((name) => !name.startsWith('$'))) return undefined;
  const parsed = z
    .union([
      z.strictObject({ $uri: forms.$uri }).transform(({ $uri }): Form => ({ name: '$uri', value: $uri })),
      z
        .strictObject({ $position: forms.$position })
        .transform(({ $position }): Form => ({ name: '$position', value: $position })),
      z.strictObject({ $range: forms.$range }).transform(({ $range }): Form => ({ name: '$range', value: $range })),
      z
        .strictObject({ $location: forms.$location })
        .transform(({ $location }): Form => ({ name: '$location', value: $location })),
    ])
    .safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentsError(`arguments: ${names.join(', ')} is none of ${placeForms}`);
}

function placeOf(form: Form, pathOf: (address: string) => ResolvedPath | undefined): CommandPlace | undefined {
  if (form.name === '$position') return { kind: 'position', ...form.value };
  if (form.name === '$range') return { kind: 'range', ...rangeOf(form.value) };
  const path = pathOf(form.name === '$uri' ? form.value : form.value.path);
  if (path === undefined) return undefined;
  return form.name === '$uri' ? { kind: 'uri', path } : { kind: 'location', path, range: rangeOf(form.value) };
}

/** Returns a range; without columns it has whole lines, with the end of the last one. */
function rangeOf({ firstLine, lastLine, firstColumn = 1, lastColumn }: z.infer<typeof range>): TextRange {
  if (lastLine < firstLine) throw new InvalidArgumentsError('arguments: lastLine is before firstLine');
  return lastColumn === undefined
    ? { firstLine, firstColumn, lastLine: lastLine + 1, lastColumn: 1 }
    : { firstLine, firstColumn, lastLine, lastColumn };
}

function refuseBareUri(value: object): void {
  if (!('scheme' in value) || typeof value.scheme !== 'string') return;
  throw new ToolError(
    'scheme_not_allowed',
    'An argument is an object that holds the parts of a URI.',
    'Write {"$uri":"src/a.ts"} with a path inside the workspace.',
  );
}

/** Returns strings that may be addresses and that no policy has judged, for the approval. */
export function uncheckedAddresses(json: readonly unknown[]): readonly string[] {
  const texts = (value: unknown): readonly string[] => {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.flatMap(texts);
    if (typeof value !== 'object' || value === null || formOf(value) !== undefined) return [];
    return Object.values(value).flatMap(texts);
  };
  return json
    .flatMap(texts)
    .filter((text) => /^(?:[a-z][a-z0-9+.-]*:|[/\\~]|[a-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(text));
}
