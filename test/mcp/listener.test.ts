import { connect, createServer as createNetServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { isLoopback } from '#mcp/listener.ts';
import {
  callEcho,
  initialize,
  jsonHeaders,
  messagesOf,
  modern,
  openSession,
  send,
  sendRaw,
  startTestServer,
} from './fixture.ts';
import { heapInUse } from './heapInUse.ts';

describe('H1 every request needs the token', () => {
  const methods = ['POST', 'GET', 'DELETE', 'HEAD', 'OPTIONS'];

  it('refuses each method with each wrong credential, without detail or side effect', async () => {
    const { server, product, port } = await startTestServer();
    const wrong: [Record<string, string>, string][] = [
      [{}, '/mcp'],
      [{ Authorization: 'Bearer' }, '/mcp'],
      [{ Authorization: 'Bearer x' }, '/mcp'],
      [{ Authorization: `bearer ${server.token}x` }, '/mcp'],
      [{ Authorization: `Basic ${Buffer.from(`x:${server.token}`).toString('base64')}` }, '/mcp'],
      [{ Authorization: server.token }, '/mcp'],
      [{}, `/mcp?token=${server.token}`],
      [{}, `/mcp?access_token=${server.token}`],
      [{ Cookie: `token=${server.token}; Authorization=Bearer ${server.token}` }, '/mcp'],
    ];
    for (const method of methods) {
      for (const [headers, path] of wrong) {
        const body = method === 'POST' ? initialize('2025-11-25') : undefined;
        const answer = await send(port, method, { 'Content-Type': 'application/json', ...headers }, body, path);
        const { status, text } = answer;
        expect({ method, headers, path, status, text }).toEqual({ method, headers, path, status: 401, text: '' });
        expect(answer.headers['mcp-session-id']).toBeUndefined();
      }
    }
    expect(product.calls).toEqual([]);
    expect(server.clients()).toEqual([]);
  });

  it('serves a request with the token', async () => {
    const { server, port } = await startTestServer();
    const answer = await send(port, 'POST', jsonHeaders(server.token), initialize('2025-11-25'));
    expect(answer.status).toBe(200);
    expect(Buffer.from(server.token, 'base64url')).toHaveLength(32);
  });

  it('answers OPTIONS and HEAD with 405 to a caller with the token, and other paths with 404', async () => {
    const { server, port } = await startTestServer();
    const headers = { Authorization: `Bearer ${server.token}` };
    expect((await send(port, 'OPTIONS', headers)).status).toBe(405);
    expect((await send(port, 'HEAD', headers)).status).toBe(405);
    expect((await send(port, 'PUT', headers, 'x')).status).toBe(405);
    const statuses: [string, number][] = [];
    const paths = ['/', '/mcp/', '/mcp?x=1', '/health', '/MCP', '/%6dcp'];
    for (const path of paths) statuses.push([path, (await send(port, 'GET', headers, undefined, path)).status]);
    expect(statuses).toEqual(paths.map((path) => [path, 404]));
  });

  it('delays wrong credentials after ten failures, and still serves valid tokens', async () => {
    let failures = 0;
    const limits = { failures: { failures: 10, windowMilliseconds: 60_000, lockMilliseconds: 60_000 } };
    const { server, port } = await startTestServer({ limits, onAuthenticationFailure: () => failures++ });
    for (let count = 0; count < 10; count++) expect((await send(port, 'GET', {})).status).toBe(401);
    const start = performance.now();
    const answer = await send(port, 'GET', { Authorization: 'Bearer x' });
    expect(answer.status).toBe(429);
    expect(answer.text).toBe('');
    expect(performance.now() - start).toBeGreaterThanOrEqual(245);
    expect((await send(port, 'POST', jsonHeaders(server.token), initialize('2025-11-25'))).status).toBe(200);
    expect(failures).toBe(11);
  });
});

describe('H2 DNS rebinding', () => {
  it.each([
    ['evil.example:PORT', undefined, 403],
    ['127.0.0.1.evil.example', undefined, 403],
    ['127.0.0.1.evil.example:PORT', undefined, 403],
    ['127.0.0.1', undefined, 403],
    ['localhost', undefined, 403],
    ['[::1]:PORT', undefined, 403],
    ['127.0.0.1:1', undefined, 403],
    ['name-PORT.tunnel.example', undefined, 403],
    ['127.0.0.1:PORT', 'null', 403],
    ['127.0.0.1:PORT', 'http://localhost:1', 403],
    ['127.0.0.1:PORT', 'https://evil.example', 403],
    ['127.0.0.1:PORT', 'http://localhost:PORT', 403],
    ['127.0.0.1:PORT', 'https://127.0.0.1:PORT', 403],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT', 200],
    ['localhost:PORT', 'http://localhost:PORT', 200],
    ['localhost:PORT', undefined, 200],
  ])('Host %s with Origin %s is answered %i', async (host, origin, status) => {
    const { server, port } = await startTestServer();
    const withPort = (value: string): string => value.replace('PORT', String(port));
    const headers = {
      ...jsonHeaders(server.token),
      Host: withPort(host),
      ...(origin === undefined ? {} : { Origin: withPort(origin) }),
    };
    const answer = await send(port, 'POST', headers, initialize('2025-11-25'));
    expect(answer.status).toBe(status);
    expect(answer.headers['mcp-session-id'] === undefined).toBe(status !== 200);
  });

  it('requires the token from its own origin too', async () => {
    const { port } = await startTestServer();
    const answer = await send(port, 'POST', { Origin: `http://127.0.0.1:${port}` }, initialize('2025-11-25'));
    expect(answer.status).toBe(401);
  });

  it('refuses requests with two Host headers or none', async () => {
    const { server, port } = await startTestServer();
    const rest = `Authorization: Bearer ${server.token}\r\n\r\n`;
    const host = `Host: 127.0.0.1:${port}\r\n`;
    expect(await sendRaw(port, `GET /mcp HTTP/1.1\r\n${host}${host}${rest}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await sendRaw(port, `GET /mcp HTTP/1.1\r\n${host}Host: evil.example\r\n${rest}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await sendRaw(port, `GET /mcp HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await sendRaw(port, `GET /mcp HTTP/1.0\r\n${rest}`)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('H15 forwarded ports', () => {
  it.each([
    ['Host', 'name-PORT.tunnel.example'],
    ['Host', 'name-PORT.tunnel.example:443'],
    ['Host', 'localhost:1'],
    ['Host', '127.0.0.1'],
    ['X-Forwarded-Host', 'name.tunnel.example'],
    ['X-Forwarded-For', '203.0.113.7'],
    ['x-forwarded-proto', 'https'],
    ['X-Original-Host', 'name.tunnel.example'],
    ['Forwarded', 'for=203.0.113.7'],
    ['X-FORWARDED', 'for=203.0.113.7'],
    ['X-Real-IP', '203.0.113.7'],
    ['CF-Connecting-IP', '203.0.113.7'],
    ['Via', '1.1 proxy'],
  ])('%s: %s is answered 403 port_forwarded, with the token and without', async (name, value) => {
    let [forwarded, failures] = [0, 0];
    const { server, port, product } = await startTestServer({
      onForwarded: () => void (forwarded += 1),
      onAuthenticationFailure: () => void (failures += 1),
    });
    const trace = { [name]: value.replace('PORT', String(port)) };
    for (const headers of [{ ...jsonHeaders(server.token), ...trace }, trace]) {
      const answer = await send(port, 'POST', headers, initialize('2025-11-25'));
      expect(answer.status).toBe(403);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(JSON.parse(answer.text)).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { message: expect.stringContaining('where the folder is'), data: { code: 'port_forwarded' } },
      });
      expect(answer.text).not.toContain('tunnel');
    }
    expect([forwarded, failures, server.sessionCount(), product.calls.length]).toEqual([2, 0, 0, 0]);
    expect(server.refused()).toEqual({ forwarded: 2, credentials: 0 });
  });

  it('does not report a wrong Origin as a forwarded port', async () => {
    const { server, port } = await startTestServer();
    const headers = { ...jsonHeaders(server.token), Origin: 'https://evil.example' };
    const answer = await send(port, 'POST', headers, initialize('2025-11-25'));
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('port_forwarded');
    expect(server.refused().forwarded).toBe(0);
  });
});

describe('H3 cross-site POST', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'text/json', ''])(
    'refuses Content-Type %j',
    async (type) => {
      const { server, port } = await startTestServer();
      const headers = jsonHeaders(server.token, { 'Content-Type': type });
      const answer = await send(port, 'POST', headers, initialize('2025-11-25'));
      expect(answer.status).toBe(415);
    },
  );

  it('accepts a body declared as UTF-8, and refuses a compressed body', async () => {
    const { server, port } = await startTestServer();
    const named = jsonHeaders(server.token, { 'Content-Type': 'application/json; charset=UTF-8' });
    expect((await send(port, 'POST', named, initialize('2025-11-25'))).status).toBe(200);
    const zipped = jsonHeaders(server.token, { 'Content-Encoding': 'gzip' });
    expect((await send(port, 'POST', zipped, initialize('2025-11-25'))).status).toBe(415);
  });

  it('never sends Access-Control headers', async () => {
    const { server, port } = await startTestServer();
    const preflight = {
      Origin: `http://127.0.0.1:${port}`,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    const answers = [
      await send(port, 'OPTIONS', preflight),
      await send(port, 'OPTIONS', { ...preflight, Authorization: `Bearer ${server.token}` }),
      await send(port, 'POST', jsonHeaders(server.token, preflight), initialize('2025-11-25')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 405, 200]);
    const names = answers.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

/** Returns `connected`, or the code of the error. */
const reach = (port: number, address: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });

describe('H4 loopback only', () => {
  it('refuses connections to the other addresses of this machine', async () => {
    const { port } = await startTestServer();
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    // A machine may have no other address than loopback ones, of which the server takes only the first.
    for (const address of [...others, '127.0.0.2', '::1']) {
      expect(`${address} ${await reach(port, address)}`).not.toContain('connected');
    }
    expect(await reach(port, '127.0.0.1')).toBe('connected');
  });

  it.runIf(process.platform === 'linux')('would be reached at 127.0.0.2 if it listened on all interfaces', async () => {
    const server = createNetServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const { port } = z.object({ port: z.number() }).parse(server.address());
    expect(await reach(port, '127.0.0.2')).toBe('connected');
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('recognises loopback addresses', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([true, true, true, true]);
    expect(['10.0.0.1', '0.0.0.0', '::ffff:10.0.0.1', '1::1', '12.7.0.1', undefined].map(isLoopback)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });
});

describe('H5 nothing is parsed before it is admitted', () => {
  it('answers a huge unauthenticated body at once and closes without reading it', async () => {
    const { port } = await startTestServer();
    const before = await heapInUse();
    const sent = await new Promise<{ bytes: number; answer: string; lingered: number }>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      // The answer comes later than this. When it is read depends on the machine.
      const begun = performance.now();
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ bytes: socket.bytesWritten, answer, lingered: performance.now() - begun }));
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const pour = (): void => {
        while (!socket.destroyed && socket.bytesWritten < 2 ** 30 && socket.write(chunk));
      };
      socket.on('drain', pour);
      pour();
    });
    expect(sent.answer).toMatch(/^HTTP\/1.1 401 /);
    expect(sent.bytes).toBeLessThan(32 * 1024 * 1024);
    // Some systems would drop the answer with the unread body if the connection were cut at once.
    expect(sent.lingered).toBeGreaterThan(200);
    expect((await heapInUse()) - before).toBeLessThan(5 * 1024 * 1024);
  });

  it('refuses a declared length over the limit before the body arrives', async () => {
    const { server, port } = await startTestServer();
    const head =
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${4 * 1024 * 1024 + 1}\r\n\r\n`;
    expect(await sendRaw(port, head)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('refuses a chunked body at the limit, and reads one just below it', async () => {
    const test = await startTestServer();
    const headers = jsonHeaders(test.server.token, { 'Transfer-Encoding': 'chunked' });
    const over = Buffer.alloc(4 * 1024 * 1024 + 1, ' ');
    expect((await send(test.port, 'POST', headers, over)).status).toBe(413);
    const text = 'x'.repeat(4 * 1024 * 1024 - 200);
    const answer = await send(test.port, 'POST', await openSession(test), callEcho(1, text));
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeGreaterThan(text.length);
  });

  it.each([
    ['nesting of 10,000', '['.repeat(10_000)],
    ['nesting of 33', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
    ['10,001 elements', `[${'0,'.repeat(10_000)}0]`],
  ])('refuses %s', async (_, body) => {
    const { server, port } = await startTestServer();
    const answer = await send(port, 'POST', jsonHeaders(server.token), body);
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toMatchObject([
      { error: { message: expect.stringMatching(/deeper than 32|more than 10000/) } },
    ]);
  });

  it('counts brackets and commas outside strings only', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const text = '[{,"\\'.repeat(20_000);
    const answer = await send(test.port, 'POST', session, callEcho(1, text));
    expect(messagesOf(answer)).toMatchObject([{ id: 1, result: { structuredContent: { text } } }]);
  });

  it.each([1, 2, 101])('refuses a batch of %i outside a 2025-03-26 session', async (size) => {
    const test = await startTestServer();
    const batch = JSON.stringify(Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
    const { headers } = modern(test.server.token, 1, 'tools/list', {});
    for (const those of [
      jsonHeaders(test.server.token),
      headers,
      await openSession(test),
      await openSession(test, '2025-06-18'),
    ]) {
      const answer = await send(test.port, 'POST', those, batch);
      expect(answer.status).toBe(400);
      expect(messagesOf(answer)).toMatchObject([{ error: { code: -32600 } }]);
    }
  });

  it('answers a batch of up to 16 in a 2025-03-26 session', async () => {
    const test = await startTestServer();
    const session = await openSession(test, '2025-03-26');
    const answer = await send(test.port, 'POST', session, batchOfEchoes(16));
    expect(answer.status).toBe(200);
    expect(messagesOf(answer)).toHaveLength(16);
    expect((await send(test.port, 'POST', session, batchOfEchoes(17))).status).toBe(400);
    expect((await send(test.port, 'POST', session, '[]')).status).toBe(400);
  });

  it('does not send 100 Continue before the token was checked', async () => {
    const { server, port } = await startTestServer();
    const head = (token: string): string =>
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
    expect(await sendRaw(port, head('x'))).toMatch(/^HTTP\/1.1 401 /);
    expect(await sendRaw(port, `${head(server.token)}{}`)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
  });
});

describe('connections', () => {
  it('stay open for minutes between requests, since assistants think longer than 5 s', async () => {
    const { server, port } = await startTestServer();
    const headers = jsonHeaders(server.token, { Connection: 'keep-alive' });
    const answer = await send(port, 'POST', headers, initialize('2025-11-25'));
    expect(answer.headers['keep-alive']).toBe('timeout=300');
  });

  it('are not upgraded to another protocol', async () => {
    const { port } = await startTestServer();
    const upgrade = `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await sendRaw(port, upgrade)).toMatch(/^HTTP\/1.1 401 /);
    expect(await sendRaw(port, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toBe('');
  });
});

describe('H6 a small request that explodes', () => {
  it('refuses 1,900,000 array elements before it parses them', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const zeros = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":[${'0,'.repeat(1_900_000)}0]}}}`;
    const parse = vi.spyOn(JSON, 'parse');
    const answer = await send(test.port, 'POST', session, zeros);
    const parsed = parse.mock.calls.filter(([text]) => text.length > 1_000_000);
    parse.mockRestore();
    expect(answer.status).toBe(400);
    expect(parsed).toEqual([]);
    expect(test.product.calls).toEqual([]);
    expect((await send(test.port, 'POST', session, callEcho(2, 'alive'))).status).toBe(200);
  });
});

describe('H10 header and log injection', () => {
  it("never copies a client's text into a header", async () => {
    const test = await startTestServer();
    const name = 'a\r\nSet-Cookie: x=1';
    const answer = await send(test.port, 'POST', jsonHeaders(test.server.token), initialize('2025-11-25', name));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'mcp-session-id',
    ]);
    expect(test.server.clients()[0]?.client?.name).toBe(name);
  });
});

describe('H11 duplicate and ambiguous headers', () => {
  it.each([
    ['Authorization', 'GOOD', 'Bearer bad'],
    ['Authorization', 'Bearer bad', 'GOOD'],
    ['Origin', 'http://127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['Content-Length', '2', '3'],
    ['Content-Length', '2', '2'],
    ['MCP-Protocol-Version', '2025-11-25', '2026-07-28'],
    ['Mcp-Session-Id', 'a', 'b'],
    ['Mcp-Name', 'read_file', 'delete_file'],
    ['mcp-anything', 'a', 'a'],
    ['Drawbridge-Connection', 'a'.repeat(32), 'b'.repeat(32)],
    ['Drawbridge-Folder', '/a', '/b'],
    ['Content-Type', 'application/json', 'text/plain'],
  ])('refuses two %s headers', async (name, first, second) => {
    const { server, port } = await startTestServer();
    const fill = (value: string): string =>
      value.replace('GOOD', `Bearer ${server.token}`).replace('PORT', String(port));
    const head = [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      ...(name === 'Authorization' ? [] : [`Authorization: Bearer ${server.token}`]),
      ...(name === 'Content-Length' ? [] : ['Content-Length: 2']),
      `${name}: ${fill(first)}`,
      `${name.toLowerCase()}: ${fill(second)}`,
    ];
    expect(await sendRaw(port, `${head.join('\r\n')}\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('refuses Transfer-Encoding together with Content-Length', async () => {
    const { server, port } = await startTestServer();
    const head =
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/json\r\n`;
    const smuggled = 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n';
    expect(await sendRaw(port, head + smuggled)).toMatch(/^HTTP\/1.1 400 /);
    const obsolete = 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n';
    expect(await sendRaw(port, head + obsolete)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('refuses a malformed Drawbridge-Connection', async () => {
    const { server, port } = await startTestServer();
    const headers = jsonHeaders(server.token, { 'Drawbridge-Connection': 'short' });
    expect((await send(port, 'POST', headers, initialize('2025-11-25'))).status).toBe(400);
  });

  it.each(['', 'relative', '%', '%2', '/a%00b', `/${'a'.repeat(4096)}`])(
    'refuses the Drawbridge-Folder %j, which is no path, so that nobody counts as meant for the window by it',
    async (folder) => {
      const { server, port } = await startTestServer();
      const answerOf = (header: string) =>
        send(port, 'POST', jsonHeaders(server.token, { 'Drawbridge-Folder': header }), initialize('2025-11-25'));
      expect((await answerOf(folder)).status).toBe(400);
      expect((await answerOf('/a%20b')).status).toBe(200);
    },
  );

  it('A43: reads the Drawbridge-Folder without its dots, which would name a folder in the window and mean another one', async () => {
    const { server, port, product } = await startTestServer();
    const { headers, body } = modern(server.token, 1, 'tools/call', { name: 'echo', arguments: { text: 'a' } });
    await send(port, 'POST', { ...headers, 'Drawbridge-Folder': '/open/../other' }, body);
    expect(product.calls.map(({ worksIn }) => worksIn)).toEqual(['/other']);
  });
});

describe('H17 envelopes and keys', () => {
  it.each([
    'null',
    '1',
    '"x"',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","id":1,"Method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"method":"tools/list"}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"constructor":{}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"\\u005f_proto__":{}}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","__proto__":{"name":"wait"}}}',
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping"',
    '\u{feff}\u{feff}{}',
  ])('answers 400 to %s', async (body) => {
    const test = await startTestServer();
    const session = await openSession(test);
    const answer = await send(test.port, 'POST', session, body);
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toMatchObject([{ jsonrpc: '2.0', id: null, error: {} }]);
    expect(test.product.calls).toEqual([]);
  });

  it('answers 400 to bytes that are not UTF-8', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const body = Buffer.from(callEcho(1, 'caf\u00e9'), 'latin1');
    expect((await send(test.port, 'POST', session, body)).status).toBe(400);
  });

  it.each([
    '{"text":"a","__proto__":{"text":"b"}}',
    '{"text":"a","constructor":1}',
    '{"text":{"deep":[{"__proto__":1}]}}',
  ])('treats %s as invalid arguments in every revision', async (args) => {
    const test = await startTestServer();
    const params = `{"name":"echo","arguments":${args}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const latest = await send(test.port, 'POST', await openSession(test), body);
    expect(messagesOf(latest)).toMatchObject([{ id: 1, result: { isError: true } }]);
    const older = await send(test.port, 'POST', await openSession(test, '2025-06-18'), body);
    expect(messagesOf(older)).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    const envelope = modern(test.server.token, 1, 'tools/call', { name: 'echo', arguments: 'ARGS' });
    const now = await send(test.port, 'POST', envelope.headers, envelope.body.replace('"ARGS"', args));
    expect(messagesOf(now)).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(test.product.calls).toEqual([]);
  });

  it('leaves case variants of keys to the strict schema, and takes the last of duplicate keys', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const variant = await send(test.port, 'POST', session, rawCall('{"Text":"a","text":"b"}'));
    expect(messagesOf(variant)).toMatchObject([{ result: { isError: true } }]);
    expect(test.product.calls[0]?.arguments).toEqual({ Text: 'a', text: 'b' });
    const double = await send(test.port, 'POST', session, rawCall('{"text":"a","text":"b"}'));
    expect(messagesOf(double)).toMatchObject([{ result: { structuredContent: { text: 'b' } } }]);
  });
});

describe('H18 headers that disagree with the body', () => {
  it.each([
    [{ 'Mcp-Name': 'read_file' }, -32020],
    [{ 'Mcp-Method': 'tools/list' }, -32020],
    [{ 'MCP-Protocol-Version': '2025-11-25' }, -32020],
    [{ 'MCP-Protocol-Version': '2027-01-01' }, -32020],
  ])('refuses %j in the 2026 era', async (headers, code) => {
    const test = await startTestServer();
    const call = modern(test.server.token, 1, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    const answer = await send(test.port, 'POST', { ...call.headers, ...headers }, call.body);
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toMatchObject([{ error: { code } }]);
    expect(test.product.calls).toEqual([]);
  });

  it.each(['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])('refuses a 2026 request without %s', async (name) => {
    const test = await startTestServer();
    const call = modern(test.server.token, 1, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    const { [name]: _missing, ...headers } = call.headers;
    const answer = await send(test.port, 'POST', headers, call.body);
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toMatchObject([{ error: { code: -32020 } }]);
    expect(test.product.calls).toEqual([]);
  });

  it('refuses disagreeing headers in a 2025 session too', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    for (const headers of [{ 'Mcp-Name': 'read_file' }, { 'Mcp-Method': 'tools/list' }]) {
      const answer = await send(test.port, 'POST', { ...session, ...headers }, callEcho(1, 'x'));
      expect(answer.status).toBe(400);
      expect(messagesOf(answer)).toMatchObject([{ error: { code: -32020 } }]);
    }
    expect(test.product.calls).toEqual([]);
  });
});

function batchOfEchoes(size: number): string {
  return `[${Array.from({ length: size }, (_, id) => callEcho(id, `t${id}`)).join()}]`;
}

/** A call of echo whose arguments are exactly this text. */
function rawCall(args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args}}}`;
}
