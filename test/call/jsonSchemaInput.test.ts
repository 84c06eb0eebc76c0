import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { inputFromJsonSchema } from '#call/jsonSchemaInput.ts';
import type { JsonSchema } from '#call/tool.ts';

function problem(schema: JsonSchema, value: unknown): string | undefined {
  try {
    inputFromJsonSchema(schema).parse(value);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return error.message;
    throw error;
  }
}

const oneField = (schema: unknown): JsonSchema => ({ type: 'object', properties: { a: schema } });

describe('inputFromJsonSchema', () => {
  test('shows the schema as it is, with an object at its root', () => {
    const schema = { properties: { a: { 'x-own': 1 } }, $schema: 'http://json-schema.org/draft-07/schema#' };
    expect(inputFromJsonSchema(schema).jsonSchema).toEqual({ ...schema, type: 'object' });
  });

  test('passes arguments on as they came', () => {
    const value = { a: 'x', other: [1] };
    expect(inputFromJsonSchema(oneField({ type: 'string', default: 'y' })).parse(value)).toBe(value);
  });

  test.each([[[]], ['text'], [null], [undefined], [1]])('refuses %j as arguments', (value) => {
    expect(problem({}, value)).toBe('the arguments must be object');
  });

  test.each([
    [{ type: 'string' }, 1, 'a: must be string'],
    [{ type: ['string', 'null'] }, 1, 'a: must be string or null'],
    [{ type: 'integer' }, 1.5, 'a: must be integer'],
    [{ type: 'array', items: { type: 'number' } }, [1, '2'], 'a.1: must be number'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'a: must have at most 1 items'],
    [{ enum: ['x', { y: 1 }] }, { y: 2 }, 'a: must be one of ["x",{"y":1}]'],
    [{ const: { y: [1] } }, { y: [2] }, 'a: must be {"y":[1]}'],
    [{ minLength: 2 }, '😀', 'a: must have at least 2 characters'],
    [{ pattern: '^x+$' }, 'xy', 'a: must match ^x+$'],
    [{ minimum: 1 }, 0, 'a: must be at least 1'],
    [{ maximum: 1 }, 2, 'a: must be at most 1'],
    [{ exclusiveMinimum: 1 }, 1, 'a: must be more than 1'],
    [{ exclusiveMaximum: 1 }, 1, 'a: must be less than 1'],
    [{ required: ['b'] }, {}, 'a.b: is required'],
    [{ additionalProperties: false }, { b: 1 }, 'a.b: is not allowed'],
    [{ additionalProperties: { type: 'string' } }, { b: 1 }, 'a.b: must be string'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'a: is none of the forms that are allowed'],
    [{ oneOf: [{ required: ['b'] }, { required: ['c'] }] }, {}, 'a: is none of the forms that are allowed'],
    [{ allOf: [{ required: ['b'] }] }, {}, 'a.b: is required'],
    [false, 1, 'a: is not allowed'],
  ])('refuses arguments by %j: %j', (schema, value, message) => {
    expect(problem(oneField(schema), { a: value })).toBe(message);
  });

  test.each([
    [{ enum: ['x', { y: 1, z: 2 }] }, { z: 2, y: 1 }],
    [{ const: { y: [1] } }, { y: [1] }],
    [{ not: { type: 'string' } }, 'x'],
    [{ if: { type: 'string' }, else: false }, 1],
    [{ format: 'uri' }, 'no uri'],
    [{ pattern: '([' }, 'x'],
    [{ patternProperties: { '^x': {} }, additionalProperties: false }, { x: 1 }],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['x']],
    [{ items: [{ type: 'string' }] }, [1]],
    [{ $ref: 'https://example.com/schema' }, 1],
    [{ $ref: '#/$defs/missing' }, 1],
    [{ $ref: '#/properties/a' }, 1],
  ])('accepts arguments by %j: %j', (schema, value) => {
    expect(problem(oneField(schema), { a: value })).toBeUndefined();
  });

  test('follows references, also circular ones', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/node~1~0' } },
      $defs: { 'node/~': { type: 'object', properties: { next: { $ref: '#/$defs/node~1~0' } } } },
    };
    expect(problem(schema, { a: { next: { next: 1 } } })).toBe('a.next.next: must be object');
  });

  test('treats names of built-in properties of objects as ordinary names', () => {
    expect(problem({ required: ['toString'] }, {})).toBe('toString: is required');
    expect(problem({ properties: {}, additionalProperties: false }, JSON.parse('{"__proto__":1}'))).toBe(
      '__proto__: is not allowed',
    );
  });

  test('refuses a long text without a test of its pattern', () => {
    expect(problem(oneField({ pattern: 'x' }), { a: 'x'.repeat(10_001) })).toBe('a: must match x');
  });

  test('does not crash on any schema and arguments', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (schema, value) => {
        expect(() => problem({ ...schema, properties: schema }, value)).not.toThrow();
      }),
    );
  });
});
