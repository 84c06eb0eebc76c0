import { describe, expect, it } from 'vitest';
import { principalKey } from '#base/principal.ts';
import { connectionOf } from '#mcp/auth.ts';
import { Clients, claimedClient } from '#mcp/clients.ts';
import { FakeClock } from '../fakes/clock.ts';
import { callEcho, messagesOf, modern, openSession, send, startTestServer, until } from './fixture.ts';

const minute = 60_000;

describe('connected clients', () => {
  it('include clients of the last five minutes and clients with an open stream', () => {
    const clock = new FakeClock();
    const clients = new Clients(clock);
    let changes = 0;
    clients.onDidChange(() => changes++);
    const [one, two] = [
      { credential: 'window', connectionId: '1' },
      { credential: 'window', connectionId: '2' },
    ];
    clients.seen(one, { name: 'one', version: '1' }, '2025');
    clients.seen(two, undefined, '2026');
    clients.seen(two, undefined, '2026');
    expect(changes).toBe(2);
    const stream = clients.streamOpened(one);
    clock.advance(6 * minute);
    expect(clients.list()).toMatchObject([{ client: { name: 'one' }, openStreams: 1 }]);
    expect(changes).toBe(3);
    stream.dispose();
    stream.dispose();
    expect(clients.list()).toMatchObject([{ openStreams: 0 }]);
    clock.advance(6 * minute);
    expect(clients.list()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('shortens or drops the name and version that a client claims', () => {
    expect(claimedClient({ name: 'x'.repeat(1000), version: '1' })?.name).toHaveLength(200);
    expect(claimedClient({ name: 5, version: '1' })).toBeUndefined();
    expect(claimedClient(undefined)).toBeUndefined();
  });

  it('count the time and the calls since each client connected', () => {
    const clock = new FakeClock();
    const clients = new Clients(clock);
    const [one, two] = [{ credential: 'window', connectionId: '1' }, { credential: 'laptop' }];
    const came = clock.now();
    clients.called(one);
    clients.seen(one, { name: 'one', version: '1' }, '2025');
    clients.seen(two, undefined, '2026');
    clock.advance(4 * minute);
    clients.seen(one, undefined, '2025');
    for (const principal of [one, one, two]) clients.called(principal);
    expect(clients.list()).toMatchObject([
      { principal: two, calls: 1, since: came, lastSeen: came },
      { principal: one, calls: 2, since: came, lastSeen: came + 4 * minute, client: { name: 'one' } },
    ]);
    clock.advance(10 * minute);
    clients.seen(one, undefined, '2025');
    expect(clients.list()).toMatchObject([{ principal: one, calls: 0, since: clock.now(), client: undefined }]);
  });

  it('does not count old streams when a disconnected client comes back', () => {
    const clients = new Clients(new FakeClock());
    const [one, two] = [{ credential: 'window', connectionId: '1' }, { credential: 'laptop' }];
    for (const principal of [one, two]) clients.seen(principal, undefined, '2026');
    const before = clients.streamOpened(one);
    let changes = 0;
    clients.onDidChange(() => changes++);
    clients.forget((principal) => principalKey(principal) === principalKey(one));
    expect(clients.list()).toMatchObject([{ principal: two }]);
    clients.forget(() => false);
    expect(changes).toBe(1);
    clients.seen(one, undefined, '2026');
    clients.streamOpened(one);
    before.dispose();
    expect(clients.list()).toMatchObject([{ principal: two }, { principal: one, openStreams: 1 }]);
  });
});

it('A16: limits the memory when a caller sends a new connection with each request', () => {
  const clients = new Clients(new FakeClock());
  const principalOf = (at: number) => ({ credential: 'window', connectionId: `invented ${at}` });
  clients.seen(principalOf(0), undefined, '2026');
  const stream = clients.streamOpened(principalOf(0));
  for (let at = 1; at <= 2000; at += 1) clients.seen(principalOf(at), undefined, '2026');
  const list = clients.list();
  expect(list).toHaveLength(1000);
  expect(list).toContainEqual(expect.objectContaining({ principal: principalOf(0), openStreams: 1 }));
  expect(list).toContainEqual(expect.objectContaining({ principal: principalOf(2000) }));
  stream.dispose();
});

describe('an assistant that the user disconnects', () => {
  const callWait = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{}}}';
  const secrets = ['1'.repeat(32), '2'.repeat(32)] as const;
  const principals = secrets.map((secret) => ({ credential: 'window', connectionId: connectionOf(secret) }));
  const [gone = { credential: '' }] = principals;

  it('loses its calls, streams and sessions in both eras, and no other assistant does', async () => {
    const test = await startTestServer();
    const [own, others] = [
      await openSession(test, '2025-11-25', { 'Drawbridge-Connection': secrets[0] }),
      await openSession(test, '2025-11-25', { 'Drawbridge-Connection': secrets[1] }),
    ];
    const inSession = test.product.nextWait();
    const answers = [
      send(test.port, 'POST', own, callWait),
      send(test.port, 'GET', { ...own, Accept: 'text/event-stream' }),
    ];
    const call = await inSession;
    const inModern = test.product.nextWait();
    const { headers, body } = modern(test.server.token, 1, 'tools/call', { name: 'wait', arguments: {} });
    answers.push(send(test.port, 'POST', { ...headers, 'Drawbridge-Connection': secrets[0] }, body));
    const modernCall = await inModern;
    const kept = test.product.nextWait();
    const otherAnswer = send(test.port, 'POST', others, callWait);
    await kept;
    await test.server.closePrincipal(gone);
    await Promise.allSettled(answers);
    await until(() => test.product.running === 1);
    expect([call.signal.aborted, modernCall.signal.aborted]).toEqual([true, true]);
    expect(test.server.sessionCount()).toBe(1);
    expect(test.server.clients()).toMatchObject([{ principal: principals[1], calls: 1 }]);
    test.product.release();
    expect(messagesOf(await otherAnswer).at(-1)).toMatchObject({ result: { structuredContent: { text: 'done' } } });
    expect(test.errors).toEqual([]);
  });

  it('may connect again', async () => {
    const test = await startTestServer();
    const connection = { 'Drawbridge-Connection': secrets[0] };
    const own = await openSession(test, '2025-11-25', connection);
    await test.server.closePrincipal(gone);
    expect(test.server.clients()).toEqual([]);
    expect((await send(test.port, 'POST', own, callEcho(1, 'x'))).status).toBe(404);
    const again = await openSession(test, '2025-11-25', connection);
    expect((await send(test.port, 'POST', again, callEcho(1, 'x'))).status).toBe(200);
    expect(test.server.clients()).toMatchObject([{ principal: gone, calls: 1 }]);
  });
});
