import { existsSync, utimesSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { keepRetention, removeOldRecords } from '#audit/retention.ts';
import { FakeClock } from '../fakes/clock.ts';
import { auditRun, storedHeads } from './auditRun.ts';

const onError = (error: unknown): never => {
  throw error;
};
const day = 24 * 60 * 60_000;

function windows() {
  const clock = new FakeClock();
  const first = auditRun({ clock, windowId: 'first' });
  const { state } = first;
  const second = auditRun({ state, clock, windowId: 'second' });
  const own = auditRun({ state, clock });
  for (const run of [first, second, own]) run.oneCall();
  const age = (run: typeof own, days: number): void =>
    utimesSync(run.path, (clock.now() - days * day) / 1000, (clock.now() - days * day) / 1000);
  const kept = () => [first, second, own].map(({ path }) => existsSync(path));
  const options = { state, fileAuditLog: own.log, heads: storedHeads(state), clock, retentionDays: () => 30, onError };
  return { clock, first, second, own, age, kept, options };
}

test('removes records that are too old, except the file that this window writes', async () => {
  const { first, second, own, age, kept, options } = windows();
  age(first, 31);
  age(second, 29);
  age(own, 400);
  await removeOldRecords(options);
  expect(kept()).toEqual([false, true, true]);
  await removeOldRecords({ ...options, retentionDays: () => 28 });
  expect(kept()).toEqual([false, false, true]);
});

test('removes the oldest records until the rest is small enough', async () => {
  const { first, second, age, kept, options } = windows();
  age(first, 2);
  age(second, 1);
  await removeOldRecords({ ...options, mostBytes: 1_000_000 });
  expect(kept()).toEqual([true, true, true]);
  const [{ bytes } = { bytes: 0 }] = await first.files();
  await removeOldRecords({ ...options, mostBytes: bytes * 2.5 });
  expect(kept()).toEqual([false, true, true]);
  await removeOldRecords({ ...options, mostBytes: 1 });
  expect(kept()).toEqual([false, false, true]);
});

test('keeps the days that an organization requires, even when they exceed the days of the user or the size', async () => {
  const { first, second, age, kept, options } = windows();
  age(first, 91);
  age(second, 89);
  await removeOldRecords({ ...options, leastDays: () => 90, mostBytes: 1 });
  expect(kept()).toEqual([false, true, true]);
});

test('keeps files with a write within the last five minutes', async () => {
  const { kept, options, clock, first, second, age } = windows();
  age(first, 3 / 24 / 60);
  age(second, 6 / 24 / 60);
  await removeOldRecords({ ...options, clock, mostBytes: 1 });
  expect(kept()).toEqual([true, false, true]);
});

test('runs after the start and whenever a file is full, never within a call', async () => {
  const clock = new FakeClock();
  const own = auditRun({ clock, mostFileBytes: 1000 });
  const retentionDays = vi.fn<() => number>(() => 30);
  const subscription = keepRetention({
    state: own.state,
    fileAuditLog: own.log,
    heads: storedHeads(own.state),
    clock,
    retentionDays,
    onError: () => undefined,
  });
  expect(retentionDays).not.toHaveBeenCalled();
  own.log.event({ event: 'server.start' });
  clock.advance(60_000);
  await vi.waitFor(() => expect(retentionDays).toHaveBeenCalledTimes(1));
  own.oneCall();
  own.oneCall();
  expect(retentionDays).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(retentionDays.mock.calls.length).toBeGreaterThan(1));
  subscription.dispose();
  expect(clock.pendingTimers).toBe(0);
});
