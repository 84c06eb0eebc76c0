import { describe, expect, it } from 'vitest';
import { annotationsOf } from '../src/core/annotations.ts';
import { InvalidArgumentsError, type JsonSchema } from '../src/core/tool.ts';
import { tools } from '../src/tools/index.ts';

/** What a model sees of the tools; product.md, "Budget". */
const budgetBytes = 16 * 1024;

describe('the tool list', () => {
  it('has unique verb_noun names', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  it('stays within the budget', () => {
    const seen = tools.map(({ name, description, input }) => ({ name, description, inputSchema: input.jsonSchema }));
    expect(Buffer.byteLength(JSON.stringify(seen))).toBeLessThanOrEqual(budgetBytes);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s changes on purpose only', (_, tool) => {
    const { name, title, description, toolset, risk, input, output } = tool;
    expect({
      name,
      title,
      description,
      toolset,
      risk,
      annotations: annotationsOf(tool),
      input: input.jsonSchema,
      output: output.jsonSchema,
    }).toMatchSnapshot();
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('proposes unless it only looks', () => {
    expect('propose' in tool).toBe(tool.risk !== 'read' && tool.risk !== 'ui');
  });

  it('has annotations that follow from its risk', () => {
    const { readOnlyHint, destructiveHint } = annotationsOf(tool);
    expect(readOnlyHint).toBe(tool.risk === 'read');
    expect(readOnlyHint && destructiveHint).toBe(false);
  });

  it('refuses fields it does not know', () => {
    expect(() => tool.input.parse({ 'no such field': 1 })).toThrow(InvalidArgumentsError);
  });

  it('has an object at the root of both schemas, no unions there and no references', () => {
    for (const schema of [tool.input.jsonSchema, tool.output.jsonSchema]) {
      expect(schema['type']).toBe('object');
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['oneOf']));
      expect(JSON.stringify(schema)).not.toContain('$ref');
    }
    expect(tool.input.jsonSchema['additionalProperties']).toBe(false);
  });

  it('describes every input field and bounds every number, text and list', () => {
    for (const [path, schema] of fieldsOf(tool.input.jsonSchema)) {
      expect(schema['description'], path).toBeTypeOf('string');
      if (schema['type'] === 'integer' || schema['type'] === 'number') {
        expect(schema['maximum'], path).toBeLessThan(Number.MAX_SAFE_INTEGER);
        expect(schema['minimum'], path).toBeGreaterThan(Number.MIN_SAFE_INTEGER);
      }
      if (schema['type'] === 'string' && schema['enum'] === undefined)
        expect(schema['maxLength'], path).toBeTypeOf('number');
      if (schema['type'] === 'array') expect(schema['maxItems'], path).toBeTypeOf('number');
    }
  });

  it('has real bounds in its output', () => {
    expect(JSON.stringify(tool.output.jsonSchema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});

/** Every property at any depth, with its path. */
function fieldsOf(schema: JsonSchema, prefix = ''): [string, JsonSchema][] {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const own = properties.flatMap(([name, value]): [string, JsonSchema][] =>
    isSchema(value) ? [[`${prefix}${name}`, value], ...fieldsOf(value, `${prefix}${name}.`)] : [],
  );
  return isSchema(schema['items']) ? [...own, ...fieldsOf(schema['items'], `${prefix}[].`)] : own;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
