import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { Emitter, type Event } from '#base/event.ts';
import { readOwnFile, stampAt } from './ownFile.ts';
import { makePrivateFolder } from './stateFolder.ts';

/** The options of a {@link SharedFile}. */
export interface SharedFileOptions<T> {
  /** Absolute path of the state folder of this user, which is created when missing. */
  readonly home: string;
  /** Name of the file in the state folder. */
  readonly name: string;
  /** Validates the parsed JSON; throws when it is not valid. */
  readonly parse: (value: unknown) => T;
  /** The value of a missing file. */
  readonly empty: T;
  /** Called when the file cannot be watched, the lock cannot be released, or a listener failed. */
  readonly onError: (error: unknown) => void;
}

/** Age after which the lock of a crashed writer is taken over. A change takes milliseconds. */
const staleMilliseconds = 5000;
/** Retries for about 20 seconds, which is longer than a stale lock lasts. */
const lockRetries = { retries: 220, factor: 1.2, minTimeout: 5, maxTimeout: 100, randomize: true };
/** Delay before a read, so that the events of one change lead to one read. An editor that saves in place first empties the file. */
const settleMilliseconds = 20;
/** How often the file is checked when it cannot be watched. */
const pollMilliseconds = 2000;

/**
 * A JSON file in the state folder that all windows of this user share. It has mode 0600, is changed under a lock, and is watched.
 * The user may edit it. While it cannot be read, the last valid value stays, `problem` gives the reason, and Drawbridge does not
 * overwrite it. The owner of a `SharedFile` decides how to fail closed then.
 */
export class SharedFile<T> {
  readonly path: string;
  readonly #options: SharedFileOptions<T>;
  readonly #changed = new Emitter<void>();
  /** Fires when the content or `problem` changed, whether this window, another window or a text editor caused it. */
  readonly onDidChange: Event<void> = this.#changed.event;
  #value: T;
  #problem: string | undefined;
  /** The text as last read; undefined for a missing file. */
  #content: string | undefined;
  #stamp: string | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  readonly #inTurn = pLimit(1);
  #disposed = false;

  /**
   * Reads the file at once, so that the first decision uses its content.
   * @throws when the state folder cannot be made private
   */
  constructor(options: SharedFileOptions<T>) {
    this.#options = options;
    this.#value = options.empty;
    makePrivateFolder(options.home, options.home);
    this.path = join(options.home, options.name);
    // The watch starts before the read, so that no change after the read is missed.
    this.#watch();
    this.#read();
  }

  /** The last valid content. */
  get value(): T {
    return this.#value;
  }

  /** Why the current file cannot be used, as a sentence for the user; undefined when it can be used. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Returns `value` after checking the disk with one `stat`, for decisions that must not wait for the event of a change. */
  latest(): T {
    if (this.#stamp !== stampAt(this.path)) this.#read();
    return this.#value;
  }

  /** Reads the file again now. */
  async refresh(): Promise<void> {
    this.#read();
  }

  /**
   * Changes the content: takes the lock, reads the newest content, maps it with `change`, and replaces the file as a whole.
   * @returns the new content
   * @throws when the current file cannot be used (it stays unchanged), or cannot be locked or written
   */
  update(change: (now: T) => T): Promise<T> {
    return this.#inTurn(() => this.#locked(change));
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
  }

  async #locked(change: (now: T) => T): Promise<T> {
    makePrivateFolder(this.#options.home, this.#options.home);
    let isOvertaken = false;
    const release = await lock(this.path, {
      // The file may not exist yet, so its path cannot be resolved.
      realpath: false,
      stale: staleMilliseconds,
      retries: lockRetries,
      onCompromised: () => (isOvertaken = true),
    }).catch((error: unknown) => {
      throw new Error(`${this.path} could not be locked. Try again.`, { cause: error });
    });
    try {
      this.#read();
      if (this.#problem !== undefined) throw new Error(this.#problem);
      const next = change(this.#value);
      const text = `${JSON.stringify(next, undefined, 2)}\n`;
      if (next === this.#value || text === this.#content) return this.#value;
      // A content that cannot be read back would stop every window.
      this.#options.parse(JSON.parse(text));
      if (isOvertaken) throw new Error(`${this.path} was changed by another window. Try again.`);
      await writeFileAtomic(this.path, text, { mode: 0o600 });
      this.#read();
      return this.#value;
    } finally {
      if (!isOvertaken) await release().catch(this.#options.onError);
    }
  }

  #read(): void {
    const [before, problemBefore] = [this.#content, this.#problem];
    try {
      const found = readOwnFile(this.path);
      this.#stamp = found?.stamp;
      if (found?.text === before && problemBefore === undefined) return;
      this.#content = found?.text;
      this.#value = found === undefined ? this.#options.empty : this.#options.parse(JSON.parse(found.text));
      this.#problem = undefined;
    } catch (error) {
      this.#problem = `${this.path} cannot be used: ${reasonOf(error)} Repair it, or move it away.`;
    }
    if (this.#content !== before || this.#problem !== problemBefore) this.#tell();
  }

  #tell(): void {
    if (this.#disposed) return;
    try {
      this.#changed.fire();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #watch(): void {
    const { home, name, onError } = this.#options;
    const pollInstead = (error: unknown): void => {
      onError(error);
      this.#watcher?.close();
      this.#poll ??= setInterval(() => this.latest(), pollMilliseconds).unref();
    };
    try {
      this.#watcher = watch(home, { persistent: false }, (_event, changed) => {
        if (changed === null || changed === name) this.#readSoon();
      }).on('error', pollInstead);
    } catch (error) {
      pollInstead(error);
    }
  }

  #readSoon(): void {
    if (this.#disposed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#read();
    }, settleMilliseconds).unref();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `${z.prettifyError(error)}.`;
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith('.') ? message : `${message}.`;
}
