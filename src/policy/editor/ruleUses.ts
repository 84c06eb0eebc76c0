import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import { SharedFile } from '#home/sharedFile.ts';
import type { RuleUse } from '../rules.ts';

const useShape = z.strictObject({
  hits: z.int().min(0),
  /** Time of the last hit, ISO 8601. */
  last: z.iso.datetime().exactOptional(),
  /** Time when a rule without a date was first seen, or when it was renewed, ISO 8601. */
  since: z.iso.datetime().exactOptional(),
});
const usesShape = z.strictObject({ version: z.literal(1), uses: z.record(z.string(), useShape) });

type Uses = z.infer<typeof usesShape>;
type StoredUse = z.infer<typeof useShape>;

export interface RuleUsesOptions {
  /** The state folder of this user. */
  readonly home: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const flushMilliseconds = 60_000;

/**
 * Counts how often each rule decided something, in all windows together. The counts are in a file of their own, so that they do
 * not interfere with the user editing the rules file. The file is written once a minute at most.
 */
export class RuleUses implements Subscription {
  readonly #options: RuleUsesOptions;
  readonly #file: SharedFile<Uses>;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: Subscription;
  /** Hits that are not written yet. */
  #pending = new Map<string, StoredUse>();
  /** Hits of rules that end with the window or are not in the rules file. */
  readonly #ofThisRun = new Map<string, StoredUse>();
  #timer: Subscription | undefined;

  constructor(options: RuleUsesOptions) {
    this.#options = options;
    const { home, onError } = options;
    this.#file = new SharedFile<Uses>({
      home,
      name: 'rule-uses.json',
      parse: (value) => usesShape.parse(value),
      empty: { version: 1, uses: {} },
      onError,
    });
    this.#subscription = this.#file.onDidChange(() => this.#changed.fire());
  }

  get(id: string): RuleUse & { readonly since?: string } {
    const stored = this.#file.value.uses[id];
    return [stored, this.#pending.get(id), this.#ofThisRun.get(id)].reduce<StoredUse>(added, { hits: 0 });
  }

  /** @param kept true when the count outlives the window */
  count(id: string, kept: boolean): void {
    const hit = { hits: 1, last: this.#now() };
    if (kept) this.#add(id, hit);
    else this.#ofThisRun.set(id, added(this.#ofThisRun.get(id) ?? { hits: 0 }, hit));
  }

  /** Restarts the time after which a rule counts as unused. */
  begin(id: string): void {
    this.#add(id, { hits: 0, since: this.#now() });
    this.#changed.fire();
  }

  /** Writes the counts. A failure is reported, and the counts are kept for the next time. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    const counted = this.#pending;
    this.#pending = new Map();
    try {
      await this.#file.update(({ version, uses }) => {
        const sums = [...counted].map(([id, use]): [string, StoredUse] => [id, added(use, uses[id])]);
        return { version, uses: { ...uses, ...Object.fromEntries(sums) } };
      });
    } catch (error) {
      for (const [id, use] of counted) this.#add(id, use);
      this.#options.onError(error);
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#subscription.dispose();
    this.#file.dispose();
  }

  #add(id: string, use: StoredUse): void {
    this.#pending.set(id, added(this.#pending.get(id) ?? { hits: 0 }, use));
    this.#timer ??= this.#options.clock.after(flushMilliseconds, () => void this.flush());
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

function added(one: StoredUse, other: StoredUse | undefined): StoredUse {
  if (other === undefined) return one;
  const last = latest(one.last, other.last);
  const since = latest(one.since, other.since);
  return { hits: one.hits + other.hits, ...(last !== undefined && { last }), ...(since !== undefined && { since }) };
}

/** Returns the later of two times in ISO 8601, UTC. */
function latest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
