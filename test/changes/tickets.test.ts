import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Waiting } from '#changes/approver.ts';
import { shippedLimits } from '#changes/queue.ts';
import { judged, edit, move, remove, setUp, settled } from './queueSetUp.ts';

type Queue = ReturnType<typeof setUp>;

function waiting(overrides: Partial<Waiting> = {}): Waiting {
  return {
    principal: { credential: 'window', connectionId: 'c1' },
    waitMilliseconds: 25_000,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...overrides,
  };
}

async function ticketed(t: Queue): Promise<string> {
  const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
  t.clock.advance(25_000);
  const { status, approvalId } = await outcome;
  expect(status).toBe('pending_approval');
  return approvalId;
}

/** Approves a change after its call had returned. */
async function approvedLate(t: ReturnType<typeof setUp>): Promise<string> {
  const id = await ticketed(t);
  t.show();
  t.approve();
  await settled();
  return id;
}

describe('a ticket', () => {
  it('gives the outcome of a decision that was made after the call had returned', async () => {
    const t = setUp();
    const id = await approvedLate(t);
    expect(await t.queue.outcome(id, waiting())).toMatchObject({ status: 'applied', approvalId: id });
  });

  it('B27: is marked until the assistant gets the outcome of a late decision', async () => {
    const t = setUp();
    const id = await approvedLate(t);
    expect(t.queue.get(id)).toMatchObject({ state: 'applied', unheard: true });
    const again = await t.reload();
    expect(again.queue.get(id)).toMatchObject({ unheard: true });
    await again.queue.outcome(id, waiting());
    expect(again.queue.get(id)).not.toHaveProperty('unheard');
    expect((await again.reload()).queue.get(id)).not.toHaveProperty('unheard');
  });

  it('B27: is not marked when a call waits for the decision, nor when it is undone later', async () => {
    const t = setUp();
    const id = await ticketed(t);
    const outcome = t.queue.outcome(id, waiting());
    t.show();
    t.approve();
    expect((await outcome)?.status).toBe('applied');
    expect(t.queue.get(id)).not.toHaveProperty('unheard');
    await t.queue.undo(id);
    expect(t.queue.get(id)).toMatchObject({ state: 'undone' });
    expect(t.queue.get(id)).not.toHaveProperty('unheard');
  });

  it('waits for the decision, and may return pending_approval again', async () => {
    const t = setUp();
    const id = await ticketed(t);
    const first = t.queue.outcome(id, waiting());
    t.clock.advance(25_000);
    expect(await first).toMatchObject({ status: 'pending_approval', displayed: false });
    const second = t.queue.outcome(id, waiting());
    t.show();
    t.queue.decline(id);
    expect(await second).toMatchObject({ status: 'declined', displayed: true });
  });

  it('is refused to another principal', async () => {
    const t = setUp();
    const id = await ticketed(t);
    const other = { credential: 'window', connectionId: 'c2' };
    expect(await t.queue.outcome(id, waiting({ principal: other }))).toBeUndefined();
    expect(await t.queue.outcome('a-000000000000000000000000', waiting())).toBeUndefined();
  });

  it('survives a cancel of the call that asks for it', async () => {
    const t = setUp();
    const id = await ticketed(t);
    const cancel = new AbortController();
    const asked = t.queue.outcome(id, waiting({ signal: cancel.signal }));
    cancel.abort();
    expect((await asked)?.status).toBe('pending_approval');
    expect(t.only().state).toBe('waiting');
  });

  it('F8: says whether the user saw the approval that expired', async () => {
    for (const isSeen of [false, true]) {
      const t = setUp();
      const id = await ticketed(t);
      if (isSeen) t.show();
      t.clock.advance(shippedLimits.expiryMilliseconds);
      expect(await t.queue.outcome(id, waiting())).toMatchObject({ status: 'expired', displayed: isSeen });
    }
  });
});

describe('a reload', () => {
  it('restores an approval whose call had returned, which can be approved once it was shown again', async () => {
    const t = setUp();
    const id = await ticketed(t);
    t.show();
    const again = await t.reload();
    expect(again.only()).toMatchObject({ id, state: 'waiting', callReturned: true });
    expect(again.approve()).toBe('too_fast');
    again.show();
    expect(again.approve()).toBe('accepted');
    await settled();
    expect(again.edits.texts.get('/w/a')).toBe('new\n');
    expect(await again.queue.outcome(id, waiting())).toMatchObject({ status: 'applied' });
  });

  it('gives the call that waits its ticket, and restores the card with the same bytes', async () => {
    const t = setUp();
    const suspended: string[] = [];
    const onSuspended = (id: string): void => void suspended.push(id);
    const outcome = t.ask([edit('a', 'old\n', 'new\n')], { onSuspended });
    await settled();
    const { id, proposalHash } = t.only();
    const again = await t.reload();
    expect(await outcome).toMatchObject({ status: 'pending_approval', approvalId: id });
    expect(suspended).toEqual([id]);
    expect(again.only()).toMatchObject({ id, state: 'waiting', proposalHash });
    expect(again.edits.texts.get('/w/a')).toBe('old\n');
    const joined = again.queue.outcome(id, waiting());
    again.show();
    expect(again.approve()).toBe('accepted');
    expect(await joined).toMatchObject({ status: 'applied', approvalId: id });
    expect(again.edits.texts.get('/w/a')).toBe('new\n');
  });

  it('gives a call that waits with its ticket the ticket again', async () => {
    const t = setUp();
    const id = await ticketed(t);
    const suspended: string[] = [];
    const asked = t.queue.outcome(id, waiting({ onSuspended: (each) => void suspended.push(each) }));
    await t.reload();
    expect(await asked).toMatchObject({ status: 'pending_approval', approvalId: id });
    expect(suspended).toEqual([id]);
  });

  it('gives no ticket while the window stays', async () => {
    const t = setUp();
    const suspended: string[] = [];
    const outcome = t.ask([edit('a', 'old\n', 'new\n')], { onSuspended: (id) => void suspended.push(id) });
    t.clock.advance(25_000);
    expect((await outcome).status).toBe('pending_approval');
    expect(suspended).toEqual([]);
  });

  it('tells an approval as stale when the bytes of its record are others than those that were shown', async () => {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    await settled();
    const { id } = t.only();
    t.queue.suspend();
    await t.queue.settled();
    const evil = await t.history.putContent(Buffer.from('evil\n'));
    const honest = await t.history.putContent(Buffer.from('new\n'));
    t.history.kept.set(id, (t.history.kept.get(id) ?? '').replaceAll(honest, evil));
    const again = setUp(Object.fromEntries(t.edits.texts), t.history);
    again.clock.advance(t.clock.now() - again.clock.now());
    await again.queue.restore();
    expect(again.only().state).toBe('stale');
    expect(again.approve()).toBe('already_decided');
    expect(again.edits.writes).toEqual([]);
  });

  it.each([
    [
      'whose caller cannot be recognized afterwards',
      { principal: { credential: 'window', connectionId: 'session:1' } },
    ],
    ['whose caller shares its credential', { principal: { credential: 'window' } }],
    ['whose hook brings the call again', { tool: 'native_edit' }],
  ])('withdraws the request of a call that waits and %s', async (_what, given) => {
    const t = setUp();
    const outcome = t.ask([edit('a', 'old\n', 'new\n')], given);
    const again = await t.reload();
    expect((await outcome).status).toBe('withdrawn');
    expect(again.only().state).toBe('withdrawn');
  });

  it('keeps the selection and the text of the user', async () => {
    const t = setUp();
    const id = await ticketed(t);
    t.queue.setText(id, 0, 'typed\n');
    const again = await t.reload();
    expect(again.only().files[0]).toMatchObject({ edited: true });
    expect(await again.queue.texts(id, 0)).toEqual({ base: 'old\n', proposed: 'new\n', current: 'typed\n' });
    again.show();
    again.approve();
    await settled();
    expect(again.edits.texts.get('/w/a')).toBe('typed\n');
  });

  it('notices that a file was changed meanwhile', async () => {
    const t = setUp({ '/w/a': 'one\ntwo\nthree\n' });
    const outcome = t.ask([edit('a', 'one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')]);
    t.clock.advance(25_000);
    await outcome;
    await settled();
    t.edits.texts.set('/w/a', 'one\ntwo\nTHREE\n');
    const again = await t.reload();
    await settled();
    expect(again.only()).toMatchObject({ state: 'stale', canRebase: true });
    const { id = '' } = await again.queue.rebase(again.only().id);
    expect((await again.queue.texts(id, 0))?.proposed).toBe('ONE\ntwo\nTHREE\n');
  });

  it('expires approvals that were due meanwhile', async () => {
    const t = setUp();
    await ticketed(t);
    await t.queue.settled();
    const again = setUp(Object.fromEntries(t.edits.texts), t.history);
    again.clock.advance(t.clock.now() - again.clock.now() + shippedLimits.expiryMilliseconds);
    await again.queue.restore();
    expect(again.only().state).toBe('expired');
  });

  it('refuses a record that was changed on disk', async () => {
    const t = setUp();
    const id = await ticketed(t);
    await t.queue.settled();
    const evil = await t.history.putContent(Buffer.from('evil\n'));
    const honest = await t.history.putContent(Buffer.from('new\n'));
    t.history.kept.set(id, (t.history.kept.get(id) ?? '').replaceAll(honest, evil));
    const again = await t.reload();
    expect(again.only().state).toBe('stale');
    expect(again.approve()).toBe('already_decided');
  });

  it('lets a notification decline an approval before its card is on screen again', async () => {
    const t = setUp();
    await ticketed(t);
    t.show();
    const again = await t.reload();
    expect(again.queue.decline(again.only().id)).toBe('accepted');
  });

  it('restores deletes and moves too', async () => {
    const t = setUp();
    const outcome = t.ask([remove('a', 'old\n'), move('b', 'c', 'old\n')], { judgement: judged({ risk: 'delete' }) });
    t.clock.advance(25_000);
    await outcome;
    const again = await t.reload();
    again.show();
    again.queue.endReached(again.only().id);
    expect(again.approve()).toBe('accepted');
    await settled();
    expect(Object.fromEntries(again.edits.texts)).toEqual({ '/w/c': 'old\n' });
    expect(await again.queue.undo(again.only().id)).toEqual({ status: 'undone' });
    expect(Object.fromEntries(again.edits.texts)).toEqual({ '/w/a': 'old\n', '/w/b': 'old\n' });
  });
});

const acts = ['approve', 'decline', 'cancel', 'expire', 'type', 'toggle', 'touch', 'reload', 'ask', 'wait'] as const;

it('A15: gives one outcome and one write for any order of clicks, cancels, expiries, edits and reloads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...acts), { maxLength: 10 }), async (sequence) => {
      let t = setUp();
      const outcomes: string[] = [];
      const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
      void outcome.then(({ status }) => outcomes.push(status));
      const { id } = t.only();
      const ends = new Set<string>();
      let writes = 0;
      for (const act of sequence) {
        t.show(id);
        if (act === 'approve') t.approve(id);
        if (act === 'decline') t.queue.decline(id);
        if (act === 'cancel') t.cancel.abort();
        if (act === 'expire') t.clock.advance(shippedLimits.expiryMilliseconds);
        if (act === 'type') t.queue.setText(id, 0, 'typed\n');
        if (act === 'toggle') t.queue.selectHunk(id, 0, 0, true);
        if (act === 'touch') t.edits.fire();
        if (act === 'wait') t.clock.advance(25_000);
        if (act === 'ask') void t.queue.outcome(id, waiting());
        if (act === 'reload') {
          const next = await t.reload();
          writes += t.edits.writes.length;
          t = next;
        } else await settled();
        const { state = 'waiting' } = t.queue.get(id) ?? {};
        if (state !== 'waiting' && state !== 'applying') ends.add(state);
      }
      await t.queue.settled();
      writes += t.edits.writes.length;
      expect(ends.size).toBeLessThanOrEqual(1);
      expect(outcomes.filter((status) => status !== 'pending_approval').length).toBeLessThanOrEqual(1);
      expect(writes).toBe(ends.has('applied') ? 1 : 0);
      expect(['old\n', 'new\n', 'typed\n']).toContain(t.edits.texts.get('/w/a'));
    }),
    { numRuns: 2000 },
  );
});
