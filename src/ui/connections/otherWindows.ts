import { watch, type FSWatcher } from 'node:fs';
import { Emitter, type Event } from '#base/event.ts';
import type { WindowHealth } from '#home/windowHealth.ts';
import type { OtherWindow } from './otherWindowItem.ts';

/**
 * Returns the other windows whose process lives and that are not known to be closed.
 * @param pid of the process of this window; each window has its own process
 */
export function otherWindowsOf(all: readonly WindowHealth[], pid: number): readonly OtherWindow[] {
  return all.flatMap(({ record, state }) => {
    if (record === undefined || record.pid === pid || (state !== 'alive' && state !== 'unreachable')) return [];
    const { windowId: id, workspaceName: name, folders, editor, waiting = 0 } = record;
    return [{ id, name, folders, editor, waiting, answers: state === 'alive' }];
  });
}

export interface OtherWindowsOptions {
  /** The folder in which each window keeps its file; it may not exist yet. */
  readonly folder: string;
  readonly read: () => Promise<readonly OtherWindow[]>;
  readonly onError: (error: unknown) => void;
}

/** Watches the other windows of this user while a view shows them. */
export class OtherWindows {
  readonly #options: OtherWindowsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #all: readonly OtherWindow[] = [];
  #isWatched = false;
  #watcher: FSWatcher | undefined;
  #reading: Promise<void> | undefined;
  #isOutOfDate = false;

  constructor(options: OtherWindowsOptions) {
    this.#options = options;
  }

  /** The windows as of the last read. */
  get all(): readonly OtherWindow[] {
    return this.#all;
  }

  /** Reads the windows now, and again whenever a window opens or closes, until `unwatch`. */
  watch(): void {
    this.#isWatched = true;
    this.#watcher ??= this.#watchFolder();
    void this.#read();
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
