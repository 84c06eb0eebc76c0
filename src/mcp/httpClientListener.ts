import pLimit from 'p-limit';
import { Emitter, type Event } from '#base/event.ts';
import type { HttpListenerState, PortHolder } from '#base/httpListener.ts';
import type { Listener } from './listener.ts';

export interface HttpClientListenerOptions {
  /** Returns whether at least one access token exists. */
  readonly isWanted: () => boolean;
  /** Returns the lasting port of this workspace, chosen at the first call; undefined without a folder. */
  readonly port: () => Promise<number | undefined>;
  /** Listens on that port; rejects as `startListener` does. */
  readonly listen: (port: number) => Promise<Listener>;
  readonly findHolder: (port: number) => Promise<PortHolder>;
}

/** Opens and closes the listener for HTTP clients. Reports a port in use, and never takes another one (threat row H14). */
export class HttpClientListener {
  readonly #options: HttpClientListenerOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #state: HttpListenerState = { kind: 'closed' };
  #listener: Listener | undefined;
  #isStopped = false;
  readonly #inTurn = pLimit(1);

  constructor(options: HttpClientListenerOptions) {
    this.#options = options;
  }

  get state(): HttpListenerState {
    return this.#state;
  }

  /** Call this when access tokens were made or revoked. It does not try again a port that could not be opened. */
  update(): Promise<void> {
    return this.#inTurn(() => this.#update());
  }

  /** Tries again to open the port. */
  retry(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#listener === undefined) this.#state = { kind: 'closed' };
      await this.#update();
    });
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.update();
  }

  async #update(): Promise<void> {
    const isWanted = !this.#isStopped && this.#options.isWanted();
    if (!isWanted) return this.#close();
    if (this.#state.kind === 'closed') await this.#open();
  }

  async #open(): Promise<void> {
    try {
      const port = await this.#options.port();
      this.#become(port === undefined ? { kind: 'noFolder' } : await this.#listen(port));
    } catch (error) {
      this.#become({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  async #listen(port: number): Promise<HttpListenerState> {
    try {
      this.#listener = await this.#options.listen(port);
      return { kind: 'open', endpoint: this.#listener.endpoint };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      return { kind: 'busy', port, holder: await this.#options.findHolder(port) };
    }
  }

  async #close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    if (this.#state.kind !== 'closed') this.#become({ kind: 'closed' });
    await listener?.stop();
  }

  #become(state: HttpListenerState): void {
    this.#state = state;
    this.#changed.fire();
  }
}
