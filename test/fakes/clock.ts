import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

/** Time that moves only when a test says so; timers run in the order in which they are due. */
export class FakeClock implements Clock {
  #now: number;
  readonly #timers = new Map<object, { due: number; callback: () => void }>();

  constructor(start = Date.UTC(2026, 10, 21)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): Subscription {
    const key = {};
    this.#timers.set(key, { due: this.#now + milliseconds, callback });
    return { dispose: () => void this.#timers.delete(key) };
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].toSorted(([, a], [, b]) => a.due - b.due);
      if (next === undefined || next[1].due > end) break;
      const [key, { due, callback }] = next;
      this.#timers.delete(key);
      this.#now = due;
      callback();
    }
    this.#now = end;
  }
}
