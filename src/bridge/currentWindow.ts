import type { Clock } from '#base/clock.ts';
import type { WindowRecord } from '#home/windows.ts';
import { keyOf } from './windowRun.ts';
import type { ChosenWindow, WindowSource } from './windowSource.ts';

/** How long a window that went may take to come back, as in a reload, before calls hear that it is not there. */
const reloadMilliseconds = 5000;

/** The window to send to, waiting for one that reloads. */
export class CurrentWindow {
  readonly #windows: WindowSource;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #hadWindow: boolean;
  #waitUntil = 0;
  #unreachable: string | undefined;
  #isClosed = false;

  constructor(windows: WindowSource, clock: Clock) {
    this.#windows = windows;
    this.#clock = clock;
    this.#hadWindow = windows.chosen !== undefined;
  }

  /** To be called whenever the source says that something changed. */
  changed(): void {
    const hasWindow = this.#windows.chosen !== undefined;
    if (this.#hadWindow && !hasWindow) this.#waitUntil = this.#clock.monotonic() + reloadMilliseconds;
    this.#hadWindow = hasWindow;
    for (const wake of this.#waiting) wake();
  }

  /**
   * The chosen window, or the next one within the time that a reload may take; undefined when there is none.
   * @param failed keys of windows that did not answer this caller
   */
  async find(failed: ReadonlySet<string>): Promise<ChosenWindow | undefined> {
    if (this.#windows.chosen === undefined) await this.#windows.refresh();
    for (;;) {
      const { chosen } = this.#windows;
      if (chosen !== undefined && !failed.has(keyOf(chosen.record))) return chosen;
      const left = this.#waitUntil - this.#clock.monotonic();
      if (left <= 0 || this.#isClosed) return undefined;
      await this.#change(left);
    }
  }

  /** The window does not answer or refuses its secret. Looks whether it has another endpoint by now. */
  async lost(record: WindowRecord): Promise<void> {
    const key = keyOf(record);
    if (this.#unreachable !== key) {
      this.#unreachable = key;
      this.#waitUntil = this.#clock.monotonic() + reloadMilliseconds;
    }
    await this.#windows.refresh();
  }

  /** The window answers. */
  answers(record: WindowRecord): void {
    if (this.#unreachable === keyOf(record)) this.#unreachable = undefined;
  }

  /** Nobody waits any longer. */
  close(): void {
    this.#isClosed = true;
    for (const wake of this.#waiting) wake();
  }

  #change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        timer.dispose();
        resolve();
      };
      const timer = this.#clock.after(milliseconds, wake);
      this.#waiting.add(wake);
    });
  }
}
