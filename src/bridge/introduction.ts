import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { isMembers, type Members, type RequestId, type Response } from './jsonRpc.ts';
import type { Handshake } from './windowSession.ts';

/** The part of a handshake that the client sends first; its resource subscriptions come later. */
type Presented = Omit<Handshake, 'watched'>;

/** A client that has roots but never sends `notifications/initialized` must not wait for ever. */
const readyMilliseconds = 2000;

/** The handshake of a client that calls without `initialize`, as scripts do. */
const anonymous: Presented = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'unknown', version: '0' },
  },
  logLevel: undefined,
};

/** Keeps the handshake of a client of the 2025 era, and whether its roots are known. */
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

  /** True once `notifications/initialized` came; notifications may be sent to the client only then. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** A promise while the client's roots may still come; no request goes to a window before it resolves. */
  get foldersKnown(): Promise<void> | undefined {
    return this.#known;
  }

  /** Takes the parameters of `initialize`. */
  begin(initialize: Members): void {
    this.#handshake = { initialize, logLevel: undefined };
    this.#isComplete = false;
    this.#patience?.dispose();
    this.#becomeKnown();
    if (!this.#hasRoots()) return;
    this.#waitForFolders();
    this.#patience = this.#clock.after(readyMilliseconds, () => this.#isComplete || this.#becomeKnown());
  }

  /** Handles `notifications/initialized`. Resolves when the client's roots are known, if it has some. */
  async complete(): Promise<void> {
    this.#isComplete = true;
    await this.#askForFolders();
  }

  /** Handles `notifications/roots/list_changed`. */
  async foldersChanged(): Promise<void> {
    await this.#askForFolders();
  }

  setLogLevel(logLevel: Members): void {
    this.#handshake = { ...this.#handshake, logLevel };
  }

  /** Ends every wait. */
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

/** A client that does not answer `roots/list` must not keep its own calls waiting. */
const answerMilliseconds = 2000;

interface RootsQueryOptions {
  readonly clock: Clock;
  readonly send: (text: string) => void;
  /** Takes paths or URIs, in the client's order. */
  readonly setRoots: (roots: readonly string[]) => Promise<void>;
  readonly log: (line: string) => void;
}

/** Asks the client for its roots. The ids of these requests never equal the ids of a window's requests. */
export class RootsQuery {
  readonly #options: RootsQueryOptions;
  readonly #prefix = `drawbridge-${randomBytes(8).toString('hex')}-`;
  readonly #asked = new Map<RequestId, () => void>();
  #count = 0;

  constructor(options: RootsQueryOptions) {
    this.#options = options;
  }

  /** Sends `roots/list`. Resolves when the answer was used, or after two seconds; a later answer is still used. */
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

  /** Takes a response of the client; returns false when it does not answer `roots/list` of the bridge. */
  take({ id, result }: Response): boolean {
    if (typeof id !== 'string' || !id.startsWith(this.#prefix)) return false;
    const done = this.#asked.get(id);
    this.#asked.delete(id);
    // A newer request is on its way, so this answer is out of date.
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
