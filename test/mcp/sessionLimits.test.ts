import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { credentialOf, makeSecret } from '#mcp/auth.ts';
import { callEcho, initialize, jsonHeaders, openSession, send, sendRaw, startTestServer, until } from './fixture.ts';
import { freePort } from './freePort.ts';

const wait = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{}}}';
const connection = (): Record<string, string> => ({ 'Drawbridge-Connection': randomBytes(16).toString('hex') });

describe('H8 sessions and streams do not exhaust the window', () => {
  it('answers 200 initialize requests of one principal, and never keeps more than 32 sessions', async () => {
    const test = await startTestServer();
    const headers = jsonHeaders(test.server.token, connection());
    const first = await openSession(test, '2025-11-25', {
      'Drawbridge-Connection': headers['Drawbridge-Connection'] ?? '',
    });
    const statuses = new Set<number>();
    for (let round = 0; round < 10; round++) {
      const opened = Array.from({ length: 20 }, () => send(test.port, 'POST', headers, initialize('2025-11-25')));
      for (const { status } of await Promise.all(opened)) statuses.add(status);
      expect(test.server.sessionCount()).toBeLessThanOrEqual(32);
    }
    expect([...statuses]).toEqual([200]);
    expect(test.server.sessionCount()).toBe(32);
    expect((await send(test.port, 'POST', first, callEcho(1, 'x'))).status).toBe(404);
  });

  it('refuses a principal with 32 busy sessions, and accepts another principal', async () => {
    const test = await startTestServer({
      limits: { sessions: { sessions: 9, perPrincipal: 2, idleMilliseconds: 60_000 } },
    });
    const [greedy, other] = [connection(), connection()];
    for (let count = 0; count < 2; count++) {
      const session = await openSession(test, '2025-11-25', greedy);
      const started = test.product.nextWait();
      send(test.port, 'POST', session, wait).catch(() => undefined);
      await started;
    }
    const open = (who: Record<string, string>) =>
      send(test.port, 'POST', jsonHeaders(test.server.token, who), initialize('2025-11-25'));
    expect((await open(greedy)).status).toBe(503);
    expect((await open(other)).status).toBe(200);
    test.product.release();
  });

  it('keeps a session whose approval waits for the user when other sessions arrive', async () => {
    const awaited = new Set<string | undefined>();
    const test = await startTestServer({
      limits: { sessions: { sessions: 2, perPrincipal: 2, idleMilliseconds: 60_000 } },
      isAwaited: ({ connectionId }) => awaited.has(connectionId),
    });
    const waiting = await openSession(test);
    awaited.add(test.server.clients()[0]?.principal.connectionId);
    for (let count = 0; count < 5; count++) await openSession(test);
    expect((await send(test.port, 'POST', waiting, callEcho(1, 'x'))).status).toBe(200);
  });

  it('opens one of 100 GET streams of a session, refuses the others, and lets it be opened again', async () => {
    const test = await startTestServer();
    const session = await openSession(test);
    const controllers = Array.from({ length: 100 }, () => new AbortController());
    const listen = (signal: AbortSignal) => fetch(test.server.endpoint, { headers: session, signal });
    const answers = await Promise.all(controllers.map(({ signal }) => listen(signal)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect([statuses[0], statuses[1], statuses.at(-1)]).toEqual([200, 429, 429]);
    for (const controller of controllers) controller.abort();
    const again = new AbortController();
    await until(async () => (await listen(again.signal)).status === 200);
    again.abort();
  });

  it('opens no session for an initialize without an id', async () => {
    const test = await startTestServer();
    const withoutId = initialize('2025-11-25').replace('"id":0,', '');
    expect(withoutId).not.toContain('"id"');
    expect((await send(test.port, 'POST', jsonHeaders(test.server.token), withoutId)).status).toBe(400);
    expect(test.server.sessionCount()).toBe(0);
  });

  it('answers 408 when the headers never end', async () => {
    const test = await startTestServer({ limits: { headersMilliseconds: 100 } });
    expect(await sendRaw(test.port, 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')).toMatch(/^HTTP\/1.1 408 /);
  });

  it('limits the connections of both listeners together', async () => {
    const secret = makeSecret();
    const httpPort = await freePort();
    const test = await startTestServer({
      limits: { sockets: 6 },
      namedTokens: () => [credentialOf('codex', secret)],
      httpPort: async () => httpPort,
    });
    await until(() => test.server.httpListener().kind === 'open');
    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    let closed = 0;
    for (let count = 0; count < 12; count++) {
      const socket = connect(count % 2 === 0 ? test.port : httpPort, '127.0.0.1');
      socket.on('error', () => undefined).on('close', () => (closed += 1));
      sockets.push(socket);
    }
    await until(() => closed >= 6);
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(6);
    sockets.forEach((socket) => socket.destroy());
    await until(async () =>
      (await sendRaw(httpPort, 'GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n')).startsWith('HTTP/1.1 403'),
    );
  });

  it('shares the sessions and the delay of wrong credentials between both listeners', async () => {
    const secret = makeSecret();
    const httpPort = await freePort();
    const test = await startTestServer({
      limits: {
        sessions: { sessions: 9, perPrincipal: 2, idleMilliseconds: 60_000 },
        failures: { failures: 3, windowMilliseconds: 60_000, lockMilliseconds: 60_000 },
      },
      namedTokens: () => [credentialOf('codex', secret)],
      httpPort: async () => httpPort,
    });
    await until(() => test.server.httpListener().kind === 'open');
    const headers = jsonHeaders(secret, connection());
    for (const port of [test.port, httpPort, test.port, httpPort]) {
      expect((await send(port, 'POST', headers, initialize('2025-11-25'))).status).toBe(200);
    }
    expect(test.server.sessionCount()).toBe(2);
    const statuses: number[] = [];
    for (const port of [test.port, httpPort, test.port, httpPort]) statuses.push((await send(port, 'GET', {})).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(test.server.refused()).toEqual({ forwarded: 0, credentials: 4 });
  });
});
