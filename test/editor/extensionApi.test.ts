import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { RegisteredTools, type ToolDefinition } from '#editor/extensionApi.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

beforeEach(() => {
  resetEditor();
  editor.extensions.set('acme.words', { isActive: true });
});

const definition: ToolDefinition = {
  extension: 'Acme.words',
  name: 'count_words',
  title: 'Count Words',
  description: 'Count the words of a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  invoke: () => ({ text: '1' }),
};

describe('the API for other extensions', () => {
  test('A23: offers nothing that decides approvals or policy, and cannot be changed', () => {
    const { api } = new RegisteredTools();
    expect(Object.keys(api)).toEqual(['version', 'registerTool']);
    expect(Object.isFrozen(api)).toBe(true);
  });

  test('keeps a tool under the name of its extension until the registration is disposed', () => {
    const tools = new RegisteredTools();
    let changes = 0;
    tools.onDidChange(() => (changes += 1));
    const registration = tools.api.registerTool(definition);
    expect([...tools.all.keys()]).toEqual(['acme.words/count_words']);
    registration.dispose();
    registration.dispose();
    expect([...tools.all.keys()]).toEqual([]);
    expect(changes).toBe(2);
  });

  test('A9: ignores changes of a definition after it was registered', () => {
    const tools = new RegisteredTools();
    const mine = { ...definition, inputSchema: { type: 'object', title: 'before' } };
    tools.api.registerTool(mine);
    mine.description = 'Something else';
    mine.inputSchema.title = 'after';
    expect(tools.all.get('acme.words/count_words')).toMatchObject({
      description: 'Count the words of a text.',
      inputSchema: '{"type":"object","title":"before"}',
    });
  });

  test.each([
    ['a definition that is not an object', null],
    ['an extension that is not installed', { ...definition, extension: 'acme.other' }],
    ['a name with a slash', { ...definition, name: 'a/b' }],
    ['a long name', { ...definition, name: 'a'.repeat(41) }],
    ['an empty title', { ...definition, title: ' ' }],
    ['a long description', { ...definition, description: 'a'.repeat(4001) }],
    ['a schema that is a list', { ...definition, inputSchema: [] }],
    ['a huge schema', { ...definition, inputSchema: { title: 'a'.repeat(16_384) } }],
    ['no function', { ...definition, invoke: 'x' }],
  ])('refuses %s', (_what, given) => {
    const { api } = new RegisteredTools();
    // A JavaScript extension can pass anything.
    const anything = z.custom<ToolDefinition>(() => true).parse(given);
    expect(() => api.registerTool(anything)).toThrow(TypeError);
  });

  test('refuses a name that is taken', () => {
    const { api } = new RegisteredTools();
    api.registerTool(definition);
    expect(() => api.registerTool(definition)).toThrow('has a tool acme.words/count_words already');
  });
});

test('docs/extension-api.md documents the types as they are in the source', () => {
  const source = readFileSync('src/editor/extensionApi.ts', 'utf8');
  const [types = ''] =
    /^\/\*\* The API that `activate\(\)`.*?(?=\n\n\/\*\* A copy of a registered tool)/ms.exec(source) ?? [];
  expect(types).toContain('interface ToolResult');
  expect(readFileSync('docs/extension-api.md', 'utf8')).toContain(`\n${types}\n\`\`\`\n`);
});
