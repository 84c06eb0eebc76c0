import { describe, expect, it } from 'vitest';
import { SampleApprovals, withSamples } from '#changes/sampleApprovals.ts';
import { shippedLimits } from '#changes/queue.ts';
import { FakeClock } from '../fakes/clock.ts';
import { edit, setUp as setUpQueue } from './queueSetUp.ts';

const words = { assistant: 'Sample assistant', reason: 'to try it' };

function setUp() {
  const clock = new FakeClock();
  const samples = new SampleApprovals(clock);
  const id = samples.open(words);
  const { queue } = samples;
  const decide = (): void => {
    queue.displayed(id);
    clock.advance(shippedLimits.armMilliseconds);
    expect(queue.approve(id, queue.get(id)?.proposalHash ?? '')).toBe('accepted');
  };
  const ended = (state: string): Promise<void> =>
    new Promise((resolve) => {
      const subscription = queue.onDidChange(() => queue.get(id)?.state === state && resolve(subscription.dispose()));
    });
  return { clock, samples, queue, id, decide, ended };
}

describe('the sample of an approval', () => {
  it('has three parts, of which the user leaves one out, applies the others and undoes them', async () => {
    const { queue, id, decide, ended } = setUp();
    expect((await queue.review(id, 0))?.hunks).toHaveLength(3);
    queue.selectHunk(id, 0, 2, false);
    const applied = ended('applied');
    decide();
    await applied;
    const texts = await queue.texts(id, 0);
    expect(texts?.current).toContain('item.price * item.count');
    expect(texts?.current).not.toContain('console.log');
    expect(texts?.proposed).toContain('console.log');
    expect(await queue.undo(id)).toEqual({ status: 'undone' });
    expect(await queue.redo(id)).toEqual({ status: 'redone' });
  });

  it('waits once: another one is made when it is decided, from the same text', async () => {
    const { samples, queue, id, decide, ended } = setUp();
    expect(samples.open(words)).toBe(id);
    const applied = ended('applied');
    decide();
    await applied;
    const next = samples.open(words);
    expect(next).not.toBe(id);
    expect(queue.get(next)).toMatchObject({
      state: 'waiting',
      client: { name: 'Sample assistant' },
      reason: 'to try it',
    });
    expect((await queue.texts(next, 0))?.base).not.toContain('item.count;');
  });

  it('shows its texts beside those of real approvals, and allows no rule', async () => {
    const { samples, queue, id } = setUp();
    const real = setUpQueue();
    void real.ask([edit('a', 'old\n', 'new\n')]);
    const both = withSamples(real.queue, samples.queue);
    expect(both.get(id)).toBe(queue.get(id));
    expect((await both.texts(real.only().id, 0))?.proposed).toBe('new\n');
    expect(both.setText(id, 0, 'mine\n')).toBe(true);
    expect((await both.review(id, 0))?.hunks).toHaveLength(1);
    expect(queue.get(id)?.judgement.onceOnly).toBe(true);
    let changes = 0;
    const subscription = both.onDidChange(() => void (changes += 1));
    queue.decline(id);
    real.queue.decline(real.only().id);
    expect(changes).toBe(2);
    subscription.dispose();
    expect([queue.get(id)?.state, real.queue.all[0]?.state]).toEqual(['declined', 'declined']);
  });
});
