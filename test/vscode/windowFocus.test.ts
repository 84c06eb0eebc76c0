import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WindowFocus } from '../../src/vscode/windowFocus.ts';
import { FakeClock } from '../fakes/clock.ts';
import { EventEmitter, window } from '../fakes/vscode.ts';

vi.mock('vscode', () => import('../fakes/vscode.ts'));

const changed = new EventEmitter<{ focused: boolean }>();
let clock: FakeClock;
let told: number[];

function start(focused: boolean): WindowFocus {
  Object.assign(window, { state: { focused }, onDidChangeWindowState: changed.event });
  const focus = new WindowFocus(clock);
  onTestFinished(() => focus.dispose());
  focus.onDidGain(() => told.push(focus.focusedAt));
  return focus;
}

beforeEach(() => {
  clock = new FakeClock(1000);
  told = [];
});

test('a window that opens with the focus has it since then, another one never had it', () => {
  expect(start(true).focusedAt).toBe(1000);
  expect(start(false).focusedAt).toBe(0);
});

test('gaining the focus is told at once, losing it is not', () => {
  const focus = start(false);
  clock.advance(500);
  changed.fire({ focused: true });
  expect([focus.focusedAt, told]).toEqual([1500, [1500]]);
  clock.advance(5000);
  changed.fire({ focused: false });
  expect([focus.focusedAt, told]).toEqual([1500, [1500]]);
  focus.dispose();
});

test('it is told at most once a second, and the last time is not lost', () => {
  const focus = start(false);
  for (let count = 0; count < 5; count++) {
    changed.fire({ focused: true });
    clock.advance(100);
  }
  expect([focus.focusedAt, told]).toEqual([1400, [1000]]);
  clock.advance(1000);
  expect(told).toEqual([1000, 1400]);
  clock.advance(5000);
  expect(told).toEqual([1000, 1400]);
  changed.fire({ focused: true });
  expect(told).toEqual([1000, 1400, clock.now()]);
  focus.dispose();
  expect(clock.pendingTimers).toBe(0);
  changed.fire({ focused: true });
  expect(told).toHaveLength(3);
});
