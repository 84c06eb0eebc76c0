import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which long work may block the event loop. */
const longestSlice = 20;

/** Splits long work into time slices, so that the event loop can serve other calls in between (threat row H16). */
export class TimeSlice {
  #began = performance.now();

  /** True when it is time to call `yieldToEventLoop`. A check first is cheaper than a promise for every small step. */
  get isUsedUp(): boolean {
    return performance.now() - this.#began > longestSlice;
  }

  /** Resolves after pending events were handled, and begins the next slice. */
  async yieldToEventLoop(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
