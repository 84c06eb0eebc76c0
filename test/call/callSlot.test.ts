import { describe, expect, it } from 'vitest';
import { CallSlot } from '#call/callLimits.ts';

/** Counts the slots that are in use now, and all slots ever taken. */
function setUp() {
  const slots = { inUse: 0, taken: 0 };
  const slot = new CallSlot(async () => {
    slots.inUse += 1;
    slots.taken += 1;
    return () => void (slots.inUse -= 1);
  });
  return { slots, slot };
}

function later() {
  return Promise.withResolvers<string>();
}

describe('CallSlot', () => {
  it('keeps the slot while the call runs and gives it back once', async () => {
    const { slots, slot } = setUp();
    await slot.take();
    expect(slots.inUse).toBe(1);
    slot.release();
    slot.release();
    expect(slots).toEqual({ inUse: 0, taken: 1 });
  });

  it('gives the slot to another call while the call waits for the user, and takes one again afterwards', async () => {
    const { slots, slot } = setUp();
    await slot.take();
    const answer = later();
    const waiting = slot.whileWaiting(() => answer.promise);
    expect(slots.inUse).toBe(0);
    answer.resolve('yes');
    expect(await waiting).toBe('yes');
    expect(slots).toEqual({ inUse: 1, taken: 2 });
  });

  it('takes a slot again only after the last of several answers', async () => {
    const { slots, slot } = setUp();
    await slot.take();
    const [one, two] = [later(), later()];
    const waits = [slot.whileWaiting(() => one.promise), slot.whileWaiting(() => two.promise)];
    one.resolve('one');
    await waits[0];
    expect(slots).toEqual({ inUse: 0, taken: 1 });
    two.resolve('two');
    await waits[1];
    expect(slots).toEqual({ inUse: 1, taken: 2 });
  });

  it('takes a slot again when waiting fails', async () => {
    const { slots, slot } = setUp();
    await slot.take();
    await expect(slot.whileWaiting(() => Promise.reject(new Error('withdrawn')))).rejects.toThrow('withdrawn');
    expect(slots.inUse).toBe(1);
  });

  it('takes no slot again when the call has ended meanwhile or never had one', async () => {
    const { slots, slot } = setUp();
    await slot.take();
    const answer = later();
    const waiting = slot.whileWaiting(() => answer.promise);
    slot.release();
    answer.resolve('too late');
    await waiting;
    expect(slots).toEqual({ inUse: 0, taken: 1 });
    const other = setUp();
    await other.slot.whileWaiting(async () => 'at once');
    expect(other.slots.taken).toBe(0);
  });

  it('gives a slot back at once when it comes after the end or while the call waits for the user', async () => {
    for (const end of [
      (slot: CallSlot) => slot.release(),
      (slot: CallSlot) => void slot.whileWaiting(() => later().promise),
    ]) {
      const turn = Promise.withResolvers<void>();
      const slots = { inUse: 0 };
      const slot = new CallSlot(async () => {
        await turn.promise;
        slots.inUse += 1;
        return () => void (slots.inUse -= 1);
      });
      const taken = slot.take();
      end(slot);
      turn.resolve();
      await taken;
      expect(slots.inUse).toBe(0);
    }
  });

  it('takes only one slot when take is called several times', async () => {
    const { slots, slot } = setUp();
    await Promise.all([slot.take(), slot.take()]);
    expect(slots).toEqual({ inUse: 1, taken: 2 });
  });
});
