import { describe, expect, it } from 'vitest';
import { credentialOf, makeSecret, type Credential } from '#mcp/auth.ts';
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
  until,
  type TestServer,
} from './fixture.ts';

const callWait = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{}}}';

/** A server that accepts a token "codex" until it is revoked, and one "other". */
async function startWithTokens() {
  const [secret, other] = [makeSecret(), makeSecret()];
  let accepted: readonly Credential[] = [credentialOf('codex', secret), credentialOf('other', other)];
  const used: string[] = [];
  const test = await startTestServer({
    namedTokens: () => accepted,
    onNamedTokenUsed: (name) => used.push(name),
  });
  return {
    ...test,
    secret,
    other,
    used,
    withToken: (token: string): TestServer => ({ ...test, server: { ...test.server, token } }),
    /** Revokes the token "codex" without ending its sessions. */
    refuse: () => void (accepted = accepted.filter(({ name }) => name !== 'codex')),
    replace: (newSecret: string) => void (accepted = [credentialOf('codex', newSecret)]),
  };
}

describe('a named token', () => {
  it('authenticates calls as its principal and is reported as used, unlike the window’s own secret', async () => {
    const test = await startWithTokens();
    const session = await openSession(test.withToken(test.secret));
    await send(test.port, 'POST', session, callEcho(1, 'x'));
    const { headers, body } = modern(test.other, 1, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect((await send(test.port, 'POST', headers, body)).status).toBe(200);
    expect(test.product.calls.map(({ principal }) => principal.credential)).toEqual(['codex', 'other']);
    expect(test.server.clients().map(({ principal }) => principal.credential)).toEqual(['codex', 'other']);
    expect(new Set(test.used)).toEqual(new Set(['codex', 'other']));
    test.used.length = 0;
    await openSession(test);
    expect(test.used).toEqual([]);
  });

  it('H9 cannot use the session of another one, nor of the window', async () => {
    const test = await startWithTokens();
    const { 'Mcp-Session-Id': own = '' } = await openSession(test);
    const { 'Mcp-Session-Id': codex = '' } = await openSession(test.withToken(test.secret));
    const statuses = [];
    for (const [token, id] of [
      [test.other, own],
      [test.other, codex],
      [test.server.token, codex],
      [test.secret, own],
    ] as const) {
      const headers = jsonHeaders(token, { 'Mcp-Session-Id': id });
      statuses.push((await send(test.port, 'POST', headers, callEcho(1, 'x'))).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404]);
  });
});

describe('a revoked token', () => {
  it('gets 401 from the next request on, in its sessions too, while other tokens still work', async () => {
    const test = await startWithTokens();
    const session = await openSession(test.withToken(test.secret));
    const otherSession = await openSession(test.withToken(test.other));
    const { headers, body } = modern(test.secret, 1, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect((await send(test.port, 'POST', headers, body)).status).toBe(200);
    test.refuse();
    expect((await send(test.port, 'POST', headers, body)).status).toBe(401);
    expect((await send(test.port, 'POST', session, callEcho(1, 'x'))).status).toBe(401);
    expect((await send(test.port, 'POST', jsonHeaders(test.secret), initialize('2025-11-25'))).status).toBe(401);
    expect((await send(test.port, 'GET', session)).status).toBe(401);
    await test.server.closeCredential('codex');
    expect(test.server.sessionCount()).toBe(1);
    expect(test.server.clients().map(({ principal }) => principal.credential)).toEqual(['other']);
    expect((await send(test.port, 'POST', otherSession, callEcho(1, 'x'))).status).toBe(200);
    expect(test.product.calls).toHaveLength(2);
  });

  it('loses its calls and streams in both eras', async () => {
    const test = await startWithTokens();
    const session = await openSession(test.withToken(test.secret));
    const inSession = test.product.nextWait();
    const answers = [send(test.port, 'POST', session, callWait)];
    answers.push(send(test.port, 'GET', { ...session, Accept: 'text/event-stream' }));
    const call = await inSession;
    const inModern = test.product.nextWait();
    const { headers, body } = modern(test.secret, 1, 'tools/call', { name: 'wait', arguments: {} });
    answers.push(send(test.port, 'POST', headers, body));
    const modernCall = await inModern;
    const kept = test.product.nextWait();
    const other = modern(test.other, 1, 'tools/call', { name: 'wait', arguments: {} });
    const otherAnswer = send(test.port, 'POST', other.headers, other.body);
    await kept;
    test.refuse();
    await test.server.closeCredential('codex');
    await Promise.allSettled(answers);
    await until(() => test.product.running === 1);
    expect([call.signal.aborted, modernCall.signal.aborted]).toEqual([true, true]);
    test.product.release();
    expect(messagesOf(await otherAnswer).at(-1)).toMatchObject({ result: { structuredContent: { text: 'done' } } });
    expect(test.errors).toEqual([]);
  });

  it('still gets the result of a call that was known before', async () => {
    const test = await startWithTokens();
    const session = await openSession(test.withToken(test.secret));
    const started = test.product.nextWait();
    const answer = send(test.port, 'POST', session, callWait);
    await started;
    test.refuse();
    test.product.release();
    await test.server.closeCredential('codex');
    expect(messagesOf(await answer).at(-1)).toMatchObject({ result: { structuredContent: { text: 'done' } } });
  });

  it.each(['revoked', 'replaced'])('is refused when it was %s while the body of its request arrived', async (how) => {
    const test = await startWithTokens();
    const body = initialize('2025-11-25');
    const head = [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${test.port}`,
      `Authorization: Bearer ${test.secret}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    // The server checks the token before it asks for the body, and again when the body has arrived.
    const answer = sendRaw(test.port, `${head.join('\r\n')}\r\n\r\n`, (received, socket) => {
      if (!received.endsWith('100 Continue\r\n\r\n')) return;
      if (how === 'revoked') test.refuse();
      else test.replace(makeSecret());
      socket.write(body);
    });
    expect(await answer).toMatch(/HTTP\/1\.1 401 /);
    expect(test.server.sessionCount()).toBe(0);
  });
});
