import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { edit, setUp, settled } from './queueSetUp.ts';

const files = [edit('a', 'old\n', 'new\n')];

it('A15: leaves an approval to the other call when one of two waiting calls is cancelled', async () => {
  const t = setUp();
  const cancel = new AbortController();
  const first = t.ask(files, { signal: cancel.signal });
  const second = t.ask(files);
  t.show();
  cancel.abort();
  expect((await first).status).toBe('pending_approval');
  expect(t.approve()).toBe('accepted');
  expect((await second).status).toBe('applied');
});

it('B27: tells until when the call that waits longest is answered', async () => {
  const t = setUp();
  const outcome = t.ask(files);
  await settled();
  expect(t.only()).toMatchObject({ waitsUntil: t.clock.now() + 25_000 });
  t.cancel.abort();
  await outcome;
});

it('A15: withdraws at once when the call was cancelled before it asked', async () => {
  const t = setUp();
  t.cancel.abort();
  expect((await t.ask(files)).status).toBe('withdrawn');
  expect(t.waiting()).toEqual([]);
});

it('F20: restores an approval whose call had returned after a crash too', async () => {
  const t = setUp();
  const outcome = t.ask(files);
  await settled();
  t.clock.advance(25_000);
  const { approvalId } = await outcome;
  await settled();
  const again = setUp(undefined, t.history);
  again.clock.advance(t.clock.now() - again.clock.now());
  await again.queue.restore();
  expect(again.only()).toMatchObject({ id: approvalId, state: 'waiting', callReturned: true });
});

it('distinguishes a cancel from a decision by its reason', async () => {
  const t = setUp();
  const outcome = t.ask(files);
  t.cancel.abort();
  expect((await outcome).files).toMatchObject([{ state: 'not_applied', reason: expect.stringContaining('cancelled') }]);
});

it('leaves no listener with the signal of an answered call, which may live as long as the connection', async () => {
  const t = setUp();
  const outcome = t.ask(files);
  t.show();
  t.queue.decline(t.only().id);
  await outcome;
  expect(getEventListeners(t.cancel.signal, 'abort')).toEqual([]);
});
