import { describe, expect, it } from 'vitest';
import { shippedLimits } from '#changes/queue.ts';
import { create, edit, judged, setUp, settled } from './queueSetUp.ts';

const base = 'one\ntwo\nthree\n';
const texts = { '/w/a': base, '/w/b': 'old\n' };

/** Makes the writes of the history wait. Returns a function that lets them go on. */
function slowDisk(t: ReturnType<typeof setUp>): () => void {
  const disk = Promise.withResolvers<void>();
  t.history.beforeWrite = disk.promise;
  return disk.resolve;
}

describe('A16: the limits of requests', () => {
  it('counts both texts of every file, and accepts exactly the limit', async () => {
    const t = setUp(texts, undefined, { limits: { ...shippedLimits, textLength: 12 } });
    void t.ask([edit('b', 'old\n', 'new\n'), create('c', '1234')]);
    expect(t.waiting()).toHaveLength(1);
    const tooMuch = t.ask([edit('b', 'old\n', 'new\n'), create('c', '12345')]);
    await expect(tooMuch).rejects.toMatchObject({ code: 'too_large' });
    await expect(t.ask([edit('b', '1234567\n', 'newer')])).rejects.toMatchObject({ code: 'too_large' });
  });

  it('does not count decided approvals', () => {
    const t = setUp(texts);
    for (let index = 0; index < 20; index += 1) {
      void t.ask([create(`f${index}`, 'x\n')]);
      t.queue.decline(t.waiting()[0]?.id ?? '');
    }
    void t.ask([create('one', 'x\n')]);
    expect(t.waiting()).toHaveLength(1);
  });

  it('accepts a change that replaces a waiting one at the limit, for one assistant and in all', async () => {
    const t = setUp(texts);
    const principals = ['c1', 'c2', 'c3'].map((connectionId) => ({ credential: 'window', connectionId }));
    for (const [at, principal] of principals.entries()) {
      for (let index = 0; index < ([20, 20, 10][at] ?? 0); index += 1)
        void t.ask([create(`f${at} ${index}`, 'x\n')], { principal });
    }
    for (const [at, principal] of principals.entries()) void t.ask([create(`f${at} 0`, 'y\n')], { principal });
    await settled();
    expect(t.waiting()).toHaveLength(50);
    expect(t.queue.all.filter(({ state }) => state === 'superseded')).toHaveLength(3);
  });

  it('does not count a change that is allowed without asking', async () => {
    const t = setUp(texts);
    for (let index = 0; index < 20; index += 1) void t.ask([create(`f${index}`, 'x\n')]);
    const outcome = await t.ask([edit('b', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    expect(outcome.status).toBe('applied');
  });
});

describe('a change that is being applied', () => {
  it('A15: is not superseded any more', async () => {
    const t = setUp(texts);
    const done = slowDisk(t);
    const first = t.ask([edit('a', base, base.replace('one', 'ONE'))]);
    t.show();
    t.approve();
    void t.ask([edit('a', base, base.replace('one', 'uno'))]);
    expect(t.queue.all.map(({ state }) => state)).toEqual(['applying', 'waiting']);
    done();
    expect((await first).status).toBe('applied');
  });

  it('is never joined by others in its group', async () => {
    const t = setUp(texts);
    slowDisk(t);
    void t.ask([create('c', 'x\n')], { judgement: judged({ effect: 'allow' }) });
    await settled();
    void t.ask([create('d', 'x\n')]);
    expect(t.queue.all.map(({ state }) => state)).toEqual(['applying', 'waiting']);
    const groups = t.queue.all.map(({ groupId }) => groupId);
    expect(new Set(groups).size).toBe(2);
  });

  it('has the time of its decision at once when it was allowed without asking', async () => {
    const t = setUp(texts);
    slowDisk(t);
    void t.ask([edit('b', 'old\n', 'new\n')], { judgement: judged({ effect: 'allow' }) });
    await settled();
    expect(t.only()).toMatchObject({ state: 'applying', decidedAt: t.clock.now() });
  });
});

it('starts a new approval without decision, display or undo', () => {
  const t = setUp(texts);
  void t.ask([edit('b', 'old\n', 'new\n')]);
  expect(t.only()).toMatchObject({ moved: false, canUndo: false, canRedo: false, canRebase: false, revision: 0 });
  for (const fact of ['decidedAt', 'displayedAt', 'reverts', 'replacedBy']) expect(t.only()).not.toHaveProperty(fact);
});

it('keeps an opened group closed when the user opens another one', () => {
  const t = setUp(texts);
  const groupOf = (name: string): string => {
    void t.ask([create(name, 'x\n')]);
    const { groupId } = t.waiting().at(-1) ?? t.only();
    return groupId;
  };
  const first = groupOf('c');
  t.queue.groupOpened(first);
  const second = groupOf('d');
  t.queue.groupOpened(second);
  expect([first, second]).not.toContain(groupOf('e'));
});
