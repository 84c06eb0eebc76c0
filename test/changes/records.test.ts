import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import { reduce } from '#changes/lifecycle.ts';
import { unfilledRequest } from '#changes/newRequests.ts';
import { shippedLimits } from '#changes/queue.ts';
import { emptyQueue, type UserRequest } from '#changes/requests.ts';
import { create, edit, judged, setUp, settled } from './queueSetUp.ts';

const files = [edit('a', 'old\n', 'new\n')];

it('F20: does not ask again after a reload for a change that was declined while the disk was full', async () => {
  const t = setUp();
  void t.ask(files);
  await settled();
  t.history.failure = new Error('disk full');
  t.clock.advance(25_000);
  await settled();
  t.history.failure = undefined;
  t.show();
  expect(t.queue.decline(t.only().id)).toBe('accepted');
  await t.queue.settled();
  const again = await t.reload();
  expect(again.only()).toMatchObject({ state: 'declined' });
});

it('F20: tries an undo again whose record could not be written the first time', async () => {
  const t = setUp();
  await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  await t.queue.settled();
  const { id } = t.only();
  t.history.failure = new Error('disk full');
  expect(await t.queue.undo(id)).toMatchObject({ status: 'failed' });
  t.history.failure = undefined;
  await t.queue.settled();
  expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
  await t.queue.settled();
  expect(JSON.parse(t.history.kept.get(id) ?? '')).toMatchObject({ approval: { state: 'undone' } });
});

it('reports a record that cannot be written, with its approval', async () => {
  const events: AuditEvent[] = [];
  const t = setUp(undefined, undefined, { auditLog: { event: (event) => void events.push(event) } });
  t.history.failure = new Error('disk full');
  void t.ask(files);
  await settled();
  expect(events).toContainEqual({
    event: 'approval.state',
    approvalId: t.only().id,
    state: 'not_kept',
    error: 'Error: disk full',
  });
});

it('writes the selection that was made while the disk was full once there is room', async () => {
  const t = setUp();
  const outcome = t.ask([...files, create('n', 'x\n')]);
  t.clock.advance(25_000);
  await outcome;
  await settled();
  const { id } = t.only();
  t.history.failure = new Error('disk full');
  t.queue.setText(id, 0, 'typed\n');
  t.clock.advance(500);
  await settled();
  t.history.failure = undefined;
  t.queue.selectFile(id, 1, false);
  t.clock.advance(500);
  await t.queue.settled();
  const again = setUp(undefined, t.history);
  again.clock.advance(t.clock.now() - again.clock.now());
  await again.queue.restore();
  expect(again.only()).toMatchObject({ state: 'waiting', files: [{ edited: true }, { included: false }] });
});

describe('the list of approvals', () => {
  /** Declines an approval that was never on screen. */
  const declined = (t: ReturnType<typeof setUp>, name: string): string => {
    t.clock.advance(1000);
    void t.ask([create(name, 'x\n')]);
    const id = t.waiting().at(-1)?.id ?? '';
    t.queue.decline(id);
    return id;
  };

  it('has the waiting approvals first, oldest first, then at most twenty finished ones, newest first', () => {
    const t = setUp();
    const [old, young] = ['old', 'young'].map((name) => {
      t.clock.advance(1000);
      void t.ask([create(name, 'x\n')]);
      return t.waiting().at(-1)?.id;
    });
    const ended = Array.from({ length: 25 }, (_, index) => declined(t, `f${index}`));
    expect(t.queue.all.map(({ id }) => id)).toEqual([old, young, ...ended.slice(5).toReversed()]);
    t.clock.advance(1000);
    t.queue.decline(old ?? '');
    expect(t.queue.all.map(({ id }) => id)).toEqual([young, old, ...ended.slice(6).toReversed()]);
  });

  it('keeps the order of waiting approvals, whatever order their records are read in', async () => {
    const t = setUp();
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      t.clock.advance(1000);
      const outcome = t.ask([create(name, 'x\n')]);
      t.clock.advance(25_000);
      ids.push((await outcome).approvalId);
    }
    await t.queue.settled();
    const read = [...t.history.kept].toReversed();
    t.history.kept.clear();
    for (const [id, record] of read) t.history.kept.set(id, record);
    const again = await t.reload();
    expect(again.waiting().map(({ id }) => id)).toEqual(ids);
  });

  it('forgets the oldest of more than 500 finished approvals, and none that waits', () => {
    const t = setUp();
    void t.ask(files);
    const waiting = t.only();
    const add = (id: string, requestedAt: number): void => {
      const facts = unfilledRequest({ ...waiting, id, requestedAt });
      const request: UserRequest = { ...facts, kind: 'action', proposal: undefined };
      ({ state } = reduce(state, { type: 'requested', request, replaced: [], now: requestedAt }));
    };
    const end = (id: string, decidedAt: number, requestedAt = decidedAt): void => {
      add(id, requestedAt);
      ({ state } = reduce(state, { type: 'decline', id, now: decidedAt }));
    };
    let state = emptyQueue(shippedLimits);
    add(waiting.id, waiting.requestedAt);
    for (let at = 1; at <= 502; at += 1) end(`a-${at}`, waiting.requestedAt + at);
    expect(state.requests.size).toBe(501);
    expect([1, 2, 3].map((at) => state.requests.has(`a-${at}`))).toEqual([false, false, true]);
    // It waited for longer than any other, and was decided last.
    end('a-long', waiting.requestedAt + 503, waiting.requestedAt - 1);
    expect(state.requests.size).toBe(501);
    expect([state.requests.has('a-3'), state.requests.get('a-long')?.approval.state]).toEqual([false, 'declined']);
    // The approval that has just ended stays, whatever the clock says.
    end('a-early', waiting.requestedAt - 5);
    expect(state.requests.has('a-early')).toBe(true);
    expect(state.requests.has(waiting.id)).toBe(true);
  });
});

it('forgets finished approvals for Delete Records, but none that waits or is being undone, and tells the views', async () => {
  const t = setUp();
  await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  await t.ask([create('n', 'x\n')], { judgement: judged({ effect: 'allow' }) });
  void t.ask([create('m', 'x\n')]);
  await t.queue.settled();
  const [waiting, ...ended] = t.queue.all;
  const [undone, other] = ended.map(({ id }) => id);
  t.edits.apply = () => Promise.withResolvers<never>().promise;
  void t.queue.undo(undone ?? '');
  await settled();
  let reported = 0;
  t.queue.onDidChange(() => void (reported += 1));
  t.queue.forgetFinished();
  expect(reported).toBe(1);
  expect(t.queue.get(other ?? '')).toBeUndefined();
  expect(t.queue.all.map(({ id }) => id)).toEqual([waiting?.id, undone]);
});

it('names only the approvals that changed', async () => {
  const t = setUp();
  void t.ask(files);
  void t.ask([create('n', 'x\n')]);
  const [one, other] = t.waiting().map(({ id }) => id);
  const fired: string[][] = [];
  t.queue.onDidChange(({ approvals, reads, restrictions }) => {
    fired.push([...approvals]);
    expect([reads.size, restrictions]).toEqual([0, false]);
  });
  t.show(one);
  t.queue.endReached(one ?? '');
  t.queue.selectFile(other ?? '', 0, false);
  t.queue.decline(one ?? '');
  await t.queue.settled();
  expect(fired).toEqual([[one], [other], [one]]);
});

it('keeps the texts of a finished change on disk alone', async () => {
  const t = setUp();
  await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  await t.queue.settled();
  const { id } = t.only();
  expect(await t.queue.texts(id, 0)).toMatchObject({ current: 'new\n' });
  t.history.contents.clear();
  await expect(t.queue.texts(id, 0)).rejects.toThrow('No content');
});

it('does not write the texts of the other files again for a click', async () => {
  const t = setUp();
  void t.ask([...files, create('n', 'x\n'), create('m', 'x\n')]);
  await t.queue.settled();
  const written: string[] = [];
  const putContent = t.history.putContent.bind(t.history);
  t.history.putContent = async (bytes) => {
    written.push(Buffer.from(bytes).toString());
    return putContent(bytes);
  };
  const choose = async (text: string): Promise<readonly string[]> => {
    t.queue.setText(t.only().id, 1, text);
    t.clock.advance(500);
    await t.queue.settled();
    return written.splice(0);
  };
  expect((await choose('y\n')).toSorted()).toEqual(['x\n', 'y\n']);
  expect((await choose('z\n')).toSorted()).toEqual(['x\n', 'z\n']);
});
