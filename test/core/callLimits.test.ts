import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallLimits } from '../../src/core/callLimits.ts';
import { ToolError } from '../../src/core/tool.ts';

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

  it('bears a burst of changes, then says how long to wait, and goes on after that', () => {
    const limits = new CallLimits();
    for (let call = 0; call < 60; call += 1) limits.admit('edit', one);
    expect(() => limits.admit('delete', one)).toThrow(/more than 20 such calls a second/);
    vi.advanceTimersByTime(1000);
    for (let call = 0; call < 20; call += 1) limits.admit('edit', one);
    expect(codeOf(() => limits.admit('edit', one))).toBe('rate_limited');
  });

  it('is counted per principal, for looks apart, and not for reads', () => {
    const limits = new CallLimits({
      changes: { perSecond: 1, burst: 1 },
      ui: { perSecond: 1, burst: 1 },
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

describe('calls at a time', () => {
  const few = { changes: { perSecond: 1, burst: 1 }, ui: { perSecond: 1, burst: 1 }, running: 1, queuedOfPrincipal: 3 };

  it('are served in turns: a caller with many calls does not keep another waiting', async () => {
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

  it('refuses what would wait behind too many of the same caller', async () => {
    const limits = new CallLimits(few);
    const release = await limits.slot(one, never);
    const waiting = [1, 2, 3].map(() => limits.slot(one, never));
    await expect(limits.slot(one, never)).rejects.toMatchObject({ code: 'rate_limited' });
    const another = limits.slot(two, never);
    release();
    for (const next of [waiting[0], another, waiting[1], waiting[2]]) (await next)?.();
  });

  it('loses no slot to a call that is cancelled while it waits, nor to one that gives it back twice', async () => {
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
