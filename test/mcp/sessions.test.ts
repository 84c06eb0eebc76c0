import { describe, expect, it } from 'vitest';
import type { ClientInfo } from '#base/principal.ts';
import { FailureGuard, type Caller } from '#mcp/auth.ts';
import { makeSessionId, Sessions, type Session } from '#mcp/sessions.ts';
import { FakeClock } from '../fakes/clock.ts';
import { callEcho, openSession, send, startTestServer } from './fixture.ts';

const caller = { credential: 'window', connection: undefined };
const minute = 60_000;

class FakeSession implements Session {
  readonly id = makeSessionId();
  readonly caller: Caller;
  readonly client: ClientInfo;
  readonly principal = { credential: 'window' };
  busy = false;
  awaited = false;
  closed = false;
  constructor(name = 'test', connection?: string) {
    this.caller = { credential: 'window', connection };
    this.client = { name, version: '1' };
  }
  isBusy(): boolean {
    return this.busy;
  }
  isAwaited(): boolean {
    return this.awaited;
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

describe('sessions', () => {
  it('expire after 30 idle minutes, not while they are busy', () => {
    const clock = new FakeClock();
    const sessions = new Sessions<FakeSession>(clock);
    const [idle, used, busy] = [new FakeSession(), new FakeSession(), new FakeSession()];
    busy.busy = true;
    for (const session of [idle, used, busy]) sessions.add(session);
    clock.advance(20 * minute);
    expect(sessions.use(used.id, caller)).toBe(used);
    clock.advance(11 * minute);
    expect([idle, used, busy].map(({ closed }) => closed)).toEqual([true, false, false]);
    expect(sessions.use(idle.id, caller)).toBeUndefined();
    clock.advance(120 * minute);
    expect([used, busy].map(({ closed }) => closed)).toEqual([true, false]);
    busy.busy = false;
    clock.advance(29 * minute);
    expect(busy.closed).toBe(false);
    clock.advance(2 * minute);
    expect(busy.closed).toBe(true);
    expect(sessions.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ['connections', (at: number) => new FakeSession('test', `connection ${at}`)],
    ['names of clients', (at: number) => new FakeSession(`client ${at}`)],
  ])('H8 stay open while they are idle when a caller invents %s', (_what, make) => {
    const sessions = new Sessions<FakeSession>(new FakeClock(), {
      sessions: 3,
      perPrincipal: 2,
      idleMilliseconds: minute,
    });
    const open = [1, 2, 3].map(make);
    for (const session of open) sessions.add(session);
    expect(sessions.hasRoom(make(4))).toBe(false);
    expect(sessions.hasRoom(make(2))).toBe(true);
    sessions.add(make(2));
    expect(open.map(({ closed }) => closed)).toEqual([false, true, false]);
  });

  it('H8 of one name without a connection secret are limited as those of one connection are', () => {
    const limits = { sessions: 9, perPrincipal: 2, idleMilliseconds: minute };
    const sessions = new Sessions<FakeSession>(new FakeClock(), limits);
    const all = [new FakeSession('one'), new FakeSession('other'), new FakeSession('one'), new FakeSession('one')];
    for (const session of all) sessions.add(session);
    expect(all.map(({ closed }) => closed)).toEqual([true, false, false, false]);
  });

  it('close the least recently used idle session of the caller when a new one needs its place', () => {
    const clock = new FakeClock();
    const sessions = new Sessions<FakeSession>(clock, { sessions: 3, perPrincipal: 3, idleMilliseconds: minute });
    const all = [new FakeSession(), new FakeSession(), new FakeSession()];
    for (const session of all) sessions.add(session);
    const [first, second] = all;
    if (first) first.busy = true;
    if (second) sessions.use(second.id, caller);
    const fourth = new FakeSession();
    expect(sessions.hasRoom(fourth)).toBe(true);
    sessions.add(fourth);
    expect(all.map(({ closed }) => closed)).toEqual([false, false, true]);
    for (const session of [...all, fourth]) session.busy = true;
    expect(sessions.hasRoom(fourth)).toBe(false);
    fourth.busy = false;
    expect(sessions.hasRoom(fourth)).toBe(true);
    expect(sessions.size).toBe(3);
  });

  it('H8 neither expire nor are closed for others while their approval waits for the user', () => {
    const clock = new FakeClock();
    const sessions = new Sessions<FakeSession>(clock, { sessions: 2, perPrincipal: 2, idleMilliseconds: minute });
    const [awaited, idle, third] = [new FakeSession(), new FakeSession(), new FakeSession()];
    awaited.awaited = true;
    for (const session of [awaited, idle, third]) sessions.add(session);
    expect([awaited, idle, third].map(({ closed }) => closed)).toEqual([false, true, false]);
    clock.advance(10 * minute);
    expect([awaited.closed, third.closed]).toEqual([false, true]);
    awaited.awaited = false;
    clock.advance(2 * minute);
    expect(awaited.closed).toBe(true);
  });

  it('refuse a session above the limit when all of the caller are busy, else close its oldest idle one', async () => {
    const test = await startTestServer({
      limits: { sessions: { sessions: 2, perPrincipal: 2, idleMilliseconds: minute } },
    });
    const [first, second] = [await openSession(test), await openSession(test)];
    const third = await openSession(test);
    const status = async (session: Record<string, string>): Promise<number> =>
      (await send(test.port, 'POST', session, callEcho(1, 'x'))).status;
    expect([await status(first), await status(second), await status(third)]).toEqual([404, 200, 200]);
    expect(test.server.sessionCount()).toBe(2);
    for (const session of [second, third]) {
      const started = test.product.nextWait();
      const body = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{}}}';
      send(test.port, 'POST', session, body).catch(() => undefined);
      await started;
    }
    await expect(openSession(test)).rejects.toThrow(/503/);
  });
});

describe('failed authentications', () => {
  it('delay the next answers for a minute after ten failures within a minute', () => {
    const clock = new FakeClock();
    const guard = new FailureGuard(clock);
    const fail = (times: number): boolean[] => Array.from({ length: times }, () => guard.fail());
    expect(fail(10).every((locked) => !locked)).toBe(true);
    expect(fail(3)).toEqual([true, true, true]);
    clock.advance(minute);
    expect(fail(10).every((locked) => !locked)).toBe(true);
    clock.advance(minute);
    expect(fail(1)).toEqual([false]);
  });
});
