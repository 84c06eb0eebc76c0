import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkOutput, inputFromZod, outputFromZod } from '#call/tool.ts';
import { listedProblem } from '../tools/listedSchema.ts';

const schema = z.object({
  name: z.string(),
  rows: z.array(z.object({ line: z.int() })).exactOptional(),
  either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).exactOptional(),
  any: z.record(z.string(), z.unknown()).exactOptional(),
});

describe('the check of an output', () => {
  it.each([
    [{ name: 'x' }],
    [{ name: 'x', rows: [{ line: 1 }, { line: 2 }] }],
    [{ name: 'x', either: { b: 'y' }, any: { what: { ever: 1 } } }],
  ])('accepts %j', (data) => expect(() => checkOutput(schema, data)).not.toThrow());

  it.each([
    [{ name: 'x', more: 1 }, 'more'],
    [{ name: 'x', rows: [{ line: 1 }, { line: 2, column: 3 }] }, 'rows.1.column'],
    [{ name: 'x', either: { a: 'y', b: 'z' } }, 'either.b'],
    [{ name: 1 }, 'name'],
    [{}, 'name'],
    [{ name: 'x', rows: undefined }, 'rows'],
    [undefined, ''],
  ])('refuses %j with the place but not the content', (data, place) => {
    expect(() => checkOutput(schema, data)).toThrow(`: ${place}`);
    expect(() => checkOutput(schema, { name: 'x', secretive: 'hunter2' })).not.toThrow('hunter2');
  });
});

it('law: refuses exactly what a client refuses by the public schema', () => {
  const row = fc.record({ line: fc.oneof(fc.integer(), fc.constant('1')), more: fc.constant(1) }, { requiredKeys: [] });
  const data = fc.record(
    {
      name: fc.oneof({ weight: 5, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.constant(null) }),
      rows: fc.array(row, { maxLength: 3 }),
      extra: fc.constant(true),
    },
    { requiredKeys: ['name'] },
  );
  const rows = z.array(z.object({ line: z.int() }));
  const output = outputFromZod(z.object({ name: z.string().max(5), rows: rows.exactOptional() }));
  const refuses = (value: unknown): boolean => {
    try {
      checkOutput(z.object({ name: z.string().max(5), rows: rows.exactOptional() }), value);
      return false;
    } catch {
      return true;
    }
  };
  fc.assert(
    fc.property(data, (value) => {
      expect(refuses(value)).toBe(listedProblem(output.jsonSchema, value) !== undefined);
    }),
  );
});

it('makes the JSON Schema of a tool when it is first read, and keeps it', () => {
  const noJsonSchema = z.date();
  for (const made of [inputFromZod(noJsonSchema), outputFromZod(noJsonSchema)]) {
    expect(() => made.jsonSchema).toThrow('Date cannot be represented');
  }
  const output = outputFromZod(schema);
  expect(output.jsonSchema).toBe(output.jsonSchema);
});
