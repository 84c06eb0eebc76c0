import { beforeEach, describe, expect, test } from 'vitest';
import { type CancellationToken, type LanguageModelToolInformation } from 'vscode';
import { RegisteredTools } from '#editor/extensionApi.ts';
import { createOtherTools } from '#editor/otherTools.ts';
import { FakeClock } from '../fakes/clock.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

const invoked: unknown[] = [];
const never = new AbortController().signal;

beforeEach(() => {
  resetEditor();
  editor.extensions.set('acme.words', { isActive: true });
  invoked.length = 0;
});

const known = (tool: Partial<LanguageModelToolInformation>): LanguageModelToolInformation => ({
  name: 'toy_count',
  description: 'Count.',
  inputSchema: undefined,
  tags: [],
  ...tool,
});

/** Records every invocation before it is answered. */
function answer(content: (token: CancellationToken) => unknown[]): void {
  editor.invokeTool = async (name, options, token) => {
    invoked.push([name, options]);
    return { content: content(token) };
  };
}

function scene(...tools: readonly Partial<LanguageModelToolInformation>[]) {
  editor.languageModelTools = tools.map(known);
  answer(() => []);
  const clock = new FakeClock();
  const registered = new RegisteredTools();
  const own = [{ name: 'read_file', description: 'Read a file.' }];
  const otherTools = createOtherTools({ registered, own: () => own, clock });
  return { clock, registered, otherTools, names: () => otherTools.all().map(({ name }) => name) };
}

const wordCount = {
  extension: 'acme.words',
  name: 'count',
  title: 'Count Words',
  description: 'Count.',
  inputSchema: { properties: {} },
};

describe('tools of other extensions', () => {
  test('are the tools of the editor and those that extensions registered, sorted by name', () => {
    const { registered, names } = scene({ name: 'b' }, { name: 'a' });
    registered.api.registerTool({ ...wordCount, invoke: () => ({}) });
    expect(names()).toEqual(['a', 'acme.words/count', 'b']);
  });

  test('A50: leave out a tool whose schema is nested too deep to be read, and keep the others', () => {
    let inputSchema: object = {};
    for (let level = 0; level < 100_000; level += 1) inputSchema = { items: inputSchema };
    const { names } = scene({ name: 'deep', inputSchema }, { name: 'flat' });
    expect(names()).toEqual(['flat']);
  });

  test('leave out the tools of Drawbridge itself', () => {
    const { names } = scene(
      { name: 'mcp_drawbridge_read_file', tags: ['mcp'] },
      { name: 'mcp_drawbridge2_relay_x', tags: ['mcp'] },
      { name: 'mcp_mine_read_file', description: 'Read a file.', tags: ['mcp'] },
      { name: 'mcp_mine_relay_toy_count', tags: ['mcp'] },
      { name: 'mcp_other_read_file', description: 'Read a file of mine.', tags: ['mcp'] },
      { name: 'toy_read_file', description: 'Read a file.' },
    );
    expect(names()).toEqual(['mcp_other_read_file', 'toy_read_file']);
  });

  test('A9: have equal hashes only when the tools are equal', () => {
    const { otherTools } = scene(
      { name: 'a', inputSchema: { x: 1, y: 2 } },
      { name: 'a', inputSchema: { y: 2, x: 1 } },
      { name: 'b', inputSchema: { x: 1, y: 2 } },
      { name: 'a', description: 'Other.', inputSchema: { x: 1, y: 2 } },
      { name: 'a', inputSchema: { x: 1, y: 3 } },
    );
    const hashes = otherTools.all().map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(4);
  });

  test('are compared only while a subscription watches them', () => {
    const { clock, otherTools } = scene();
    let changes = 0;
    otherTools.onDidChange(() => (changes += 1));
    editor.languageModelTools = [known({ name: 'late', description: '' })];
    clock.advance(10_000);
    expect(changes).toBe(0);
    const [one, two] = [otherTools.watch(), otherTools.watch()];
    expect(changes).toBe(1);
    one.dispose();
    one.dispose();
    editor.languageModelTools = [known({ name: 'late', description: 'Changed.' })];
    clock.advance(2000);
    expect(changes).toBe(2);
    two.dispose();
    editor.languageModelTools = [];
    clock.advance(10_000);
    expect(changes).toBe(2);
  });

  test('are invoked without a chat, and return text and media', async () => {
    const { otherTools } = scene({});
    answer(() => [{ value: 'two' }]);
    expect(await otherTools.invoke('toy_count', { text: 'a b' }, never)).toEqual({ text: 'two', media: [] });
    expect(invoked).toEqual([['toy_count', { input: { text: 'a b' }, toolInvocationToken: undefined }]]);
  });

  test('are cancelled through the cancellation token', async () => {
    const { otherTools } = scene({});
    const abort = new AbortController();
    let wasCancelled = false;
    answer((token) => {
      abort.abort();
      wasCancelled = token.isCancellationRequested;
      return [];
    });
    await otherTools.invoke('toy_count', {}, abort.signal);
    expect(wasCancelled).toBe(true);
    await expect(otherTools.invoke('toy_count', {}, abort.signal)).rejects.toThrow();
    expect(invoked).toHaveLength(1);
  });

  test('are invoked by the registered function when an extension registered them', async () => {
    const { otherTools, registered } = scene({});
    registered.api.registerTool({
      ...wordCount,
      invoke: async (input) => ({ text: JSON.stringify(input), content: [{ type: 'text', text: 'more' }] }),
    });
    const result = await otherTools.invoke('acme.words/count', { a: 1 }, never);
    expect(result).toEqual({ text: '{"a":1}\nmore', media: [] });
    expect(invoked).toEqual([]);
  });
});
