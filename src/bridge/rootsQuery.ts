import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { isMembers, type RequestId, type Response } from './jsonRpc.ts';

/** A client that does not answer must not keep its own calls waiting. */
const answerMilliseconds = 2000;

export interface RootsQueryOptions {
  readonly clock: Clock;
  readonly send: (text: string) => void;
  /** Paths or URIs, in the client's order. */
  readonly setRoots: (roots: readonly string[]) => Promise<void>;
  readonly log: (line: string) => void;
}

/** Asks the client which folders it works in. The ids of these requests cannot be those of a window's. */
export class RootsQuery {
  readonly #options: RootsQueryOptions;
  readonly #prefix = `drawbridge-${randomBytes(8).toString('hex')}-`;
  readonly #asked = new Map<RequestId, () => void>();
  #count = 0;

  constructor(options: RootsQueryOptions) {
    this.#options = options;
  }

  /** Resolves when the answer was taken in, or after two seconds. A later answer still counts. */
  ask(): Promise<void> {
    const id = `${this.#prefix}${++this.#count}`;
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(answerMilliseconds, resolve);
      this.#asked.set(id, () => {
        timer.dispose();
        resolve();
      });
      this.#options.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' }));
    });
  }

  /** Takes an answer of the client; false when it belongs to somebody else. */
  take({ id, result }: Response): boolean {
    if (typeof id !== 'string' || !id.startsWith(this.#prefix)) return false;
    const done = this.#asked.get(id);
    this.#asked.delete(id);
    // An answer that was overtaken by a newer question says nothing any more.
    if (id !== `${this.#prefix}${this.#count}`) return true;
    const roots = rootsOf(result);
    if (roots === undefined) done?.();
    else void this.#use(roots).finally(() => done?.());
    return true;
  }

  async #use(roots: readonly string[]): Promise<void> {
    try {
      await this.#options.setRoots(roots);
    } catch (error) {
      this.#options.log(`The client's folders could not be used: ${String(error)}`);
    }
  }
}

function rootsOf(result: unknown): readonly string[] | undefined {
  if (!isMembers(result) || !Array.isArray(result['roots'])) return undefined;
  const roots: readonly unknown[] = result['roots'];
  return roots.flatMap((root) => (isMembers(root) && typeof root['uri'] === 'string' ? [root['uri']] : []));
}
