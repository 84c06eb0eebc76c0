import fs from 'node:fs';
import promises from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

type Call = (...given: unknown[]) => unknown;

/** The writing calls of each module; a process may be killed at each of them. */
const writingCalls = {
  fs: ['open', 'write', 'fsync', 'rename', 'chmod'],
  promises: ['link', 'mkdir', 'open', 'rename', 'rm', 'rmdir', 'symlink', 'unlink', 'utimes'],
  handle: ['chmod', 'writeFile'],
} as const;

/** Returns the ordinary path for a path through the handle of a folder. */
function nameOf(path: unknown): string {
  const text = typeof path === 'string' ? path : '';
  if (!text.startsWith('/proc/self/fd/')) return text;
  try {
    return join(fs.readlinkSync(dirname(text)), basename(text));
  } catch {
    return text;
  }
}

/**
 * The real disk as a program sees it that dies right before its n-th call that writes: from then on no call that
 * writes is made, and none returns, as after kill -9. Calls under way then are still finished, as a kernel does.
 */
export class DyingDisk {
  /** Replacements of `node:fs` and `node:fs/promises`. */
  readonly modules: ReadonlyMap<string, unknown>;
  /** The phase, the call and the path of each writing call so far. */
  readonly points: string[] = [];
  readonly #killAt: number;
  readonly #die: (point: string) => void;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #handles = new Set<promises.FileHandle>();
  /** Returns whether the flags open a file for writing. */
  readonly #descriptors = new Set<number>();
  #isOn = false;
  #isDead = false;
  #hasChanged = false;

  /** @param die called once, with the point at which the program dies */
  constructor(killAt: number, die: (point: string) => void) {
    this.#killAt = killAt;
    this.#die = die;
    const callbacks = { ...fs, ...this.#watchedAll(fs, writingCalls.fs), close: this.#close };
    const promised = { ...promises, ...this.#watchedAll(promises, writingCalls.promises) };
    this.modules = new Map<string, unknown>([
      ...['fs', 'node:fs'].map((name) => [name, callbacks] as const),
      ...['fs/promises', 'node:fs/promises'].map((name) => [name, promised] as const),
    ]);
  }

  /** Starts to count the calls. */
  begin(): void {
    this.#isOn = true;
  }

  /** Resolves when no call is running; closes the descriptors that a kernel would close. */
  async end(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    for (const handle of this.#handles) await handle.close().catch(() => undefined);
    for (const descriptor of this.#descriptors) fs.closeSync(descriptor);
  }

  #watchedAll(target: object, names: readonly string[]): Record<string, Call> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every one of these is a function
    const calls = target as Record<string, Call>;
    return Object.fromEntries(names.map((name) => [name, this.#watched(name, calls[name]?.bind(target))]));
  }

  #watched(name: string, original: Call | undefined): Call {
    if (original === undefined) throw new Error(`There is no ${name}`);
    return (...given) => {
      const [path, flags] = given;
      const isRead = name === 'open' && (flags === undefined || flags === 'r' || typeof flags === 'number');
      if (!isRead) this.#beforeWrite(name, nameOf(path));
      const callback = given.at(-1);
      if (typeof callback !== 'function') {
        if (this.#isDead && !isRead) return new Promise(() => undefined);
        return this.#follow(Promise.resolve(original(...given)).then((result) => this.#watchHandle(result)));
      }
      if (this.#isDead && !isRead) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      void this.#follow(promise);
      return original(...given.slice(0, -1), (error: unknown, result: unknown) => {
        if (name === 'open' && !isRead && typeof result === 'number') this.#descriptors.add(result);
        callback(error, result);
        resolve();
      });
    };
  }

  #follow<Result>(call: Promise<Result>): Promise<Result> {
    this.#underWay.add(call);
    const ended = (): void => void this.#underWay.delete(call);
    call.then(ended, ended);
    return call;
  }

  /** Handles write too. */
  #watchHandle(result: unknown): unknown {
    if (!isHandle(result)) return result;
    this.#handles.add(result);
    Object.assign(result, this.#watchedAll(result, writingCalls.handle));
    return result;
  }

  readonly #close = (descriptor: number, callback: (error: unknown) => void): void => {
    this.#descriptors.delete(descriptor);
    fs.close(descriptor, callback);
  };

  #beforeWrite(call: string, name: string): void {
    if (!this.#isOn || this.#isDead) return;
    const isOfHistory = name.includes('/state/') || name === '';
    const phase = !isOfHistory ? 'between files' : this.#hasChanged ? 'before commit' : 'write-ahead';
    const point = `${phase}: ${call} ${name.replace(/^.*\/(inside|state)\//, '$1/')}`;
    if (this.points.push(point) === this.#killAt) {
      this.#isDead = true;
      this.#die(point);
    }
    if (!isOfHistory) this.#hasChanged = true;
  }
}

function isHandle(value: unknown): value is promises.FileHandle {
  return typeof value === 'object' && value !== null && 'fd' in value && 'close' in value;
}
