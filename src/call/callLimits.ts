import { TokenBucket } from 'limiter';
import { type Principal, principalKey } from '#base/principal.ts';
import { type Risk, ToolError } from '#base/toolError.ts';
import { cancelled } from './timeLimit.ts';

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** How many calls of one window may run and wait (threat row H8). */
export interface CallLimitNumbers {
  /** Calls that change something, of one principal. Reads have no rate. */
  readonly changes: Rate;
  readonly ui: Rate;
  /** Calls that work at a time; waiting for the human is no work. */
  readonly running: number;
  readonly queuedOfPrincipal: number;
}

export const shippedCallLimits: CallLimitNumbers = {
  changes: { perSecond: 20, burst: 60 },
  ui: { perSecond: 5, burst: 5 },
  running: 8,
  queuedOfPrincipal: 256,
};

/** Principals that were here lately; who has not called for longest is forgotten first, with a full bucket. */
const mostPrincipals = 1000;

/** How fast and how many at a time: one caller cannot take the window from the others. */
export class CallLimits {
  readonly #limits: CallLimitNumbers;
  readonly #buckets = new Map<string, TokenBucket>();
  /** Callers with calls that wait for a slot, in the order of their turns. */
  readonly #queues = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(limits: CallLimitNumbers = shippedCallLimits) {
    this.#limits = limits;
  }

  /** @throws ToolError `rate_limited`, with the seconds to wait */
  admit(risk: Risk, principal: Principal): void {
    if (risk === 'read') return;
    const rate = risk === 'ui' ? this.#limits.ui : this.#limits.changes;
    const bucket = this.#bucket(JSON.stringify([risk === 'ui', principalKey(principal)]), rate);
    if (bucket.tryRemoveTokens(1)) return;
    const seconds = Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1000));
    throw new ToolError(
      'rate_limited',
      `You send more than ${rate.perSecond} such calls a second.`,
      `Wait ${seconds} s, and put related edits into one call.`,
    );
  }

  /**
   * Resolves with what gives the slot back; callers with waiting calls take turns.
   * @throws ToolError `rate_limited` when too many calls of this caller wait already; `cancelled`
   */
  async slot(principal: Principal, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#turn(principalKey(principal), signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#release();
    };
  }

  #bucket(key: string, { burst, perSecond }: Rate): TokenBucket {
    const bucket =
      this.#buckets.get(key) ??
      new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
    if (!this.#buckets.has(key)) bucket.content = burst;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostPrincipals && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }

  async #turn(key: string, signal: AbortSignal): Promise<void> {
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#limits.queuedOfPrincipal) {
      throw new ToolError(
        'rate_limited',
        `${queue.length} of your calls wait for their turn already.`,
        'Wait for answers before you send more calls.',
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      queue.splice(queue.indexOf(resolve), 1);
      if (queue.length === 0) this.#queues.delete(key);
      reject(cancelled());
    };
    queue.push(resolve);
    this.#queues.set(key, queue);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #release(): void {
    const [turn] = this.#queues;
    if (turn === undefined) {
      this.#running -= 1;
      return;
    }
    const [key, queue] = turn;
    // Who had this turn comes last for the next one.
    this.#queues.delete(key);
    const next = queue.shift();
    if (queue.length > 0) this.#queues.set(key, queue);
    next?.();
  }
}

/** The place of one call among those that work. It is given back while the human is waited for, since that is no work. */
export class CallSlot {
  readonly #slot: () => Promise<() => void>;
  #release: (() => void) | undefined;
  #isWanted = false;
  #waits = 0;

  /** @param slot resolves with what gives a slot back, when there is one */
  constructor(slot: () => Promise<() => void>) {
    this.#slot = slot;
  }

  /** Resolves when the call may work; rejects as `slot` does. */
  async take(): Promise<void> {
    this.#isWanted = true;
    const release = await this.#slot();
    if (this.#isWanted && this.#waits === 0 && this.#release === undefined) this.#release = release;
    else release();
  }

  /** Waits without a slot; a call that waits for several answers works on when it has the last one. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    this.#giveBack();
    try {
      return await wait();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0 && this.#isWanted) await this.take();
    }
  }

  /** The call works no more. */
  release(): void {
    this.#isWanted = false;
    this.#giveBack();
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
