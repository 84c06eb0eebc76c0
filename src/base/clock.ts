import type { Subscription } from './event.ts';

/** The time, as a port: tests replace it by a clock that they move themselves. */
export interface Clock {
  /** Returns the wall-clock time in milliseconds since the epoch. */
  now(): number;
  /** Returns milliseconds of a clock that never goes back; only differences between two values mean anything. */
  monotonic(): number;
  /** Calls `callback` once after `milliseconds` unless disposed before. */
  after(milliseconds: number, callback: () => void): Subscription;
}

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
