import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { isMembers, type Members, type RequestId, type Response } from './jsonRpc.ts';
import type { Handshake } from './windowSession.ts';

/** What a client says of itself as such; what it watches comes later. */
type Presented = Omit<Handshake, 'watched'>;

/** A client that says it has folders but never that it is ready must not wait for ever. */
const readyMilliseconds = 2000;

/** Speaks for a client that calls before it introduced itself, as scripts do. */
const anonymous: Presented = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'unknown', version: '0' },
  },
  logLevel: undefined,
};

/** What a client of the 2025 era has told of itself, and whether the folders it works in are known. */
export class Introduction {
  readonly #clock: Clock;
  readonly #roots: RootsQuery;
  #handshake = anonymous;
  #isComplete = false;
  #patience: Subscription | undefined;
  #known: Promise<void> | undefined;
  #becomeKnown: () => void = () => undefined;

  constructor(clock: Clock, roots: RootsQuery) {
    this.#clock = clock;
    this.#roots = roots;
  }

  get handshake(): Presented {
    return this.#handshake;
  }

  /** The client has said that it is ready; from then on it may be told things. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Pending while the client's folders may still come; no request goes to a window before. */
  get foldersKnown(): Promise<void> | undefined {
    return this.#known;
  }

  /** `initialize` came. */
  begin(initialize: Members): void {
    this.#handshake = { initialize, logLevel: undefined };
    this.#isComplete = false;
    this.#patience?.dispose();
    this.#becomeKnown();
    if (!this.#hasRoots()) return;
    this.#waitForFolders();
    this.#patience = this.#clock.after(readyMilliseconds, () => this.#isComplete || this.#becomeKnown());
  }

  /** `notifications/initialized` came. Resolves when the client's folders are known, if it has some. */
  async complete(): Promise<void> {
    this.#isComplete = true;
    await this.#askForFolders();
  }

  /** `notifications/roots/list_changed` came. */
  async foldersChanged(): Promise<void> {
    await this.#askForFolders();
  }

  setLogLevel(logLevel: Members): void {
    this.#handshake = { ...this.#handshake, logLevel };
  }

  /** Nobody waits any longer. */
  close(): void {
    this.#patience?.dispose();
    this.#becomeKnown();
  }

  async #askForFolders(): Promise<void> {
    if (!this.#hasRoots()) return;
    if (this.#known === undefined) this.#waitForFolders();
    const became = this.#becomeKnown;
    await this.#roots.ask();
    became();
  }

  #waitForFolders(): void {
    this.#known = new Promise((resolve) => {
      this.#becomeKnown = () => {
        this.#known = undefined;
        resolve();
      };
    });
  }

  #hasRoots(): boolean {
    const { capabilities } = this.#handshake.initialize;
    return isMembers(capabilities) && isMembers(capabilities['roots']);
  }
}

/** A client that does not answer must not keep its own calls waiting. */
const answerMilliseconds = 2000;

interface RootsQueryOptions {
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
