import * as z from 'zod';
import { InvalidArgumentsError } from '#base/toolError.ts';
import type { InputSchema, JsonSchema, Tool } from '#call/tool.ts';
import { fixtureTool } from './fixtureTool.ts';

/** Returns an input schema that is published as it is; the scenarios do not test its validation. */
function anyObject(jsonSchema: JsonSchema): InputSchema<Readonly<Record<string, unknown>>> {
  const schema = z.record(z.string(), z.unknown());
  return {
    jsonSchema,
    parse(value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw new InvalidArgumentsError('an object is expected');
      return parsed.data;
    },
  };
}

const schema2020: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Tools with a schema that zod cannot write. */
export const schemaTools: readonly Tool[] = [
  fixtureTool({
    name: 'json_schema_2020_12_tool',
    description: 'Its schema uses the vocabulary of JSON Schema 2020-12.',
    input: anyObject(schema2020),
    answer: (given) => JSON.stringify(given),
  }),
];
