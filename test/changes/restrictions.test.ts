import { describe, expect, it } from 'vitest';
import { shippedLimits } from '#changes/queue.ts';
import {
  afterDecline,
  noRestrictions,
  requireReadAdmitted,
  shownRestrictions,
  withoutRestriction,
  withPause,
} from '#changes/restrictions.ts';
import { create, edit, setUp } from './queueSetUp.ts';

const minute = 60_000;

function declining() {
  const t = setUp();
  const decline = (more: Parameters<typeof t.queue.decline>[1] = {}): void => {
    void t.ask([edit('a', 'old\n', `new ${Math.random()}\n`)]).catch(() => undefined);
    const id = t.waiting()[0]?.id ?? '';
    t.show(id);
    expect(t.queue.decline(id, more)).toBe('accepted');
  };
  return { ...t, decline };
}

describe('three declines of one file in five minutes', () => {
  it('A16: decline this file of this assistant automatically for ten minutes, visibly', async () => {
    const t = declining();
    for (let time = 0; time < 3; time += 1) t.decline();
    await expect(t.ask([edit('a', 'old\n', 'again\n')])).rejects.toMatchObject({ code: 'denied' });
    expect(t.queue.restrictions).toMatchObject([
      { kind: 'declined_repeatedly', path: 'a', client: { name: 'test' }, until: t.clock.now() + 10 * minute },
    ]);
    void t.ask([edit('b', 'old\n', 'new\n')]);
    void t.ask([edit('a', 'old\n', 'new\n')], { principal: { credential: 'window', connectionId: 'c2' } });
    expect(t.waiting()).toHaveLength(2);
    t.clock.advance(10 * minute);
    expect(t.queue.restrictions).toEqual([]);
    void t.ask([edit('a', 'old\n', 'new\n')]);
    expect(t.waiting()).toHaveLength(3);
  });

  it('count only within the time, and begin again after an approval', () => {
    const t = declining();
    t.decline();
    t.decline();
    t.clock.advance(5 * minute);
    t.decline();
    expect(t.queue.restrictions).toEqual([]);
    void t.ask([edit('a', 'old\n', 'good\n')]);
    const id = t.waiting()[0]?.id ?? '';
    t.show(id);
    t.approve(id);
    t.decline();
    t.decline();
    expect(t.queue.restrictions).toEqual([]);
  });

  it('are reported to the model with the file and the time', async () => {
    const t = declining();
    for (let time = 0; time < 3; time += 1) t.decline();
    const until = new Date(t.clock.now() + 10 * minute).toISOString();
    await expect(t.ask([edit('a', 'old\n', 'again\n')])).rejects.toThrow(`of a 3 times; until ${until}`);
  });

  it.each([
    ['more than five minutes', [0, 4, 4], 0],
    ['exactly five minutes', [0, 1, 4], 0],
    ['less than five minutes', [0, 2, 2], 1],
  ])('count only within five minutes: the first is %s before the third', (_name, waits, expected) => {
    const t = declining();
    for (const minutes of waits) {
      t.clock.advance(minutes * minute - (minutes === 0 ? 0 : shippedLimits.armMilliseconds));
      t.decline();
    }
    expect(t.queue.restrictions).toHaveLength(expected);
  });

  it('count for one file, not for three files', () => {
    const t = setUp({ '/w/a': 'old\n', '/w/b': 'old\n', '/w/c': 'old\n' });
    for (const name of ['a', 'b', 'c']) {
      void t.ask([edit(name, 'old\n', 'new\n')]);
      t.queue.decline(t.waiting()[0]?.id ?? '');
    }
    expect(t.queue.restrictions).toEqual([]);
  });

  it('count from zero after the restriction was lifted', () => {
    const t = declining();
    for (let time = 0; time < 3; time += 1) t.decline();
    t.queue.lift(t.queue.restrictions[0]?.id ?? '');
    t.decline();
    t.decline();
    expect(t.queue.restrictions).toEqual([]);
  });

  it('can be lifted by the user', () => {
    const t = declining();
    for (let time = 0; time < 3; time += 1) t.decline();
    t.queue.lift(t.queue.restrictions[0]?.id ?? '');
    void t.ask([edit('a', 'old\n', 'new\n')]);
    expect(t.waiting()).toHaveLength(1);
  });
});

describe('decline and pause', () => {
  it('withdraws the other waiting approvals of this assistant, and refuses its changes until it is resumed', async () => {
    const t = declining();
    const other = t.ask([create('c', 'x\n')], { principal: { credential: 'window', connectionId: 'c2' } });
    const also = t.ask([create('d', 'x\n')]);
    void t.ask([edit('a', 'old\n', 'new\n')]);
    const id = t.waiting().at(-1)?.id ?? '';
    t.show(id);
    t.queue.decline(id, { pause: true, reasonCode: 'stop' });
    expect((await also).status).toBe('withdrawn');
    expect(t.waiting()).toHaveLength(1);
    await expect(t.ask([create('e', 'x\n')])).rejects.toMatchObject({ code: 'denied' });
    expect(t.queue.restrictions).toMatchObject([{ kind: 'paused', client: { name: 'test' } }]);
    t.queue.lift(t.queue.restrictions[0]?.id ?? '');
    void t.ask([create('e', 'x\n')]);
    expect(t.waiting()).toHaveLength(2);
    t.queue.withdraw(() => true, 'End.');
    expect((await other).status).toBe('withdrawn');
  });

  it('passes the reason code to the model', async () => {
    const t = setUp();
    const outcome = t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.queue.decline(t.only().id, { reasonCode: 'too_broad', message: 'only the first line' });
    expect(await outcome).toMatchObject({
      status: 'declined',
      reasonCode: 'too_broad',
      userMessage: 'only the first line',
    });
  });
});

it('pauses an assistant once when it is paused twice, and no other assistant', () => {
  const t = setUp();
  let fired = 0;
  t.queue.onDidChange(({ restrictions }) => void (fired += Number(restrictions)));
  const client = { name: 'Codex', version: '1' };
  for (const connectionId of ['c1', 'c2', 'c1']) t.queue.pause({ credential: 'window', connectionId }, client);
  expect(t.queue.restrictions).toMatchObject([{ kind: 'paused' }, { kind: 'paused' }]);
  expect(fired).toBe(2);
  t.queue.lift(t.queue.restrictions[0]?.id ?? '');
  t.queue.lift('r-0');
  expect(fired).toBe(3);
  expect(t.queue.pauseOf({ credential: 'window', connectionId: 'c1' })).toBeUndefined();
  expect(t.queue.pauseOf({ credential: 'window', connectionId: 'c2' })).toBeDefined();
});

it('pauses an assistant whose changes are declined automatically, and refuses its reads', () => {
  let restrictions = noRestrictions;
  const principal = { credential: 'window', connectionId: 'c1' };
  for (let time = 0; time < 3; time += 1) {
    const files = [{ path: 'a', realPath: '/w/a' }];
    ({ restrictions } = afterDecline(restrictions, { principal, client: undefined, files }, 1000));
  }
  requireReadAdmitted(restrictions, principal);
  restrictions = withPause(restrictions, principal, undefined);
  expect(shownRestrictions(restrictions).map(({ kind }) => kind)).toEqual(['declined_repeatedly', 'paused']);
  expect(() => requireReadAdmitted(restrictions, principal)).toThrow('paused');
  requireReadAdmitted(withoutRestriction(restrictions, 'r-2'), principal);
});

it('pauses an assistant without waiting approvals, and withdraws its new requests', async () => {
  const t = setUp();
  const [one, two] = ['c1', 'c2'].map((connectionId) => ({ credential: 'window', connectionId }));
  if (one === undefined || two === undefined) throw new Error('There are two');
  const asked = t.ask([create('a', 'x\n')], { principal: one });
  void t.ask([create('b', 'x\n')], { principal: two });
  expect([t.queue.pauseOf(one), t.queue.pauseOf(two)]).toEqual([undefined, undefined]);
  t.queue.pause(one, { name: 'Codex', version: '1' });
  expect((await asked).status).toBe('withdrawn');
  expect(t.waiting()).toHaveLength(1);
  await expect(t.ask([create('c', 'x\n')], { principal: one })).rejects.toMatchObject({ code: 'denied' });
  const id = t.queue.pauseOf(one);
  expect(t.queue.restrictions).toMatchObject([{ id, kind: 'paused', client: { name: 'Codex' } }]);
  expect(t.queue.pauseOf(two)).toBeUndefined();
  t.queue.lift(id ?? '');
  expect(t.queue.pauseOf(one)).toBeUndefined();
});
