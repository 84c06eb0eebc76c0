import { beforeEach, describe, expect, test, vi } from 'vitest';
import { RegisteredTools } from '../../src/vscode/extensionApi.ts';
import { createOtherTools } from '../../src/vscode/otherTools.ts';
import { FakeClock } from '../fakes/clock.ts';

interface Known {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
  readonly tags: readonly string[];
}

const editor = vi.hoisted(() => ({
  tools: [] as Known[],
  invoked: [] as unknown[],
  answer: async (_token: { readonly isCancellationRequested: boolean }): Promise<{ content: unknown[] }> => ({
    content: [],
  }),
}));

vi.mock('vscode', async () => ({
  ...(await import('../fakes/vscode.ts')),
  extensions: { getExtension: (id: string) => ({ id }), onDidChange: () => ({ dispose: () => undefined }) },
  lm: {
    get tools() {
      return editor.tools;
    },
    invokeTool: async (name: string, options: unknown, token: { readonly isCancellationRequested: boolean }) => {
      editor.invoked.push([name, options]);
      return editor.answer(token);
    },
  },
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false };
    cancel() {
      this.token.isCancellationRequested = true;
    }
    dispose() {}
  },
}));

const never = new AbortController().signal;

beforeEach(() => {
  editor.tools = [];
  editor.invoked = [];
});

function scene(...known: readonly Partial<Known>[]) {
  editor.tools = known.map((tool) => ({ name: 'toy_count', description: 'Count.', tags: [], ...tool }));
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
  test('are those of the editor and those that extensions gave us, by name', () => {
    const { registered, names } = scene({ name: 'b' }, { name: 'a' });
    registered.api.registerTool({ ...wordCount, invoke: () => ({}) });
    expect(names()).toEqual(['a', 'acme.words/count', 'b']);
  });

  test('that come from Drawbridge itself are left out', () => {
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

  test('A9: have a hash that only an equal tool has', () => {
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

  test('are looked at while somebody watches, and only then', () => {
    const { clock, otherTools } = scene();
    let changes = 0;
    otherTools.onDidChange(() => (changes += 1));
    editor.tools = [{ name: 'late', description: '', tags: [] }];
    clock.advance(10_000);
    expect(changes).toBe(0);
    const [one, two] = [otherTools.watch(), otherTools.watch()];
    expect(changes).toBe(1);
    one.dispose();
    one.dispose();
    editor.tools = [{ name: 'late', description: 'Changed.', tags: [] }];
    clock.advance(2000);
    expect(changes).toBe(2);
    two.dispose();
    editor.tools = [];
    clock.advance(10_000);
    expect(changes).toBe(2);
  });

  test('are invoked outside of any chat, and their result is read', async () => {
    const { otherTools } = scene({});
    editor.answer = async () => ({ content: [{ value: 'two' }] });
    expect(await otherTools.invoke('toy_count', { text: 'a b' }, never)).toEqual({ text: 'two', media: [] });
    expect(editor.invoked).toEqual([['toy_count', { input: { text: 'a b' }, toolInvocationToken: undefined }]]);
  });

  test('are cancelled through the token', async () => {
    const { otherTools } = scene({});
    const abort = new AbortController();
    let wasCancelled = false;
    editor.answer = async (token) => {
      abort.abort();
      wasCancelled = token.isCancellationRequested;
      return { content: [] };
    };
    await otherTools.invoke('toy_count', {}, abort.signal);
    expect(wasCancelled).toBe(true);
    await expect(otherTools.invoke('toy_count', {}, abort.signal)).rejects.toThrow();
    expect(editor.invoked).toHaveLength(1);
  });

  test('of extensions are invoked by their own function', async () => {
    const { otherTools, registered } = scene({});
    registered.api.registerTool({
      ...wordCount,
      invoke: async (input) => ({ text: JSON.stringify(input), content: [{ type: 'text', text: 'more' }] }),
    });
    const result = await otherTools.invoke('acme.words/count', { a: 1 }, never);
    expect(result).toEqual({ text: '{"a":1}\nmore', media: [] });
    expect(editor.invoked).toEqual([]);
  });
});
