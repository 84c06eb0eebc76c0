import type { Subscription } from './event.ts';

export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. */
  now(): number;
  /** A clock that never goes back, in milliseconds; only differences mean anything. */
  monotonic(): number;
  /** Calls `callback` once after `milliseconds` unless disposed before. */
  after(milliseconds: number, callback: () => void): Subscription;
}
