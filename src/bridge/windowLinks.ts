import type { Clock } from '#base/clock.ts';
import { absenceMilliseconds } from '#home/guards.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { type LinkOptions, WindowLink } from './windowLink.ts';
import { type ChosenWindow, keyOf, type WindowSource } from './windowSource.ts';

interface LinksOptions extends Pick<LinkOptions, 'connectionSecret' | 'clock' | 'handshake' | 'onMessage' | 'log'> {
  readonly windows: WindowSource;
  readonly clock: Clock;
  /** Called when the bridge starts to talk to another window, or to another run of the same window. */
  readonly onLink: (link: WindowLink) => void;
  /** Called when a link is closed: nobody waits for the client's answers to its requests any more. */
  readonly onClosed: (link: WindowLink) => void;
}

/** The link to the chosen window, and the links to earlier windows on which requests still run. */
export class WindowLinks {
  readonly #options: LinksOptions;
  readonly #window: CurrentWindow;
  /** All links, the retired ones included. */
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

  /** Must be called whenever the window source fires `onDidChange`. */
  changed(): void {
    const { chosen } = this.#options.windows;
    if (chosen === undefined || !this.#isCurrent(chosen)) this.retire();
    if (chosen !== undefined) this.#use(chosen);
    this.#window.changed();
  }

  /** Returns the link to the chosen window, and waits for a window that reloads; undefined when there is none. */
  async find(failed: ReadonlySet<string>): Promise<WindowLink | undefined> {
    const chosen = await this.#window.find(failed);
    return chosen === undefined || this.#isClosed ? undefined : this.#use(chosen);
  }

  /** Records that the window of a link does not answer. */
  async lost(link: WindowLink): Promise<void> {
    await this.#window.lost(link.record);
  }

  /** Gives up the current link: running requests may end on it, and the next request opens a new link. */
  retire(): void {
    const link = this.#current;
    this.#current = undefined;
    link?.retire();
  }

  /** Closes every link, within a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#window.close();
    await Promise.all([...this.#links].map((link) => link.close()));
  }

  #isCurrent({ record, worksIn }: ChosenWindow): boolean {
    return this.#current?.key === keyOf(record) && this.#current.worksIn === worksIn;
  }

  #use(chosen: ChosenWindow): WindowLink {
    if (this.#current !== undefined && this.#isCurrent(chosen)) return this.#current;
    this.retire();
    const link = this.#makeLink(chosen);
    this.#current = link;
    this.#options.onLink(link);
    return link;
  }

  #makeLink({ record, worksIn }: ChosenWindow): WindowLink {
    const { connectionSecret, clock, handshake, onMessage, onClosed, log } = this.#options;
    const link: WindowLink = new WindowLink({
      record,
      connectionSecret,
      worksIn,
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

/** How long requests wait for a window that does not answer before they get an error. */
const silentMilliseconds = 5000;

/** Finds the window to send to, and waits for one that reloads. */
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

  /** Must be called whenever the window source fires `onDidChange`. */
  changed(): void {
    const hasWindow = this.#windows.chosen !== undefined;
    // A window that closed may reload. The hooks of assistants wait as long for it.
    if (this.#hadWindow && !hasWindow) this.#waitUntil = this.#clock.monotonic() + absenceMilliseconds;
    this.#hadWindow = hasWindow;
    for (const wake of this.#waiting) wake();
  }

  /**
   * Returns the chosen window, or the next one within the time that a reload may take; undefined when there is none.
   * @param failed keys of windows that did not answer this request
   */
  async find(failed: ReadonlySet<string>): Promise<ChosenWindow | undefined> {
    if (this.#windows.chosen === undefined) await this.#windows.refresh();
    const { silent } = this.#windows;
    if (silent !== undefined) this.#waitFor(silent);
    for (;;) {
      const { chosen } = this.#windows;
      if (chosen !== undefined && !failed.has(keyOf(chosen.record))) return chosen;
      const left = this.#waitUntil - this.#clock.monotonic();
      if (left <= 0 || this.#isClosed) return undefined;
      await this.#change(left);
    }
  }

  /** Records that a window does not answer or refuses its secret, and reads the window files for a new endpoint. */
  async lost(record: WindowRecord): Promise<void> {
    this.#waitFor(record);
    await this.#windows.refresh();
  }

  /** Lets requests wait for a window that may be busy: once, until it has answered again, because it may hang, too. */
  #waitFor(record: WindowRecord): void {
    const key = keyOf(record);
    if (this.#unreachable === key) return;
    this.#unreachable = key;
    this.#waitUntil = Math.max(this.#waitUntil, this.#clock.monotonic() + silentMilliseconds);
  }

  /** Records that a window answers. */
  answers(record: WindowRecord): void {
    if (this.#unreachable === keyOf(record)) this.#unreachable = undefined;
  }

  /** Ends every wait. */
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
