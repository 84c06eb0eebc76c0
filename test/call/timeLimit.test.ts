import { expect, it } from 'vitest';
import { withTimeLimit } from '#call/timeLimit.ts';
import { FakeClock } from '../fakes/clock.ts';

function setUp() {
  const clock = new FakeClock();
  const caller = new AbortController();
  let signal: AbortSignal | undefined;
  const work = Promise.withResolvers<string>();
  const run = () =>
    withTimeLimit(clock, 30, caller.signal, (given) => {
      signal = given;
      return work.promise;
    });
  return { clock, caller, work, run, isAborted: () => signal?.aborted };
}

it('stops a call at its limit in seconds, and aborts its work', async () => {
  const t = setUp();
  const answer = t.run();
  t.clock.advance(29_999);
  expect(t.isAborted()).toBe(false);
  t.clock.advance(1);
  await expect(answer).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('30 s') });
  expect(t.isAborted()).toBe(true);
});

it('stops a call that its caller cancels, and aborts its work', async () => {
  const t = setUp();
  const answer = t.run();
  t.caller.abort();
  await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
  expect(t.isAborted()).toBe(true);
});

it('starts no work for a call that was cancelled before', async () => {
  const t = setUp();
  t.caller.abort();
  await expect(t.run()).rejects.toMatchObject({ code: 'cancelled' });
  expect(t.isAborted()).toBeUndefined();
});

it('leaves no timer when a call ended, and does not abort its work afterwards', async () => {
  const t = setUp();
  const answer = t.run();
  t.work.resolve('done');
  expect(await answer).toBe('done');
  expect(t.clock.pendingTimers).toBe(0);
  t.caller.abort();
  expect(t.isAborted()).toBe(false);
});
