import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  callEcho,
  initialize,
  jsonHeaders,
  messagesOf,
  modern,
  openSession,
  send,
  startTestServer,
  until,
  type TestServer,
} from '../fixture.ts';

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
  close(): Promise<void>;
}

const kinds = ['v1', 'v2 auto', 'v2 legacy'] as const;

/** A real client of each SDK, and of the newer one in both eras. */
async function connectClient(kind: (typeof kinds)[number], { server }: TestServer): Promise<AnyClient> {
  const url = new URL(server.endpoint);
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  if (kind === 'v1') {
    const client = new Client({ name: 'v1', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    onTestFinished(() => client.close());
    return {
      listTools: () => client.listTools(),
      callTool: (params, options) => client.callTool(params, undefined, options),
      readResource: (params) => client.readResource(params),
      close: () => client.close(),
    };
  }
  const mode = kind === 'v2 auto' ? 'auto' : 'legacy';
  const client = new ModernClient({ name: kind, version: '2.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

describe.each(kinds)('a real client (%s)', (kind) => {
  it('lists tools with schemas and annotations', async () => {
    const test = await startTestServer();
    const { tools } = await (await connectClient(kind, test)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'wait']);
    expect(tools[0]).toMatchObject({
      title: 'Echo',
      inputSchema: { type: 'object', required: ['text'] },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
  });

  it('calls a tool as itself', async () => {
    const test = await startTestServer();
    const client = await connectClient(kind, test);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'h\u00e9llo \u{1f309}' } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'h\u00e9llo \u{1f309}' }],
      structuredContent: { text: 'h\u00e9llo \u{1f309}' },
    });
    const era = kind === 'v2 auto' ? '2026' : '2025';
    const protocolVersion = kind === 'v2 auto' ? '2026-07-28' : '2025-11-25';
    expect(test.product.calls).toMatchObject([
      { tool: 'echo', era, protocolVersion, client: { name: kind }, principal: { credential: 'window' } },
    ]);
    expect(test.product.calls[0]?.progress).toBeUndefined();
    expect(test.product.calls[0]?.principal.connectionId !== undefined).toBe(era === '2025');
    expect(test.server.clients()).toMatchObject([{ client: { name: kind }, era }]);
  });

  it('receives rising progress', async () => {
    const test = await startTestServer();
    const client = await connectClient(kind, test);
    const heard: [number, string | undefined][] = [];
    const started = test.product.nextWait();
    const done = client.callTool(
      { name: 'wait', arguments: {} },
      { onprogress: ({ progress, message }) => void heard.push([progress, message]) },
    );
    const call = await started;
    for (const message of ['a', 'b', 'c']) call.progress?.(message);
    await until(() => heard.length === 3);
    test.product.release();
    await done;
    call.progress?.('too late');
    expect(heard).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(test.errors).toEqual([]);
  });

  it('cancels a call, and the next one works', async () => {
    const test = await startTestServer();
    const client = await connectClient(kind, test);
    const started = test.product.nextWait();
    const abort = new AbortController();
    const done = client.callTool({ name: 'wait', arguments: {} }, { signal: abort.signal });
    const call = await started;
    abort.abort('enough');
    await expect(done).rejects.toThrow(/enough|abort/i);
    await until(() => call.signal.aborted && test.product.running === 0);
    await expect(client.callTool({ name: 'echo', arguments: { text: 'next' } })).resolves.toMatchObject({
      structuredContent: { text: 'next' },
    });
  });

  it('gets errors for unknown tools, wrong arguments and bugs', async () => {
    const test = await startTestServer();
    const client = await connectClient(kind, test);
    await expect(client.callTool({ name: 'nosuch', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no tool nosuch.'),
    });
    await expect(client.callTool({ name: 'echo', arguments: { text: 5 } })).resolves.toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^text: /) }],
    });
    const bug = client.callTool({ name: 'crash', arguments: {} });
    await expect(bug).rejects.toMatchObject({ code: -32603 });
    await expect(bug).rejects.not.toThrow(/secret/);
    expect(test.errors).toHaveLength(1);
  });

  it('reads resources, and gets the reason when it may not', async () => {
    const client = await connectClient(kind, await startTestServer());
    await expect(client.readResource({ uri: 'file:///here.txt' })).resolves.toMatchObject({
      contents: [{ uri: 'file:///here.txt', mimeType: 'text/plain', text: 'here' }],
    });
    await expect(client.readResource({ uri: 'file:///gone.txt' })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'not_found', message: 'There is no file:///gone.txt.', hint: 'List the folder first.' },
    });
  });

  it('ends with the server', async () => {
    const test = await startTestServer();
    const client = await connectClient(kind, test);
    const started = test.product.nextWait();
    const done = client.callTool({ name: 'wait', arguments: {} }).catch((error: unknown) => error);
    const call = await started;
    await test.server.stop();
    expect(call.signal.aborted).toBe(true);
    expect(test.server.clients()).toEqual([]);
    await client.close();
    await done;
    await until(() => test.product.running === 0);
    await expect(send(test.port, 'GET', {})).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('H7 requests with equal ids', () => {
  it.each([
    ['v1', 'v1'],
    ['v2 auto', 'v2 auto'],
    ['v1', 'v2 auto'],
  ] as const)('%s and %s count ids alike, 100 interleaved calls each', async (first, second) => {
    const test = await startTestServer();
    const clients = [await connectClient(first, test), await connectClient(second, test)];
    const answers = clients.map(async (client, who) => {
      for (let round = 0; round < 10; round++) {
        const texts = Array.from({ length: 10 }, (_, index) => `${who}/${round}/${index}`);
        const results = await Promise.all(texts.map((text) => client.callTool({ name: 'echo', arguments: { text } })));
        expect(results).toMatchObject(texts.map((text) => ({ structuredContent: { text } })));
      }
    });
    await Promise.all(answers);
    expect(test.product.calls).toHaveLength(200);
    const ofFirst = test.product.calls.filter(({ arguments: args }) => JSON.stringify(args).includes('"0/'));
    expect(new Set(ofFirst.map(({ principal }) => principal.connectionId)).size).toBe(1);
  });

  it('keeps raw twins with equal ids in one session apart by refusing the second', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'wait', arguments: {} },
    });
    const started = test.product.nextWait();
    const first = send(test.port, 'POST', session, body);
    await started;
    const twin = await send(test.port, 'POST', session, callEcho(7, 'twin'));
    expect(twin.status).toBe(400);
    test.product.release();
    expect(messagesOf(await first)).toMatchObject([{ id: 7, result: { structuredContent: { text: 'done' } } }]);
    expect(messagesOf(await send(test.port, 'POST', session, callEcho(7, 'later')))).toMatchObject([{ id: 7 }]);
  });
});

describe('H9 a session id alone opens nothing', () => {
  it('answers 400 without a session id, and 404 to an unknown one', async () => {
    const test = await startTestServer();
    const headers = jsonHeaders(test.server.token);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? callEcho(1, 'x') : undefined;
      const { status } = await send(test.port, method, headers, body);
      expect({ method, status }).toEqual({ method, status: 400 });
      const unknown = await send(test.port, method, { ...headers, 'Mcp-Session-Id': '0'.repeat(32) }, body);
      expect({ method, status: unknown.status }).toEqual({ method, status: 404 });
    }
    expect((await send(test.port, 'GET', { ...headers, 'MCP-Protocol-Version': '2026-07-28' })).status).toBe(405);
  });

  it('refuses a session id to any connection but the one that opened it', async () => {
    const test = await startTestServer();
    const mine = { 'Drawbridge-Connection': 'a'.repeat(32) };
    const session = await openSession(test, '2025-11-25', mine);
    const { 'Drawbridge-Connection': _mine, ...without } = session;
    for (const headers of [without, { ...session, 'Drawbridge-Connection': 'b'.repeat(32) }]) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await send(test.port, method, headers, method === 'POST' ? callEcho(1, 'x') : undefined);
        expect(answer.status).toBe(404);
      }
    }
    expect((await send(test.port, 'POST', session, callEcho(1, 'x'))).status).toBe(200);
    expect(test.product.calls).toHaveLength(1);
  });

  it('refuses a session id with another token, or the token of an earlier run', async () => {
    const [test, other] = [await startTestServer(), await startTestServer()];
    const session = await openSession(test);
    const foreign = { ...session, Authorization: `Bearer ${other.server.token}` };
    expect((await send(test.port, 'POST', foreign, callEcho(1, 'x'))).status).toBe(401);
    expect((await send(other.port, 'POST', foreign, callEcho(1, 'x'))).status).toBe(404);
  });

  it('gives a connection the same principal in both eras, and none to a bare 2026 caller', async () => {
    const test = await startTestServer();
    const mine = { 'Drawbridge-Connection': 'a'.repeat(32) };
    const call = modern(test.server.token, 1, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    await send(test.port, 'POST', await openSession(test, '2025-11-25', mine), callEcho(1, 'x'));
    await send(test.port, 'POST', { ...call.headers, ...mine }, call.body);
    await send(test.port, 'POST', call.headers, call.body);
    await send(test.port, 'POST', await openSession(test), callEcho(1, 'x'));
    const ids = test.product.calls.map(({ principal }) => principal.connectionId);
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).toBeUndefined();
    expect(ids[3]).toMatch(/^session:/);
  });
});

describe('raw requests of the 2025 era', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks %s without a version header',
    async (version) => {
      const test = await startTestServer();
      const answer = await send(test.port, 'POST', jsonHeaders(test.server.token), initialize(version));
      expect(messagesOf(answer)).toMatchObject([
        {
          result: {
            protocolVersion: version,
            serverInfo: { name: 'drawbridge' },
            capabilities: { tools: {}, resources: {} },
            instructions: 'Use echo.',
          },
        },
      ]);
      const session = await openSession(test, version);
      expect(messagesOf(await send(test.port, 'POST', session, callEcho(1, 'x')))).toMatchObject([
        { id: 1, result: {} },
      ]);
      expect(test.product.calls[0]?.protocolVersion).toBe(version);
      const wrong = JSON.stringify({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'echo', arguments: {} },
      });
      const isResult = version === '2025-11-25';
      expect(messagesOf(await send(test.port, 'POST', session, wrong))).toMatchObject([
        isResult ? { id: 2, result: { isError: true } } : { id: 2, error: { code: -32602 } },
      ]);
    },
  );

  it('offers its newest session revision when the client asks for an unknown one', async () => {
    const test = await startTestServer();
    const answer = await send(test.port, 'POST', jsonHeaders(test.server.token), initialize('2031-01-01'));
    expect(messagesOf(answer)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
  });

  it('serves the editor\u2019s own client: no version header, fetch metadata of a browser', async () => {
    const test = await startTestServer();
    const session = await openSession(test, '2025-06-18', {
      'sec-fetch-mode': 'cors',
      'accept-language': '*',
      'user-agent': 'node',
      'Accept-Encoding': 'gzip, deflate',
    });
    expect((await send(test.port, 'POST', session, callEcho(1, 'x'))).status).toBe(200);
  });

  it('answers ping, and refuses unknown methods', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const ask = async (method: string): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
      return messagesOf(await send(test.port, 'POST', session, body))[0];
    };
    expect(await ask('ping')).toMatchObject({ result: {} });
    for (const method of ['nosuch', 'server/discover', 'subscriptions/listen', 'tasks/list']) {
      expect(await ask(method)).toMatchObject({ error: { code: -32601 } });
    }
  });

  it('continues a call whose response stream broke, and drops it when it ends', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const started = test.product.nextWait();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', arguments: {} },
    });
    const hangUp = openRequest(test.port, session, body);
    const call = await started;
    hangUp();
    await send(test.port, 'POST', session, callEcho(2, 'x'));
    expect(call.signal.aborted).toBe(false);
    test.product.release();
    await until(() => test.product.running === 0);
    expect((await send(test.port, 'POST', session, callEcho(1, 'again'))).status).toBe(200);
  });

  it('ends the stream of a cancelled call without an answer, and answers the other calls of its batch', async () => {
    const test = await startTestServer();
    const session = await openSession(test, '2025-03-26');
    const wait = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{}}}';
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const started = test.product.nextWait();
    const alone = send(test.port, 'POST', session, wait);
    const call = await started;
    await send(test.port, 'POST', session, cancel);
    expect(messagesOf(await alone)).toEqual([]);
    expect(call.signal.aborted).toBe(true);
    await until(() => test.product.running === 0);
    const startedAgain = test.product.nextWait();
    const batch = send(test.port, 'POST', session, `[${wait},${callEcho(2, 'other')}]`);
    await startedAgain;
    await send(test.port, 'POST', session, cancel);
    expect(messagesOf(await batch)).toMatchObject([
      { id: 2, result: { structuredContent: { text: 'other' } } },
      { id: 1 },
    ]);
  });

  it('aborts its calls when the session is deleted', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const started = test.product.nextWait();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', arguments: {} },
    });
    const answer = send(test.port, 'POST', session, body);
    const call = await started;
    expect((await send(test.port, 'DELETE', session)).status).toBe(200);
    expect(call.signal.aborted).toBe(true);
    expect(messagesOf(await answer)).toEqual([]);
    expect((await send(test.port, 'POST', session, callEcho(2, 'x'))).status).toBe(404);
    expect(test.server.clients()).toEqual([]);
  });
});

describe('raw requests of the 2026 era', () => {
  it('answers server/discover without a session', async () => {
    const test = await startTestServer();
    const { headers, body } = modern(test.server.token, 1, 'server/discover', {});
    const answer = await send(test.port, 'POST', headers, body);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(messagesOf(answer)).toMatchObject([
      {
        result: {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, resources: {} },
          instructions: 'Use echo.',
        },
      },
    ]);
  });

  it('aborts the call whose response stream broke', async () => {
    const test = await startTestServer();
    const started = test.product.nextWait();
    const { headers, body } = modern(test.server.token, 1, 'tools/call', { name: 'wait', arguments: {} });
    const hangUp = openRequest(test.port, headers, body);
    const call = await started;
    expect(call.signal.aborted).toBe(false);
    hangUp();
    await until(() => call.signal.aborted && test.product.running === 0);
  });

  it('sends headers at once, long before a silent call ends', async () => {
    const test = await startTestServer();
    const { headers, body } = modern(test.server.token, 1, 'tools/call', { name: 'wait', arguments: {} });
    const answer = await fetch(test.server.endpoint, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    test.product.release();
    expect(await answer.text()).toContain('"text":"done"');
  });
});

describe('resources after the end', () => {
  it('keeps no client and no session after 50 closed sessions', async () => {
    const test = await startTestServer();
    for (let count = 0; count < 50; count++) {
      const session = await openSession(test);
      expect((await send(test.port, 'POST', session, callEcho(1, 'x'))).status).toBe(200);
      expect((await send(test.port, 'DELETE', session)).status).toBe(200);
    }
    expect(test.server.clients()).toEqual([]);
    expect(test.server.sessionCount()).toBe(0);
  });

  it('keeps no running call and no open stream after 50 calls of the 2026 era', async () => {
    const test = await startTestServer();
    for (let count = 0; count < 50; count++) {
      const { headers, body } = modern(test.server.token, count, 'tools/call', {
        name: 'echo',
        arguments: { text: 'x' },
      });
      expect((await send(test.port, 'POST', headers, body)).status).toBe(200);
    }
    expect(test.product.calls.filter(({ signal }) => !signal.aborted)).toHaveLength(0);
    expect(test.server.clients()).toMatchObject([{ openStreams: 0 }]);
  });

  it('closes the stream when the client stops reading', async () => {
    const test = await startTestServer();
    const started = test.product.nextWait();
    const { headers, body } = modern(test.server.token, 1, 'tools/call', { name: 'wait', arguments: {} });
    const withToken = body.replace('"_meta":{', '"_meta":{"progressToken":1,');
    const socket = connect(test.port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    const lines = Object.entries({
      ...headers,
      Host: `127.0.0.1:${test.port}`,
      'Content-Length': String(withToken.length),
    });
    socket.write(
      `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${withToken}`,
    );
    const call = await started;
    const message = 'x'.repeat(64 * 1024);
    await until(() => {
      call.progress?.(message);
      return call.signal.aborted;
    });
    expect(test.server.clients()).toMatchObject([{ openStreams: 0 }]);
  });
});

/** Sends a request and keeps its answer open. The returned function closes the connection. */
function openRequest(port: number, headers: Record<string, string>, body: string): () => void {
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers, agent: false });
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  return () => outgoing.destroy();
}
