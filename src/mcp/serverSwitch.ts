import pLimit from 'p-limit';
import { Emitter } from '#base/event.ts';
import type { RunningServer } from './server.ts';

export interface ServerSwitchOptions {
  readonly open: () => Promise<RunningServer>;
  /** Called when the server could not be opened. The state is `failed` until the next start. */
  readonly onFailure: (error: unknown) => void;
  /** Called before a running server stops. */
  readonly beforeStop: () => void;
}

/** Starts and stops one server. Runs the requests one after the other, so that the last one decides the state. */
export class ServerSwitch {
  readonly #options: ServerSwitchOptions;
  readonly #changed = new Emitter<void>();
  /** Fires when the state changes, and when the running server's `onDidChange` fires. */
  readonly onDidChange = this.#changed.event;
  #state: 'stopped' | 'starting' | 'running' | 'failed' = 'stopped';
  #server: RunningServer | undefined;
  readonly #inTurn = pLimit(1);

  constructor(options: ServerSwitchOptions) {
    this.#options = options;
  }

  get state(): 'stopped' | 'starting' | 'running' | 'failed' {
    return this.#state;
  }

  get running(): RunningServer | undefined {
    return this.#server;
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#start());
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#stop());
  }

  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop('starting');
      await this.#start();
    });
  }

  async #start(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#become('starting');
    try {
      this.#server = await this.#options.open();
    } catch (error) {
      this.#become('failed');
      this.#options.onFailure(error);
      return;
    }
    this.#server.onDidChange(() => this.#changed.fire());
    this.#become('running');
  }

  /** @param next the state then */
  async #stop(next: 'stopped' | 'starting' = 'stopped'): Promise<void> {
    const server = this.#server;
    if (server === undefined) {
      if (this.#state === 'failed') this.#become(next);
      return;
    }
    this.#server = undefined;
    this.#options.beforeStop();
    await server.stop();
    this.#become(next);
  }

  #become(state: 'stopped' | 'starting' | 'running' | 'failed'): void {
    this.#state = state;
    this.#changed.fire();
  }
}
