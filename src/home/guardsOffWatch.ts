import { type FSWatcher, watch } from 'node:fs';
import pLimit from 'p-limit';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { guardsOffFile, guardsOffUntil, switchGuardsOn } from './guardsOff.ts';

/** The record is also read at this interval, because some folders cannot be watched. */
const pollMilliseconds = 30_000;

/** Follows whether the user has switched the guard off, for the views of a window. */
export class GuardsOffWatch {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #watcher: FSWatcher | undefined;
  readonly #inTurn = pLimit(1);
  #until: number | undefined;
  #next: Subscription | undefined;
  #isDisposed = false;

  /** @param home the state folder, which exists */
  constructor(home: string, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
    this.#watcher = watched(home, () => void this.look());
    void this.look();
  }

  /** Milliseconds since the epoch; undefined while the guard is on. */
  get until(): number | undefined {
    return this.#until;
  }

  /** Reads the record now. */
  look(): Promise<void> {
    return this.#inTurn(() => this.#look());
  }

  /** Switches the guard on again, for all windows. */
  async guardAgain(): Promise<void> {
    await switchGuardsOn(this.#home);
    await this.look();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    this.#next?.dispose();
  }

  async #look(): Promise<void> {
    const now = this.#clock.now();
    const until = await guardsOffUntil(this.#home, now);
    if (this.#isDisposed) return;
    this.#next?.dispose();
    const rest = Math.min(pollMilliseconds, (until ?? Infinity) - now);
    this.#next = this.#clock.after(rest, () => void this.look());
    if (until === this.#until) return;
    this.#until = until;
    this.#changed.fire();
  }
}

function watched(home: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(home, { persistent: false }, (_event, name) => {
      if (name === null || name === guardsOffFile) onChange();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
