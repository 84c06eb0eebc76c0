import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { CallLimits } from '#call/callLimits.ts';

const one = { credential: 'window', connectionId: 'one' };
const two = { credential: 'window', connectionId: 'two' };
const never = new AbortController().signal;

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'admitted';
  } catch (error) {
    return error instanceof ToolError ? error.code : 'another error';
  }
}

describe('the rate of calls', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('accepts a burst of changes, then says how long to wait, and accepts more after that', () => {
    const limits = new CallLimits();
    for (let call = 0; call < 60; call += 1) limits.admit('edit', one);
    expect(() => limits.admit('delete', one)).toThrow(/more than 20 calls of this kind per second/);
    vi.advanceTimersByTime(1000);
    for (let call = 0; call < 20; call += 1) limits.admit('edit', one);
    expect(codeOf(() => limits.admit('edit', one))).toBe('rate_limited');
  });

  it('counts changes, UI calls and reads separately for each principal', () => {
    const limits = new CallLimits({
      reads: { calls: 5000, per: 'minute', burst: 2000 },
      changes: { calls: 1, per: 'second', burst: 1 },
      ui: { calls: 1, per: 'second', burst: 1 },
      running: 1,
      queuedOfPrincipal: 1,
    });
    limits.admit('edit', one);
    expect(codeOf(() => limits.admit('edit', one))).toBe('rate_limited');
    expect(codeOf(() => limits.admit('edit', two))).toBe('admitted');
    expect(codeOf(() => limits.admit('ui', one))).toBe('admitted');
    expect(codeOf(() => limits.admit('ui', one))).toBe('rate_limited');
    for (let call = 0; call < 1000; call += 1) limits.admit('read', one);
  });
});

describe('finding 37: the rate of reads', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('accepts a burst of 2,000 reads, then 20,000 a minute, and says when to call again', () => {
    const limits = new CallLimits();
    const admitted = (): number => {
      let count = 0;
      while (count < 10_000 && codeOf(() => limits.admit('read', one)) === 'admitted') count += 1;
      return count;
    };
    expect(admitted()).toBe(2000);
    expect(() => limits.admit('read', one)).toThrow('You send more than 20000 calls of this kind per minute.');
    const refusal = (): unknown => {
      try {
        return limits.admit('read', one);
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).toMatchObject({
      code: 'rate_limited',
      hint: expect.stringMatching(/^Wait 1 s, then call again/),
    });
    let total = 0;
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1000);
      total += admitted();
    }
    expect(total).toBeGreaterThanOrEqual(19_940);
    expect(total).toBeLessThanOrEqual(20_001);
  });

  it('keeps the reads of one assistant apart from those of another, and from changes', () => {
    const limits = new CallLimits();
    for (let call = 0; call < 2000; call += 1) limits.admit('read', one);
    expect(codeOf(() => limits.admit('read', one))).toBe('rate_limited');
    expect(codeOf(() => limits.admit('read', two))).toBe('admitted');
    expect(codeOf(() => limits.admit('edit', one))).toBe('admitted');
  });
});

describe('the buckets of principals', () => {
  it('keeps the buckets of a thousand callers and drops the one unused for longest', () => {
    const limits = new CallLimits({
      reads: { calls: 5000, per: 'minute', burst: 2000 },
      changes: { calls: 1, per: 'second', burst: 1 },
      ui: { calls: 1, per: 'second', burst: 1 },
      running: 1,
      queuedOfPrincipal: 1,
    });
    const caller = (index: number) => ({ credential: 'window', connectionId: `${index}` });
    for (let index = 0; index < 1000; index += 1) limits.admit('edit', caller(index));
    // The first caller is still known, and is now the latest one.
    expect(codeOf(() => limits.admit('edit', caller(0)))).toBe('rate_limited');
    limits.admit('edit', caller(1000));
    expect(codeOf(() => limits.admit('edit', caller(0)))).toBe('rate_limited');
    expect(codeOf(() => limits.admit('edit', caller(2)))).toBe('rate_limited');
    expect(codeOf(() => limits.admit('edit', caller(1)))).toBe('admitted');
  });

  it('return the seconds to wait', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const limits = new CallLimits({
      reads: { calls: 5000, per: 'minute', burst: 2000 },
      changes: { calls: 0.25, per: 'second', burst: 1 },
      ui: { calls: 5, per: 'second', burst: 1 },
      running: 1,
      queuedOfPrincipal: 1,
    });
    for (const risk of ['edit', 'ui'] as const) limits.admit(risk, one);
    const refusal = (risk: 'edit' | 'ui') => {
      try {
        limits.admit(risk, one);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refusal('edit')).toMatchObject({ hint: expect.stringContaining('Wait 4 s') });
    expect(refusal('ui')).toMatchObject({ hint: expect.stringContaining('Wait 1 s') });
    vi.useRealTimers();
  });
});

describe('the slots of running calls', () => {
  const slow = { calls: 1, per: 'second', burst: 1 } as const;
  const few = { reads: slow, changes: slow, ui: slow, running: 1, queuedOfPrincipal: 3 };

  it('serves callers in turns when one caller has many waiting calls', async () => {
    const limits = new CallLimits(few);
    const served: string[] = [];
    const call = async (name: string, principal: typeof one) => {
      const release = await limits.slot(principal, never);
      served.push(name);
      return release;
    };
    const first = await call('one 1', one);
    const waiting = [call('one 2', one), call('one 3', one), call('one 4', one), call('two 1', two)];
    first();
    for (const next of [waiting[0], waiting[3], waiting[1], waiting[2]]) (await next)?.();
    expect(served).toEqual(['one 1', 'one 2', 'two 1', 'one 3', 'one 4']);
  });

  it('gives a slot to one call when it is given back twice', async () => {
    const limits = new CallLimits(few);
    const first = await limits.slot(one, never);
    first();
    first();
    await limits.slot(one, never);
    let isServed = false;
    void limits.slot(two, never).then(() => (isServed = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isServed).toBe(false);
  });

  it('passes the slot of a cancelled call to the next one, and ignores a cancel after the slot was given', async () => {
    const limits = new CallLimits(few);
    const release = await limits.slot(one, never);
    const leaving = new AbortController();
    const left = limits.slot(one, leaving.signal);
    const staying = new AbortController();
    const served = limits.slot(one, staying.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    release();
    const giveBack = await served;
    staying.abort();
    const next = limits.slot(two, never);
    giveBack();
    expect(await next).toBeTypeOf('function');
  });

  it('refuses a call when too many of the same caller already wait', async () => {
    const limits = new CallLimits(few);
    const release = await limits.slot(one, never);
    const waiting = [1, 2, 3].map(() => limits.slot(one, never));
    await expect(limits.slot(one, never)).rejects.toMatchObject({ code: 'rate_limited' });
    const another = limits.slot(two, never);
    release();
    for (const next of [waiting[0], another, waiting[1], waiting[2]]) (await next)?.();
  });

  it('loses no slot when a waiting call is cancelled or a slot is given back twice', async () => {
    const limits = new CallLimits(few);
    const release = await limits.slot(one, never);
    const cancel = new AbortController();
    const cancelled = limits.slot(one, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    release();
    release();
    const again = await limits.slot(two, never);
    let isHeld = true;
    const next = limits.slot(one, never).then((free) => {
      expect(isHeld).toBe(false);
      return free;
    });
    isHeld = false;
    again();
    (await next)();
    await expect(limits.slot(one, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});
