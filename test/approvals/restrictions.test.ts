import { describe, expect, it } from 'vitest';
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
  it('A20 decline it by themselves for ten, visibly, and only this file of this assistant', async () => {
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

  it('count only within the time, and an approval in between starts anew', () => {
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

  it('can be lifted by the human', () => {
    const t = declining();
    for (let time = 0; time < 3; time += 1) t.decline();
    t.queue.lift(t.queue.restrictions[0]?.id ?? '');
    void t.ask([edit('a', 'old\n', 'new\n')]);
    expect(t.waiting()).toHaveLength(1);
  });
});

describe('decline and pause', () => {
  it('ends what else this assistant has waiting, and refuses its changes until it is resumed', async () => {
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

  it('tells the model why in a word', async () => {
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
