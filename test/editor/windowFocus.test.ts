import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { WindowFocus } from '#editor/windowFocus.ts';
import { FakeClock } from '../fakes/clock.ts';
import { editor, events, resetEditor } from '../fakes/editor/editor.ts';

const change = (focused: boolean): void => events.focusChanged.fire({ focused, active: focused });
let clock: FakeClock;
let told: number[];

function start(focused: boolean): WindowFocus {
  editor.isFocused = focused;
  const focus = new WindowFocus(clock);
  onTestFinished(() => focus.dispose());
  focus.onDidGain(() => told.push(focus.focusedAt));
  return focus;
}

beforeEach(() => {
  resetEditor();
  clock = new FakeClock(1000);
  told = [];
});

test('starts with the time of opening when the window has the focus, otherwise with 0', () => {
  expect(start(true).focusedAt).toBe(1000);
  expect(start(false).focusedAt).toBe(0);
});

test('fires at once when the window gains the focus, not when it loses it', () => {
  const focus = start(false);
  clock.advance(500);
  change(true);
  expect([focus.focusedAt, told]).toEqual([1500, [1500]]);
  clock.advance(5000);
  change(false);
  expect([focus.focusedAt, told]).toEqual([1500, [1500]]);
  focus.dispose();
});

test('fires at most once a second and does not lose the last focus', () => {
  const focus = start(false);
  for (let count = 0; count < 5; count++) {
    change(true);
    clock.advance(100);
  }
  expect([focus.focusedAt, told]).toEqual([1400, [1000]]);
  clock.advance(1000);
  expect(told).toEqual([1000, 1400]);
  clock.advance(5000);
  expect(told).toEqual([1000, 1400]);
  change(true);
  expect(told).toEqual([1000, 1400, clock.now()]);
  focus.dispose();
  expect(clock.pendingTimers).toBe(0);
  change(true);
  expect(told).toHaveLength(3);
});
