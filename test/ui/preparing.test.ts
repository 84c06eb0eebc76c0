import { beforeEach, describe, expect, it } from 'vitest';
import type { CallSummary } from '#audit/recentCalls.ts';
import { Emitter } from '#base/event.ts';
import { Preparing } from '#ui/preparing.ts';
import { FakeClock } from '../fakes/clock.ts';

describe('B28: the assistants that prepare a change', () => {
  let clock: FakeClock;
  let calls: CallSummary[];
  let changed: Emitter<void>;
  let preparing: Preparing;
  let news: (readonly string[])[];

  beforeEach(() => {
    clock = new FakeClock();
    calls = [];
    changed = new Emitter<void>();
    news = [];
    preparing = new Preparing({
      recentCalls: {
        get running() {
          return calls;
        },
        onDidChange: changed.event,
      },
      proposes: (tool) => tool === 'rename_symbol',
      clock,
    });
    preparing.onDidChange(() => news.push(preparing.clients));
  });

  const call = (facts: Partial<CallSummary> = {}): void => {
    const id = `c-${calls.length}`;
    const begun = {
      id,
      time: clock.now(),
      tool: 'rename_symbol',
      client: 'codex',
      principal: 'p',
      resources: [],
      outcome: undefined,
    };
    calls = [{ ...begun, ...facts }, ...calls];
    changed.fire();
  };
  const set = (facts: Partial<CallSummary>): void => {
    calls = calls.map((each) => ({ ...each, ...facts }));
    changed.fire();
  };

  it('are told after a moment, each once, until the card has come', () => {
    call();
    call();
    expect(preparing.clients).toEqual([]);
    clock.advance(700);
    expect(preparing.clients).toEqual(['codex']);
    set({ approvalId: 'a-1' });
    expect(news).toEqual([['codex'], []]);
  });

  it('are not told of when the call ends soon, only reads, or asks soon', () => {
    call({ tool: 'read_file' });
    call();
    set({ outcome: 'ok' });
    call();
    set({ approvalId: 'a-1' });
    clock.advance(10_000);
    expect(news).toEqual([]);
  });

  it('are forgotten when the call fails', () => {
    call({ client: undefined });
    clock.advance(700);
    set({ outcome: 'timeout' });
    expect(news).toEqual([[''], []]);
  });
});
