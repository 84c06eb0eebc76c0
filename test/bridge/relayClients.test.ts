import { Client as ModernClient } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, until } from '../mcp/fixture.ts';
import { modernPipe, pipe } from './relayPipes.ts';
import { recordOf, reload, startRelay, staticTools, type TestRelay } from './relaySetUp.ts';

interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options?: {
      signal?: AbortSignal;
      onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
    },
  ): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getInstructions(): string | undefined;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

const kinds = ['v1', 'v2 auto', 'v2 legacy'] as const;

async function connectClient(kind: (typeof kinds)[number], test: TestRelay): Promise<AnyClient> {
  if (kind === 'v1') {
    const client = new Client({ name: 'v1', version: '1.0.0' });
    await client.connect(pipe(test));
    onTestFinished(() => client.close());
    return {
      listTools: () => client.listTools(),
      callTool: (params, options) => client.callTool(params, undefined, options),
      readResource: (params) => client.readResource(params),
      getInstructions: () => client.getInstructions(),
      getServerVersion: () => client.getServerVersion(),
      close: () => client.close(),
    };
  }
  const mode = kind === 'v2 auto' ? 'auto' : 'legacy';
  const client = new ModernClient({ name: kind, version: '2.0.0' }, { versionNegotiation: { mode } });
  await client.connect(modernPipe(test));
  onTestFinished(() => client.close());
  return client;
}

describe.each(kinds)('a real client over the bridge (%s)', (kind) => {
  const era = kind === 'v2 auto' ? '2026' : '2025';

  it('is answered by the bridge first, then by the window as itself', async () => {
    const window = await startTestServer();
    const test = startRelay();
    test.windows.choose(recordOf(window));
    const client = await connectClient(kind, test);
    expect(client.getServerVersion()).toMatchObject({ name: 'drawbridge', version: '9.9.9' });
    expect(client.getInstructions()).toContain('Drawbridge works in the folders');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'wait']);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'h\u00e9llo \u{1f309}\n\u2028' } });
    expect(result).toMatchObject({ structuredContent: { text: 'h\u00e9llo \u{1f309}\n\u2028' } });
    expect(window.product.calls).toMatchObject([{ tool: 'echo', era, client: { name: kind } }]);
    expect(window.product.calls[0]?.principal.connectionId).toMatch(/^[\da-f]{64}$/);
    await expect(client.readResource({ uri: 'file:///here.txt' })).resolves.toMatchObject({
      contents: [{ text: 'here' }],
    });
    await expect(client.readResource({ uri: 'file:///nö.txt' })).rejects.toMatchObject({ code: -32602 });
    expect(test.logged).toEqual([]);
  });

  it('receives progress, and cancels', async () => {
    const window = await startTestServer();
    const test = startRelay();
    test.windows.choose(recordOf(window));
    const client = await connectClient(kind, test);
    const heard: unknown[] = [];
    let started = window.product.nextWait();
    const done = client.callTool(
      { name: 'wait', arguments: {} },
      { onprogress: ({ progress, message }) => void heard.push([progress, message]) },
    );
    const call = await started;
    call.progress?.('a');
    call.progress?.('b');
    await until(() => heard.length === 2);
    window.product.release();
    await done;
    expect(heard).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    started = window.product.nextWait();
    const abort = new AbortController();
    const cancelled = client.callTool({ name: 'wait', arguments: {} }, { signal: abort.signal });
    const second = await started;
    abort.abort('enough');
    await expect(cancelled).rejects.toThrow(/enough|abort/i);
    await until(() => second.signal.aborted && window.product.running === 0);
    await expect(client.callTool({ name: 'echo', arguments: { text: 'next' } })).resolves.toMatchObject({
      structuredContent: { text: 'next' },
    });
  });

  it('works after the window reloaded, and its calls in flight get an error', async () => {
    const window = await startTestServer();
    const test = startRelay();
    test.windows.choose(recordOf(window));
    const client = await connectClient(kind, test);
    const started = window.product.nextWait();
    const inFlight = client.callTool({ name: 'wait', arguments: {} });
    await started;
    const next = await reload(test.windows, window, true);
    await expect(inFlight).resolves.toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('[session_closed]') }],
    });
    await expect(client.callTool({ name: 'echo', arguments: { text: 'x' } })).resolves.toMatchObject({
      structuredContent: { text: 'x' },
    });
    expect(next.product.calls[0]?.principal).toEqual(window.product.calls[0]?.principal);
  });

  it('has the tools of the catalog without a window, and moves to one that opens', async () => {
    const test = startRelay();
    const client = await connectClient(kind, test);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(staticTools.tools.map(({ name }) => name));
    await expect(client.callTool({ name: 'echo', arguments: { text: 'x' } })).resolves.toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/the folder \/wanted.*\[workspace_unavailable\]$/) }],
    });
    const window = await startTestServer();
    test.windows.choose(recordOf(window));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'wait']);
  });
});

it('is told through its subscription in the 2026 era that a window has come', async () => {
  const test = startRelay();
  const client = new ModernClient({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  await client.connect(modernPipe(test));
  onTestFinished(() => client.close());
  const subscription = await client.listen({ toolsListChanged: true, resourcesListChanged: true });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourcesListChanged: true });
  await client.listTools();
  test.windows.choose(recordOf(await startTestServer()));
  await until(() => changes === 1);
  await client.listTools();
  await subscription.close();
  test.windows.choose(undefined);
  test.windows.choose(recordOf(await startTestServer(), 'window-2'));
  await client.listTools();
  expect(changes).toBe(1);
});

it('is asked for its folders in the 2025 era before its first call is sent to a window', async () => {
  const [first, second] = [await startTestServer(), await startTestServer()];
  const test = startRelay();
  test.windows.choose(recordOf(first));
  test.windows.onRoots = () => {
    test.windows.choose(recordOf(second, 'window-2'));
    return Promise.resolve();
  };
  const client = new Client({ name: 'v1', version: '1.0.0' }, { capabilities: { roots: { listChanged: true } } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///work/shop', name: 'shop' }] }));
  await client.connect(pipe(test));
  onTestFinished(() => client.close());
  await client.callTool({ name: 'echo', arguments: { text: 'x' } });
  expect(test.windows.roots).toEqual([['file:///work/shop']]);
  expect([first.product.calls.length, second.product.calls.length]).toEqual([0, 1]);
  await client.sendRootsListChanged();
  await until(() => test.windows.roots.length === 2);
});
