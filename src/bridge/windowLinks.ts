import type { Clock } from '#base/clock.ts';
import type { WindowRecord } from '#home/windows.ts';
import { type LinkOptions, WindowLink } from './windowLink.ts';
import { type ChosenWindow, keyOf, type WindowSource } from './windowSource.ts';

interface LinksOptions extends Pick<LinkOptions, 'connectionSecret' | 'clock' | 'handshake' | 'onMessage' | 'log'> {
  readonly windows: WindowSource;
  readonly clock: Clock;
  /** Another window, or another run of the same, is talked to from now on. */
  readonly onLink: (link: WindowLink) => void;
  /** What the window asked of the client has nobody to hear the answer any more. */
  readonly onClosed: (link: WindowLink) => void;
}

/** The link to the window that is chosen, and those to earlier ones on which something still runs. */
export class WindowLinks {
  readonly #options: LinksOptions;
  readonly #window: CurrentWindow;
  /** The retired ones included. */
  readonly #links = new Set<WindowLink>();
  #current: WindowLink | undefined;
  #isClosed = false;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#window = new CurrentWindow(options.windows, options.clock);
  }

  get current(): WindowLink | undefined {
    return this.#current;
  }

  /** To be called whenever the source says that something changed. */
  changed(): void {
    const { chosen } = this.#options.windows;
    if (chosen === undefined || this.#current?.key !== keyOf(chosen.record)) this.retire();
    if (chosen !== undefined) this.#use(chosen);
    this.#window.changed();
  }

  /** The link to the chosen window, waiting for one that reloads; undefined when there is none. */
  async find(failed: ReadonlySet<string>): Promise<WindowLink | undefined> {
    const chosen = await this.#window.find(failed);
    return chosen === undefined || this.#isClosed ? undefined : this.#use(chosen);
  }

  /** The window does not answer, or not any more. */
  async lost(link: WindowLink): Promise<void> {
    await this.#window.lost(link.record);
  }

  /** The next request opens a link of its own; what runs on this one ends by itself. */
  retire(): void {
    const link = this.#current;
    this.#current = undefined;
    link?.retire();
  }

  /** Cuts everything; takes a second at most. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#window.close();
    await Promise.all([...this.#links].map((link) => link.close()));
  }

  #use({ record }: ChosenWindow): WindowLink {
    const key = keyOf(record);
    if (this.#current?.key === key) return this.#current;
    this.retire();
    const link = this.#makeLink(record);
    this.#current = link;
    this.#options.onLink(link);
    return link;
  }

  #makeLink(record: WindowRecord): WindowLink {
    const { connectionSecret, clock, handshake, onMessage, onClosed, log } = this.#options;
    const link: WindowLink = new WindowLink({
      record,
      connectionSecret,
      clock,
      handshake,
      onMessage,
      log,
      onAnswers: () => this.#window.answers(record),
      onLost: () => void this.lost(link).catch((error: unknown) => log(String(error))),
      onClosed: () => {
        onClosed(link);
        this.#links.delete(link);
      },
    });
    this.#links.add(link);
    return link;
  }
}

/** How long a window that went may take to come back, as in a reload, before calls hear that it is not there. */
const reloadMilliseconds = 5000;

/** The window to send to, waiting for one that reloads. */
class CurrentWindow {
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
