import { describe, expect, it } from 'vitest';
import { CallSlot } from '#call/callLimits.ts';

/** Counts the places that are taken now, and those that ever were. */
function setUp() {
  const places = { held: 0, taken: 0 };
  const slot = new CallSlot(async () => {
    places.held += 1;
    places.taken += 1;
    return () => void (places.held -= 1);
  });
  return { places, slot };
}

function later() {
  return Promise.withResolvers<string>();
}

describe('the place of a call', () => {
  it('is held while it works, and given back once', async () => {
    const { places, slot } = setUp();
    await slot.take();
    expect(places.held).toBe(1);
    slot.release();
    slot.release();
    expect(places).toEqual({ held: 0, taken: 1 });
  });

  it('is another call’s while the human is waited for, and taken again afterwards', async () => {
    const { places, slot } = setUp();
    await slot.take();
    const answer = later();
    const waiting = slot.whileWaiting(() => answer.promise);
    expect(places.held).toBe(0);
    answer.resolve('yes');
    expect(await waiting).toBe('yes');
    expect(places).toEqual({ held: 1, taken: 2 });
  });

  it('is taken again by the last of several answers alone', async () => {
    const { places, slot } = setUp();
    await slot.take();
    const [one, two] = [later(), later()];
    const waits = [slot.whileWaiting(() => one.promise), slot.whileWaiting(() => two.promise)];
    one.resolve('one');
    await waits[0];
    expect(places).toEqual({ held: 0, taken: 1 });
    two.resolve('two');
    await waits[1];
    expect(places).toEqual({ held: 1, taken: 2 });
  });

  it('is taken again when nobody answers, too', async () => {
    const { places, slot } = setUp();
    await slot.take();
    await expect(slot.whileWaiting(() => Promise.reject(new Error('withdrawn')))).rejects.toThrow('withdrawn');
    expect(places.held).toBe(1);
  });

  it('is not taken again by a call that ended meanwhile, nor by one that never had one', async () => {
    const { places, slot } = setUp();
    await slot.take();
    const answer = later();
    const waiting = slot.whileWaiting(() => answer.promise);
    slot.release();
    answer.resolve('too late');
    await waiting;
    expect(places).toEqual({ held: 0, taken: 1 });
    const other = setUp();
    await other.slot.whileWaiting(async () => 'at once');
    expect(other.places.taken).toBe(0);
  });

  it('goes back at once when it comes after the end, or while the human is waited for', async () => {
    for (const end of [
      (slot: CallSlot) => slot.release(),
      (slot: CallSlot) => void slot.whileWaiting(() => later().promise),
    ]) {
      const turn = Promise.withResolvers<void>();
      const places = { held: 0 };
      const slot = new CallSlot(async () => {
        await turn.promise;
        places.held += 1;
        return () => void (places.held -= 1);
      });
      const taken = slot.take();
      end(slot);
      turn.resolve();
      await taken;
      expect(places.held).toBe(0);
    }
  });

  it('is one, however often it is taken', async () => {
    const { places, slot } = setUp();
    await Promise.all([slot.take(), slot.take()]);
    expect(places).toEqual({ held: 1, taken: 2 });
  });
});
