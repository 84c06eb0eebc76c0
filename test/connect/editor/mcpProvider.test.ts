import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { McpProvider } from '#connect/editor/mcpProvider.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { lm } from '../../fakes/editor/services.ts';

const secret = 's'.repeat(43);
let endpoint: string | undefined;
let connects: number;
let changes: number;
let provider: McpProvider;

/** The server starts when it is asked for, as the real one does: the provider hears of the endpoint before it has it. */
beforeEach(() => {
  resetEditor();
  [endpoint, connects, changes] = [undefined, 0, 0];
  provider = new McpProvider({
    version: '1.2.3',
    async connect() {
      connects += 1;
      start(endpoint ?? 'http://127.0.0.1:50001/mcp');
      await Promise.resolve();
      return { endpoint: endpoint ?? '', headers: { Authorization: `Bearer ${secret}` } };
    },
  });
  provider.onDidChangeMcpServerDefinitions(() => (changes += 1));
});

function start(at: string | undefined): void {
  endpoint = at;
  provider.showEndpoint(at);
}

const shown = () => provider.provideMcpServerDefinitions()[0];
const definition = () => {
  const [first] = provider.provideMcpServerDefinitions();
  if (first === undefined) throw new Error('There is no definition');
  return first;
};

describe('the window’s server for the editor’s own agent', () => {
  test('is offered from the start, without asking for anything and without a secret', () => {
    expect(shown()).toMatchObject({ label: 'Drawbridge', headers: {}, version: '1.2.3' });
    expect([connects, changes]).toEqual([0, 0]);
  });

  test('is started when the editor connects, and its definition stays, since a change would end the connection', async () => {
    const before = definition();
    const resolved = await provider.resolveMcpServerDefinition(before);
    expect(resolved.uri.toString()).toContain('127.0.0.1:50001/mcp');
    expect(resolved).toMatchObject({ label: 'Drawbridge', headers: { Authorization: `Bearer ${secret}` } });
    expect([connects, changes]).toEqual([1, 0]);
    expect(shown()?.uri.toString()).toBe(before.uri.toString());
    // Whatever else of the server changes, it is told with the same endpoint.
    start(endpoint);
    expect(changes).toBe(0);
  });

  test('is another one when it listens somewhere else, so that the editor connects again', async () => {
    await provider.resolveMcpServerDefinition(definition());
    start(undefined);
    expect(changes).toBe(0);
    start('http://127.0.0.1:50002/mcp');
    expect(changes).toBe(1);
    expect(shown()?.uri.toString()).toContain('127.0.0.1:50002/mcp');
    await provider.resolveMcpServerDefinition(definition());
    expect(changes).toBe(1);
    expect(JSON.stringify(shown())).not.toContain(secret);
  });

  test('is told anew when connecting failed, and the error reaches the editor', async () => {
    const failing = new McpProvider({ version: '1', connect: () => Promise.reject(new Error('Restricted Mode')) });
    let told = 0;
    failing.onDidChangeMcpServerDefinitions(() => (told += 1));
    await expect(failing.resolveMcpServerDefinition(definition())).rejects.toThrow('Restricted Mode');
    failing.showEndpoint('http://127.0.0.1:50003/mcp');
    expect(told).toBe(1);
  });

  test('is registered under the name of the manifest, where the editor knows such things', () => {
    provider.register().dispose();
    provider.register();
    expect(editor.mcpProviders).toEqual(['drawbridge']);
    editor.mcpProviders = [];
    const known = Object.getOwnPropertyDescriptors(lm);
    Reflect.deleteProperty(lm, 'registerMcpServerDefinitionProvider');
    onTestFinished(() => void Object.defineProperties(lm, known));
    provider.register().dispose();
    expect(editor.mcpProviders).toEqual([]);
  });
});
