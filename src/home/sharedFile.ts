import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { lock } from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { Emitter, type Event } from '#base/event.ts';
import { readOwnFile, stampAt } from './ownFile.ts';
import { makePrivateFolder } from './stateFolder.ts';

export interface SharedFileOptions<T> {
  /** The state folder of this user, absolute; made when it is missing. */
  readonly home: string;
  /** The file's name in it. */
  readonly name: string;
  /** Throws on what is not valid. */
  readonly parse: (value: unknown) => T;
  /** What a missing file stands for. */
  readonly empty: T;
  /** The file cannot be watched, or a listener failed. */
  readonly onError: (error: unknown) => void;
}

/** A writer that died is overtaken after this long; a change takes milliseconds. */
const staleMilliseconds = 5000;
/** Together some 20 seconds, more than a dead writer's lock lasts. */
const lockRetries = { retries: 220, factor: 1.2, minTimeout: 5, maxTimeout: 100, randomize: true };
/** Events of one change come together; an editor that saves in place empties the file first. */
const settleMilliseconds = 20;
/** How often the file is looked at where it cannot be watched. */
const pollMilliseconds = 2000;

/**
 * A JSON file in the state folder that all windows of this user share: 0600, changed under a lock, watched. Humans may
 * edit it: while it cannot be read, the last good value stays, `problem` says why, and nobody here writes over it. What
 * failing closed means then is its user's to decide.
 */
export class SharedFile<T> {
  readonly path: string;
  readonly #options: SharedFileOptions<T>;
  readonly #changed = new Emitter<void>();
  /** It holds something else than before, or its `problem` is another one: by other windows, by an editor, or by us. */
  readonly onDidChange: Event<void> = this.#changed.event;
  #value: T;
  #problem: string | undefined;
  /** As it was read last; undefined for a missing file. */
  #content: string | undefined;
  #stamp: string | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  readonly #inTurn = pLimit(1);
  #disposed = false;

  /**
   * Reads the file, so that the first decision is right already.
   * @throws when the state folder cannot be made private
   */
  constructor(options: SharedFileOptions<T>) {
    this.#options = options;
    this.#value = options.empty;
    makePrivateFolder(options.home, options.home);
    this.path = join(options.home, options.name);
    // Watched first: what changes after the read is told.
    this.#watch();
    this.#read();
  }

  /** What it held when it was read last and could be. */
  get value(): T {
    return this.#value;
  }

  /** Why the file as it is now cannot be used, for a human; undefined when it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** `value` after a look at the disk (one `stat`), for decisions that must not wait for another window's change to be told. */
  latest(): T {
    if (this.#stamp !== stampAt(this.path)) this.#read();
    return this.#value;
  }

  /** Reads it again now. */
  async refresh(): Promise<void> {
    this.#read();
  }

  /**
   * Changes what it holds: takes the lock, reads the newest, maps it, and replaces the file whole.
   * @returns what it holds then
   * @throws when the file cannot be used as it is (it is left alone), or cannot be locked or written
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
      // The file may not exist yet.
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
      // What could not be read back would stop every window.
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
      this.#problem = `${this.path} cannot be used: ${reasonOf(error)} Mend it, or move it away.`;
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
