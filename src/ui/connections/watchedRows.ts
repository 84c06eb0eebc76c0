import { watch, type FSWatcher } from 'node:fs';
import { Emitter, type Event } from '#base/event.ts';

export interface WatchedRowsOptions<Row> {
  /** The folder whose files tell of the rows; it may not exist yet. */
  readonly folder: string;
  readonly read: () => Promise<readonly Row[]>;
  readonly onError: (error: unknown) => void;
}

/** Rows that other windows and programs change by files of the state folder. They are watched while a view shows them. */
export class WatchedRows<Row> {
  readonly #options: WatchedRowsOptions<Row>;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #all: readonly Row[] = [];
  #isWatched = false;
  #watcher: FSWatcher | undefined;
  #reading: Promise<void> | undefined;
  #isOutOfDate = false;

  constructor(options: WatchedRowsOptions<Row>) {
    this.#options = options;
  }

  /** The rows as of the last read. */
  get all(): readonly Row[] {
    return this.#all;
  }

  /** Reads the rows now, and again whenever a file of the folder changes, until `unwatch`. */
  watch(): void {
    this.#isWatched = true;
    this.#watcher ??= this.#watchFolder();
    void this.#read();
  }

  /** Reads the rows again if they are watched. */
  refresh(): void {
    if (this.#isWatched) void this.#read();
  }

  unwatch(): void {
    this.#isWatched = false;
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** A folder that does not exist yet cannot be watched; the next `watch` tries again. */
  #watchFolder(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#options.folder, { persistent: false }, () => void this.#read());
      watcher.on('error', () => {
        watcher.close();
        if (this.#watcher === watcher) this.#watcher = undefined;
      });
      return watcher;
    } catch {
      return undefined;
    }
  }

  /** Runs one read at a time; a change during a read causes another read. */
  async #read(): Promise<void> {
    this.#isOutOfDate = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#isOutOfDate && this.#isWatched) {
      this.#isOutOfDate = false;
      try {
        const before = JSON.stringify(this.#all);
        // oxlint-disable-next-line no-await-in-loop -- one look after the other is the point
        this.#all = await this.#options.read();
        if (JSON.stringify(this.#all) !== before) this.#changed.fire();
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}
