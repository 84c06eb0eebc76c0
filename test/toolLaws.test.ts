import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { annotationsOf } from '#call/annotations.ts';
import { listedInput, listedOutput } from '#call/listedSchemas.ts';
import type { JsonSchema, Tool, ToolPorts } from '#call/tool.ts';
import { listTools } from '#mcp/protocol/lists.ts';
import { tools } from '#tools/index.ts';
import { schemaProblem } from './tools/listedSchema.ts';

/** The limits of the list of the tools that are on by default: what a model sees, and what is sent. */
const budgetBytes = { model: 14 * 1024, wire: 30 * 1024 };

/** The ports by which a tool without a proposal can change something. */
const actingPorts: ReadonlySet<keyof ToolPorts> = new Set(['editorActions', 'lineMarks']);

/** Returns whether a tool changes nothing, judged by its ports and not by its declared risk. */
function isReading(tool: Tool): boolean {
  return !('propose' in tool) && !tool.needs.some((port) => actingPorts.has(port));
}

/**
 * No `anyOf`, `oneOf`, `allOf`, `not` (OpenAI and Anthropic at the root: langchain-ai/langchainjs#9804, marianfoo/mcp-sap-docs#51;
 * OpenAI's `allOf` anywhere: makenotion/notion-mcp-server#102), no `exclusiveMinimum` (google-gemini/gemini-cli#4920), no
 * `format` (google-gemini/gemini-cli#2141), no `$ref`, `const`, `prefixItems`, `patternProperties`, `if` (unknown to Gemini's
 * function declarations).
 */
const portableKeywords: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'default',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
]);

it('the checks of schemas find a keyword at any depth and an invalid schema', () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { const: 1 } } } };
  expect(itemsOf(schema)).toEqual([['a[]', { const: 1 }]]);
  expect(schemaProblem({ type: 'int' })).toBeDefined();
  expect(schemaProblem({ properties: { a: { required: 'b' } } })).toBeDefined();
});

/** Returns the lines of a schema of which another one has not the same, by their places. */
function onlyIn(listed: unknown, own: unknown, place = ''): readonly string[] {
  if (typeof listed !== 'object' || listed === null) return listed === own ? [] : [place];
  const all = new Map(Object.entries(typeof own === 'object' && own !== null ? own : {}));
  return Object.entries(listed).flatMap(([name, value]) => onlyIn(value, all.get(name), `${place}.${name}`));
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('the listed schemas of %s', (_, { input, output }) => {
  it('only leave keywords out, so that they accept what the tool takes and returns', () => {
    expect(onlyIn(listedInput(input.jsonSchema), input.jsonSchema)).toEqual([]);
    expect(onlyIn(listedOutput(output.jsonSchema), output.jsonSchema)).toEqual([]);
    expect(schemaProblem(listedOutput(output.jsonSchema))).toBeUndefined();
  });

  it('keep every parameter, its type and its description, and every field of the result', () => {
    const keys = (schema: JsonSchema): unknown =>
      itemsOf(schema).map(([place, { type, description, enum: values }]) => [place, type, description, values]);
    expect(keys(listedInput(input.jsonSchema))).toEqual(keys(input.jsonSchema));
    expect(Object.keys(listedOutput(output.jsonSchema)['properties'] ?? {})).toEqual(
      Object.keys(output.jsonSchema['properties'] ?? {}),
    );
  });
});

describe('the tool list', () => {
  it('has unique verb_noun names', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  const onByDefault = tools.filter(({ isOptional }) => isOptional !== true);

  it('stays within 14 KiB for a model without optional tools', () => {
    const seen = onByDefault.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: listedInput(input.jsonSchema),
    }));
    expect(Buffer.byteLength(JSON.stringify(seen))).toBeLessThanOrEqual(budgetBytes.model);
  });

  it('finding 1: stays within 30 KiB on the wire for a client that nobody knows, with the schema of every result', () => {
    const { tools: listed } = listTools(onByDefault);
    expect(listed.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(budgetBytes.wire);
  });

  it('has a reason in every tool that proposes a change or runs a command', () => {
    const proposing = tools.filter((tool) => 'propose' in tool && tool.name !== 'ask_user');
    const withReason = proposing.filter(({ input }) => fieldsOf(input.jsonSchema).some(([name]) => name === 'reason'));
    expect(withReason.map(({ name }) => name)).toEqual(proposing.map(({ name }) => name));
  });

  it('begins every description of a tool and of a parameter with a verb or a name of its value', () => {
    for (const { name, description, input } of tools) {
      expect(description, name).toMatch(/^[A-Z][a-z]+ /);
      for (const [path, schema] of fieldsOf(input.jsonSchema)) {
        expect(schema['description'], `${name} ${path}`).toMatch(/^[A-Z][a-z]+s /);
      }
    }
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  it('proposes unless its risk is to read or to show', () => {
    const asks = tool.name === 'ask_user';
    expect('propose' in tool).toBe(asks || (tool.risk !== 'read' && tool.risk !== 'ui'));
  });

  it('has annotations that match its risk', () => {
    const isReader = isReading(tool);
    expect(annotationsOf(tool)).toEqual({
      title: tool.title,
      readOnlyHint: isReader,
      // Every other tool removes text or files with the consent of the user, or has unknown effects.
      destructiveHint: !isReader && tool.risk !== 'ui',
      idempotentHint: isReader,
      openWorldHint: tool.risk === 'execute',
    });
    expect(isReader).toBe(tool.risk === 'read');
    expect('propose' in tool).toBe(!('run' in tool));
  });

  it('has a name that every model accepts, also with the prefix of a client, and a description that no model cuts', () => {
    // Gemini: a letter or an underscore first (cline/cline#7339); 64 characters (google-gemini/gemini-cli#2966).
    expect(`mcp__drawbridge__${tool.name}`).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(tool.title.length).toBeLessThanOrEqual(40);
    // OpenAI's limit for the description of a function.
    expect(tool.description.length).toBeLessThanOrEqual(1024);
    expect(`${tool.name}${tool.title}${tool.description}`).toMatch(/^[ -~]+$/);
  });

  it('has schemas that are valid JSON Schema 2020-12', () => {
    expect(schemaProblem(tool.input.jsonSchema)).toBeUndefined();
    expect(schemaProblem(tool.output.jsonSchema)).toBeUndefined();
  });

  it('uses only keywords that function calling of Gemini and OpenAI accepts', () => {
    for (const root of [tool.input.jsonSchema, tool.output.jsonSchema]) {
      for (const [place, schema] of [['root', root] as const, ...fieldsOf(root), ...itemsOf(root)]) {
        const unusual = Object.keys(schema).filter((keyword) => !portableKeywords.has(keyword));
        expect(unusual, place).toEqual([]);
        expect(schema['type'], place).toBeTypeOf('string');
        // cline/cline#7339
        if (schema['type'] === 'array') expect(isSchema(schema['items']), place).toBe(true);
        if (schema['type'] === 'object') expect(isSchema(schema['properties']), place).toBe(true);
        // microsoft/azure-devops-mcp#145
        if (schema['enum'] !== undefined) expect(schema['type'], place).toBe('string');
        // google-gemini/gemini-cli#13705
        const names = isSchema(schema['properties']) ? Object.keys(schema['properties']) : [];
        expect(names.includes('title') && names.includes('type'), place).toBe(false);
        expect(place.split('.').length, place).toBeLessThanOrEqual(5);
      }
    }
  });

  it('refuses unknown fields', () => {
    expect(() => tool.input.parse({ 'no such field': 1 })).toThrow(InvalidArgumentsError);
  });

  it('has schemas with an object at the root, no unions there and no references', () => {
    for (const schema of [tool.input.jsonSchema, tool.output.jsonSchema]) {
      expect(schema['type']).toBe('object');
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['oneOf']));
      expect(JSON.stringify(schema)).not.toContain('$ref');
    }
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

  it('has a unique name for each kind that can be requested', () => {
    const names = 'run' in tool ? tool.namesByKind : undefined;
    if (names === undefined) return;
    const kind = Object.fromEntries(fieldsOf(tool.input.jsonSchema))['kind'];
    // A rule can decide about a kind only when the kind has a name.
    expect(kind?.['enum']).toEqual(Object.keys(names));
    expect(tool.input.jsonSchema['required']).toContain('kind');
    const others = tools.flatMap((other) => [
      other.name,
      ...(other !== tool && 'run' in other ? Object.values(other.namesByKind ?? {}) : []),
    ]);
    for (const name of Object.values(names)) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(others).not.toContain(name);
    }
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length);
  });

  it('has no number without bounds in its output schema', () => {
    expect(JSON.stringify(tool.output.jsonSchema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});

/** Returns every property at any depth, with its path. */
function fieldsOf(schema: JsonSchema, prefix = ''): [string, JsonSchema][] {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const own = properties.flatMap(([name, value]): [string, JsonSchema][] =>
    isSchema(value) ? [[`${prefix}${name}`, value], ...fieldsOf(value, `${prefix}${name}.`)] : [],
  );
  return isSchema(schema['items']) ? [...own, ...fieldsOf(schema['items'], `${prefix}[].`)] : own;
}

/** Returns the item schemas of the lists at any depth, with their path. */
function itemsOf(schema: JsonSchema): [string, JsonSchema][] {
  return fieldsOf(schema).flatMap(([path, { items }]): [string, JsonSchema][] =>
    isSchema(items) ? [[`${path}[]`, items]] : [],
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
