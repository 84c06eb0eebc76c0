import { realpath } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';
import { hasEnded } from '#home/hostIdentity.ts';
import { examineWindow, type WindowState } from '#home/windowHealth.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { chooseWindow, type Choice, type OpenWindow, type Wishes } from './chooseWindow.ts';
import { keyOf } from './windowSource.ts';

/** A wrong secret alarms the window that gets it, so a refused window file is not tried again at each look. */
const refusedMilliseconds = 10_000;

export interface Found {
  /** All windows but those that are known to be gone. */
  readonly open: readonly OpenWindow[];
  readonly best: Choice | undefined;
  /** Returns whether a window has proved that it holds its own secret. */
  isAlive(window: OpenWindow): boolean;
}

/**
 * Separates open windows from files that closed windows left behind. Only windows that matter are asked: the one that fits
 * best, the one in use, and all when none fits. A window that does not answer may be busy: it counts as open, so that no
 * other window is chosen in its place, but not as alive.
 */
export class LiveWindows {
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly state: WindowState; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Forgets which windows have answered, so that they are asked again. */
  doubt(): void {
    for (const [key, { state }] of this.#known) if (state === 'alive') this.#known.delete(key);
  }

  /** Asks the windows that matter and chooses among those that are open. @param ownId the id of the window in use */
  async find(records: readonly WindowRecord[], wishes: Wishes, ownId: string | undefined): Promise<Found> {
    this.#forgetOthers(records);
    const states = new Map<OpenWindow, WindowState>();
    let open: readonly OpenWindow[] = await Promise.all(records.map(withRealFolders));
    for (;;) {
      const best = chooseWindow(open, wishes);
      const matters = (window: OpenWindow): boolean =>
        best === undefined || window === best.window || window.record.windowId === ownId;
      const asked = open.filter((window) => matters(window) && !states.has(window));
      if (asked.length === 0) return { open, best, isAlive: (window) => states.get(window) === 'alive' };
      await Promise.all(asked.map(async (window) => states.set(window, await this.#stateOf(window.record))));
      open = open.filter((window) => !isGone(states.get(window)));
    }
  }

  async #stateOf(record: WindowRecord): Promise<WindowState> {
    const key = keyOf(record);
    const known = this.#known.get(key);
    if (known !== undefined && this.#clock.monotonic() < known.until) {
      return known.state === 'alive' && (await hasEnded(record)) ? 'notRunning' : known.state;
    }
    const state = await examineWindow(record);
    if (state === 'alive') this.#known.set(key, { state, until: Infinity });
    if (state === 'refused') this.#known.set(key, { state, until: this.#clock.monotonic() + refusedMilliseconds });
    return state;
  }

  #forgetOthers(records: readonly WindowRecord[]): void {
    const keys = new Set(records.map(keyOf));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
  }
}

function isGone(state: WindowState | undefined): boolean {
  return state === 'refused' || state === 'notRunning';
}

async function withRealFolders(record: WindowRecord): Promise<OpenWindow> {
  const folders = await Promise.all(record.folders.map(({ path }) => realpath(path).catch(() => path)));
  return { record, folders };
}
