import type { CallSummary, RecentCalls } from '#audit/recentCalls.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';

export interface PreparingOptions {
  readonly recentCalls: Pick<RecentCalls, 'running' | 'onDidChange'>;
  /** Returns true for a tool whose calls ask the user. */
  readonly proposes: (tool: string) => boolean;
  readonly clock: Clock;
}

/** Milliseconds that a call may prepare its change before the user is told. Most have their card earlier. */
const unnoticed = 700;

/** Knows which assistants prepare a change: those with a running call that will ask the user and has no card yet. */
export class Preparing implements Subscription {
  readonly #options: PreparingOptions;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Subscription;
  #timer: Subscription | undefined;
  #clients: readonly string[] = [];
  readonly onDidChange = this.#changed.event;

  constructor(options: PreparingOptions) {
    this.#options = options;
    this.#subscription = options.recentCalls.onDidChange(() => this.#look());
  }

  /** The names that the assistants give themselves, each once. */
  get clients(): readonly string[] {
    return this.#clients;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#timer?.dispose();
  }

  #look(): void {
    const { recentCalls, proposes, clock } = this.#options;
    const isPreparing = ({ outcome, approvalId, tool }: CallSummary): boolean =>
      outcome === undefined && approvalId === undefined && proposes(tool);
    const running = recentCalls.running.filter(isPreparing);
    const now = clock.now();
    const clients = [
      ...new Set(running.filter(({ time }) => now - time >= unnoticed).map(({ client }) => client ?? '')),
    ];
    const next = Math.min(...running.map(({ time }) => time + unnoticed - now).filter((left) => left > 0));
    this.#timer?.dispose();
    this.#timer = Number.isFinite(next) ? clock.after(next, () => this.#look()) : undefined;
    if (JSON.stringify(clients) === JSON.stringify(this.#clients)) return;
    this.#clients = clients;
    this.#changed.fire();
  }
}
