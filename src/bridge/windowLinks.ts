import type { Clock } from '#base/clock.ts';
import type { WindowRecord } from '#home/windows.ts';
import { CurrentWindow } from './currentWindow.ts';
import { WindowLink, type LinkOptions } from './windowLink.ts';
import { keyOf } from './windowRun.ts';
import type { ChosenWindow, WindowSource } from './windowSource.ts';

export interface LinksOptions extends Pick<
  LinkOptions,
  'connectionSecret' | 'clock' | 'handshake' | 'onMessage' | 'log'
> {
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
