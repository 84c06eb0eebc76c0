import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { Principal } from '#base/principal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ReadRequest } from '#changes/approver.ts';
import type { FakeClock } from '../fakes/clock.ts';
import { setUp } from './queueSetUp.ts';

const minute = 60_000;
const claude: Principal = { credential: 'window', connectionId: 'claude' };
const codex: Principal = { credential: 'window', connectionId: 'codex' };

let clock: FakeClock;
let reads: ReturnType<typeof readsOf>;
let events: AuditEvent[];
let changes: number;

beforeEach(() => {
  events = [];
  changes = 0;
  const t = setUp(undefined, undefined, { auditLog: { event: (event) => events.push(event) } });
  ({ clock } = t);
  reads = readsOf(t.queue);
  t.queue.onDidChange((changed) => (changes += changed.reads.size));
});

/** The part of a queue that reads use. */
function readsOf(queue: ReturnType<typeof setUp>['queue']) {
  return {
    get all() {
      return queue.waitingReads;
    },
    permit: (request: ReadRequest) => queue.permitRead(request),
    displayed: (id: string, armed?: () => void) => queue.readDisplayed(id, armed),
    answer: (id: string, allow: boolean) => queue.answerRead(id, allow),
    withdraw: (which: (principal: Principal) => boolean) => queue.withdrawReads(which),
  };
}

/** Starts a call that wants to read. `result` resolves to "read", or to the code of the error. */
function call(given: Partial<ReadRequest> = {}): { readonly result: Promise<string>; readonly cancel: () => void } {
  const controller = new AbortController();
  const request: ReadRequest = {
    principal: claude,
    client: { name: 'Claude Code', version: '2' },
    tool: 'read_file',
    paths: ['.env'],
    realPaths: ['/work/.env'],
    reason: 'a rule of yours asks',
    explain: [],
    waitMilliseconds: 25_000,
    signal: controller.signal,
    progress: () => undefined,
    ...given,
  };
  const result = reads.permit(request).then(
    () => 'read',
    (error: unknown) => (error instanceof ToolError ? error.code : String(error)),
  );
  return { result, cancel: () => controller.abort() };
}

const only = (): string => {
  const [read, ...others] = reads.all;
  if (read === undefined || others.length > 0) throw new Error(`${reads.all.length} reads wait`);
  return read.id;
};
/** Displays the read for long enough to answer it. */
function look(): string {
  const id = only();
  reads.displayed(id);
  clock.advance(500);
  return id;
}

describe('a read that asks', () => {
  test('A16: refuses the 51st read, whatever connections a caller invents', async () => {
    for (let at = 0; at < 50; at += 1) {
      void call({ principal: { credential: 'window', connectionId: `invented ${at}` } });
    }
    const { result } = call({ principal: { credential: 'window', connectionId: 'one more' } });
    expect(await result).toBe('too_many_pending');
    expect(reads.all).toHaveLength(50);
  });

  test('A8: permits a read once, so that the next call asks again', async () => {
    const first = call();
    expect(reads.all).toMatchObject([{ paths: ['.env'], tool: 'read_file', principal: claude }]);
    expect(reads.answer(look(), true)).toBe('accepted');
    expect(await first.result).toBe('read');
    expect(reads.all).toEqual([]);
    const second = call();
    expect(reads.all).toHaveLength(1);
    expect(reads.answer(look(), false)).toBe('accepted');
    expect(await second.result).toBe('denied');
    expect(clock.pendingTimers).toBe(0);
  });

  test('A17: refuses a permission within half a second of the display, and after each move', () => {
    void call();
    const id = only();
    expect(reads.answer(id, true)).toBe('not_displayed');
    reads.displayed(id);
    clock.advance(499);
    expect(reads.answer(id, true)).toBe('too_fast');
    expect(reads.answer(id, false)).toBe('too_fast');
    reads.displayed(id);
    clock.advance(499);
    expect(reads.answer(id, true)).toBe('too_fast');
    clock.advance(1);
    expect(reads.answer(id, true)).toBe('accepted');
    expect(reads.answer(id, true)).toBe('already_decided');
  });

  test('A17: reports armed at the moment from which an answer counts, and not for a display before the request moved', () => {
    void call();
    const id = only();
    const armed: string[] = [];
    reads.displayed(id, () => armed.push('before'));
    clock.advance(499);
    reads.displayed(id, () => armed.push(reads.answer(id, true)));
    clock.advance(499);
    expect(armed).toEqual([]);
    clock.advance(1);
    expect(armed).toEqual(['accepted']);
  });

  test('takes a decline from a notification before the request is on screen', async () => {
    const { result } = call();
    expect(reads.answer(only(), false)).toBe('accepted');
    expect(await result).toBe('denied');
  });

  test('counts a permission once after the call returned, within ten minutes, for the same caller and paths', async () => {
    const first = call();
    clock.advance(25_000);
    expect(await first.result).toBe('unavailable');
    reads.answer(look(), true);
    expect(reads.all).toEqual([]);
    void call({ principal: codex });
    void call({ paths: ['.env', 'key.pem'], realPaths: ['/work/.env', '/work/key.pem'] });
    expect(reads.all).toHaveLength(2);
    expect(await call().result).toBe('read');
    void call();
    expect(reads.all).toHaveLength(3);
  });

  test('forgets a permission after ten minutes', async () => {
    const first = call();
    clock.advance(25_000);
    await first.result;
    reads.answer(look(), true);
    clock.advance(10 * minute);
    void call();
    expect(reads.all).toHaveLength(1);
  });

  test('reports a decline after the call returned to the next call, once', async () => {
    const first = call();
    clock.advance(25_000);
    await first.result;
    reads.answer(look(), false);
    expect(await call().result).toBe('denied');
    void call();
    expect(reads.all).toHaveLength(1);
  });

  test('shares a request among calls of one assistant for the same paths, in any order', async () => {
    const two = { paths: ['.env', 'key.pem'], realPaths: ['/work/.env', '/work/key.pem'] };
    const first = call(two);
    const second = call({ paths: ['key.pem', '.env'], realPaths: ['/work/key.pem', '/work/.env'] });
    const id = look();
    first.cancel();
    expect(await first.result).toBe('cancelled');
    expect(reads.answer(id, true)).toBe('accepted');
    expect(await second.result).toBe('read');
  });

  test('shares no request and keeps no answer for callers that share a bare credential', async () => {
    const bare: Principal = { credential: 'tool' };
    const first = call({ principal: bare });
    void call({ principal: bare });
    expect(reads.all).toHaveLength(2);
    clock.advance(25_000);
    expect(await first.result).toBe('unavailable');
    expect(reads.all).toEqual([]);
  });

  test('A16: lets twenty reads of one assistant wait, and those of another one besides', async () => {
    const path = (number: number) => ({ paths: [`${number}.env`], realPaths: [`/work/${number}.env`] });
    for (let number = 0; number < 20; number += 1) void call(path(number));
    expect(await call(path(20)).result).toBe('too_many_pending');
    void call({ principal: codex });
    expect(reads.all).toHaveLength(21);
  });

  test('withdraws waiting reads and unused answers on stop, revoke and pause', async () => {
    const waiting = call();
    const other = call({ principal: codex });
    clock.advance(25_000);
    expect(await other.result).toBe('unavailable');
    expect(await waiting.result).toBe('unavailable');
    const mine = call({ paths: ['key.pem'], realPaths: ['/work/key.pem'] });
    const ids = reads.all.map(({ id }) => id);
    for (const id of ids) reads.displayed(id);
    clock.advance(500);
    reads.answer(ids[0] ?? '', true);
    reads.withdraw(({ connectionId }) => connectionId === 'claude');
    expect(await mine.result).toBe('denied');
    expect(reads.all.map(({ principal }) => principal)).toEqual([codex]);
    void call();
    expect(reads.all).toHaveLength(2);
  });

  test('reports every ten seconds that it waits', () => {
    const said: string[] = [];
    void call({ progress: (message) => said.push(message) });
    clock.advance(24_000);
    expect(said).toHaveLength(2);
  });

  test('is recorded with its answer', () => {
    void call();
    const id = look();
    reads.answer(id, true);
    const common = { event: 'approval.state', approvalId: id, tool: 'read_file' };
    expect(events).toEqual([
      { ...common, state: 'waiting' },
      { ...common, state: 'displayed' },
      { ...common, state: 'allowed', choice: 'approve', displayedAt: clock.now() - 500 },
    ]);
    expect(changes).toBe(3);
  });
});

describe('the end of a read that asks', () => {
  test('withdraws the read when the only call that waits for it is cancelled', async () => {
    const { result, cancel } = call();
    cancel();
    expect(reads.all).toEqual([]);
    expect(await result).toBe('cancelled');
    expect(events.map(({ state }) => state)).toEqual(['waiting', 'withdrawn']);
  });

  test('does not ask the user when the call was cancelled before', async () => {
    expect(await call({ signal: AbortSignal.abort() }).result).toBe('cancelled');
    expect(reads.all).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('leaves no listener with the signal of its call, which may live as long as the connection', async () => {
    const { signal } = new AbortController();
    const { result } = call({ signal });
    reads.answer(look(), true);
    await result;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('expires at the announced time', () => {
    void call();
    expect(reads.all).toMatchObject([{ requestedAt: clock.now(), expiresAt: clock.now() + 30 * minute }]);
    clock.advance(30 * minute - 1);
    expect(reads.all).toHaveLength(1);
    clock.advance(1);
    expect(reads.all).toEqual([]);
  });

  test('records the first display with its time', () => {
    void call();
    const id = look();
    reads.displayed(id);
    reads.displayed('read-0');
    expect(reads.all).toMatchObject([{ displayedAt: clock.now() - 500 }]);
    expect(events.map(({ state }) => state)).toEqual(['waiting', 'displayed']);
    expect(changes).toBe(2);
  });

  test('records a decline without a display as such', () => {
    void call();
    const id = only();
    reads.answer(id, false);
    const common = { event: 'approval.state', approvalId: id, tool: 'read_file' };
    expect(events).toStrictEqual([
      { ...common, state: 'waiting' },
      { ...common, state: 'declined', choice: 'decline' },
    ]);
  });

  test('keeps late answers side by side, each for its own ten minutes', async () => {
    const key = { paths: ['key.pem'], realPaths: ['/work/key.pem'] };
    const late = async (given: Partial<ReadRequest>): Promise<void> => {
      const { result } = call(given);
      clock.advance(25_000);
      await result;
      reads.answer(look(), true);
    };
    await late({});
    clock.advance(9 * minute);
    await late(key);
    await late({ principal: codex });
    expect(await call().result).toBe('read');
    expect(await call(key).result).toBe('read');
    expect(await call({ principal: codex }).result).toBe('read');
  });

  test('keeps the answer for one assistant when another one is stopped', async () => {
    const first = call();
    clock.advance(25_000);
    await first.result;
    reads.answer(look(), true);
    reads.withdraw(({ connectionId }) => connectionId === 'codex');
    expect(await call().result).toBe('read');
  });
});

/** Every order of the acts that can end a read. */
function ordersOf<Value>(values: readonly Value[]): Value[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((first, index) =>
    ordersOf(values.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

describe('A15: the first to act wins', () => {
  const acts = ['yes', 'no', 'cancel', 'deadline', 'expiry'] as const;
  test.each(ordersOf(acts).map((order) => [order.join(', '), order] as const))(
    'ends a read in one state after %s',
    async (_, order) => {
      const expiry = 30 * minute;
      const { result, cancel } = call();
      const id = look();
      const start = clock.now() - 500;
      for (const act of order) {
        if (act === 'yes') reads.answer(id, true);
        else if (act === 'no') reads.answer(id, false);
        else if (act === 'cancel') cancel();
        else clock.advance(Math.max(0, start + (act === 'deadline' ? 25_000 : expiry) - clock.now()));
      }
      const answers: Record<(typeof acts)[number], string> = {
        yes: 'read',
        no: 'denied',
        cancel: 'cancelled',
        deadline: 'unavailable',
        expiry: 'unavailable',
      };
      expect(await result).toBe(answers[order[0] ?? 'yes']);
      const states = events.map(({ state }) => state).filter((state) => state !== 'waiting' && state !== 'displayed');
      expect(states).toHaveLength(1);
      expect(reads.all).toEqual([]);
      expect(clock.pendingTimers).toBe(0);
      void call();
      expect(reads.all).toHaveLength(1);
    },
  );
});
