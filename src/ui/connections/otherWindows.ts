import { watch, type FSWatcher } from 'node:fs';
import { Emitter, type Event } from '#base/event.ts';
import type { WindowHealth } from '#home/windowHealth.ts';
import type { OtherWindow } from './otherWindowItem.ts';

/**
 * The windows beside this one: those whose process lives and that are not known to be gone.
 * @param pid of this window's process; each window has its own
 */
export function otherWindowsOf(all: readonly WindowHealth[], pid: number): readonly OtherWindow[] {
  return all.flatMap(({ record, state }) => {
    if (record === undefined || record.pid === pid || (state !== 'alive' && state !== 'unreachable')) return [];
    const { windowId: id, workspaceName: name, folders, editor } = record;
    return [{ id, name, folders, editor, answers: state === 'alive' }];
  });
}

export interface OtherWindowsOptions {
  /** Where each window keeps its file; it need not be there yet. */
  readonly folder: string;
  readonly read: () => Promise<readonly OtherWindow[]>;
  readonly onError: (error: unknown) => void;
}

/** The other windows of this user, as long as somebody looks. */
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

  /** As of the last look. */
  get all(): readonly OtherWindow[] {
    return this.#all;
  }

  /** Looks now, and again whenever a window comes or goes, until `unwatch`. */
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

  /** A folder that is not there yet cannot be watched: the next look tries again. */
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

  /** One look at a time; what changes meanwhile is seen by another one. */
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
