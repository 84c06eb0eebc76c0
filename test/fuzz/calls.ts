import fc, { type Arbitrary } from 'fast-check';
import * as z from 'zod';
import { type KnownValues, patch, path, textOf } from './fields.ts';
import { json, large, nested, text } from './values.ts';

const schemaShape = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.looseObject({})).optional(),
  items: z.looseObject({}).optional(),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** A tool as `tools/list` tells of it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

export interface FuzzCall {
  readonly kind: 'call';
  readonly tool: string;
  readonly arguments: unknown;
  /** The caller thinks better of it after so many milliseconds. */
  readonly cancelAfter?: number;
}

/** A value that a schema may admit, or nearly. */
function valueOf(schema: unknown, field: string, known: KnownValues): Arbitrary<unknown> {
  const shape = schemaShape.parse(schema);
  const { minimum = 0, maximum = 100 } = shape;
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map((each) => valueOf(each, field, known)));
  if (shape.type === 'string') return textOf(field, known);
  if (shape.type === 'boolean') return fc.boolean();
  if (shape.type === 'array') return fc.array(valueOf(shape.items ?? {}, field, known), { maxLength: 4 });
  if (shape.type === 'integer' || shape.type === 'number') {
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) }),
      fc.constantFrom(minimum, maximum),
    );
  }
  if (shape.type !== 'object') return json;
  const members = Object.entries(shape.properties ?? {}).map(([name, member]) => {
    const value = valueOf(member, name, known);
    const isNeeded = shape.required?.includes(name) === true;
    return fc.option(fc.tuple(fc.constant(name), value), { freq: isNeeded ? 20 : 1, nil: undefined });
  });
  return fc
    .tuple(...members)
    .map((found) => Object.fromEntries(found.flatMap((each) => (each === undefined ? [] : [each]))));
}

const wrongValue = fc.oneof(
  { weight: 4, arbitrary: json },
  { weight: 3, arbitrary: text },
  { weight: 3, arbitrary: fc.constantFrom(-1, 0, 0.5, 1e9, 2 ** 53, -(2 ** 31), 1e308, null, true, '1', [], {}) },
  { weight: 1, arbitrary: fc.oneof(large, nested) },
);
const unknownKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'confirm',
  'approved',
  'path ',
  '',
);

/** Returns the value with one member added, removed or replaced by one of another type. */
function spoilt(value: unknown, wrong: unknown, key: string, at: number): unknown {
  if (typeof value !== 'object' || value === null) return wrong;
  if (Array.isArray(value)) return value.length === 0 ? [wrong] : value.with(at % value.length, wrong);
  const entries: [string, unknown][] = Object.entries(value);
  const chosen = at % (entries.length + 2);
  const [name, member] = entries[chosen] ?? [key, wrong];
  const others = entries.filter(([each]) => each !== name);
  if (chosen >= entries.length || at % 3 === 0) return Object.fromEntries([...others, [name, wrong]]);
  if (at % 3 === 1) return Object.fromEntries(others);
  return Object.fromEntries([...others, [name, spoilt(member, wrong, key, at >> 3)]]);
}

/** Edits that each give one kind of address, as an assistant should. */
function edits(known: KnownValues): Arbitrary<unknown> {
  const line = fc.integer({ min: 0, max: 45 });
  const parts = { path, newText: text };
  const byText = fc.record({ ...parts, oldText: textOf('oldText', known) });
  const byLines = fc.record({ ...parts, firstLine: line, lastLine: line, version: textOf('version', known) });
  return fc.array(fc.oneof(byText, byLines), { minLength: 1, maxLength: 3 }).map((all) => ({ edits: all }));
}

function argumentsOf(tool: ListedTool, known: KnownValues): Arbitrary<unknown> {
  const any = valueOf(tool.inputSchema, '', known);
  const near =
    tool.name === 'apply_edit'
      ? fc.oneof(
          any,
          edits(known),
          patch.map((given) => ({ patch: given })),
        )
      : any;
  const broken = fc.tuple(near, wrongValue, unknownKey, fc.nat(1000)).map((parts) => spoilt(...parts));
  return fc.oneof(
    { weight: 10, arbitrary: near },
    { weight: 9, arbitrary: broken },
    { weight: 1, arbitrary: wrongValue },
  );
}

/** Calls of every tool, and of tools that do not exist. */
export function calls(tools: readonly ListedTool[], known: KnownValues): Arbitrary<FuzzCall> {
  const cancelAfter = fc
    .option(fc.nat(400), { freq: 6, nil: undefined })
    .map((after) => (after === undefined ? {} : { cancelAfter: after }));
  const real = tools.map((tool) =>
    fc.record({
      kind: fc.constant('call' as const),
      tool: fc.constant(tool.name),
      arguments: argumentsOf(tool, known),
    }),
  );
  const unreal = fc.record({
    kind: fc.constant('call' as const),
    tool: fc.oneof(fc.constantFrom('run_command', '__proto__', 'toString', 'apply_edit ', 'APPLY_EDIT'), text),
    arguments: json,
  });
  return fc
    .tuple(fc.oneof(...real, ...real, ...real, unreal), cancelAfter)
    .map(([call, more]) => ({ ...call, ...more }));
}

/** A line of the file that the workspace of the fuzz tests holds. */
const lineOfCart = fc.integer({ min: 0, max: 39 }).map((line) => `export const cart${line} = ${line};`);
const editsOfCart = fc
  .uniqueArray(lineOfCart, { minLength: 1, maxLength: 5 })
  .chain((lines) =>
    fc.tuple(...lines.map((oldText) => text.map((newText) => ({ path: 'src/cart.ts', oldText, newText })))),
  )
  .map((all) => ['apply_edit', { edits: all }] as const);

/** Calls as an assistant makes them, of which most lead to a card. */
export const likelyChanges: Arbitrary<FuzzCall> = fc
  .oneof(
    // Most edits have several hunks, of which the user may leave out some.
    ...Array.from({ length: 3 }, () => editsOfCart),
    fc
      .record({ path: fc.constantFrom('a.ts', 'b.ts'), oldText: fc.constantFrom('a', 'b', '\n'), newText: text })
      .map((one) => ['apply_edit', { edits: [one] }] as const),
    fc
      .record({ path: fc.constantFrom('new.ts', 'src/new/file.ts', 'd/z', 'a.ts'), content: text })
      .map((given) => ['create_file', given] as const),
    fc
      .record({ path: fc.constantFrom('a.ts', 'b.ts', 'src', 'new.ts', 'd/x') })
      .map((given) => ['delete_file', given] as const),
    fc
      .record({
        path: fc.constantFrom('a.ts', 'src', 'src/cart.ts', 'new.ts'),
        to: fc.constantFrom('b2.ts', 'lib', 'src/new/moved.ts'),
      })
      .map((given) => ['move_file', given] as const),
    fc.constant(['ask_user', { question: 'Which one?', choices: ['This', 'That'] }] as const),
    fc.constant(['run_command', { command: 'toy.run' }] as const),
    fc.constant(['rename_symbol', { symbol: 'a', path: 'a.ts', newName: 'renamed' }] as const),
  )
  .map(([tool, given]) => ({ kind: 'call', tool, arguments: given }));
