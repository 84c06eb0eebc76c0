import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

/** Covers a burst of keystrokes or settings, and stays well below the 200 ms that an update may take. */
const burstMilliseconds = 50;

/** Merges a burst of changes of the same key into one call. */
export class Coalescer<Key> {
  readonly #clock: Clock;
  readonly #deliver: (key: Key) => void;
  readonly #timers = new Map<Key, Subscription>();

  /** @param deliver called once for each key, 50 ms after the first of its changes */
  constructor(clock: Clock, deliver: (key: Key) => void) {
    this.#clock = clock;
    this.#deliver = deliver;
  }

  changed(key: Key): void {
    if (this.#timers.has(key)) return;
    const timer = this.#clock.after(burstMilliseconds, () => {
      this.#timers.delete(key);
      this.#deliver(key);
    });
    this.#timers.set(key, timer);
  }

  /** Drops all changes that have not been delivered. */
  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#timers.clear();
  }
}
