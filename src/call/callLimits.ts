import { TokenBucket } from 'limiter';
import { type Principal, principalKey } from '#base/principal.ts';
import { type Risk, ToolError } from '#base/toolError.ts';
import { cancelled } from './timeLimit.ts';

interface Rate {
  readonly calls: number;
  readonly per: 'second' | 'minute';
  readonly burst: number;
}

/** Limits on the calls of one window (threat row H8). */
export interface CallLimitNumbers {
  /** Rate of one principal's calls that only read. */
  readonly reads: Rate;
  /** Rate of one principal's calls that change something. */
  readonly changes: Rate;
  /** Rate of one principal's calls that only show something in the editor. */
  readonly ui: Rate;
  /** Number of calls that run at the same time. A call that waits for the user does not count. */
  readonly running: number;
  /** Number of calls of one principal that wait to run. */
  readonly queuedOfPrincipal: number;
}

export const shippedCallLimits: CallLimitNumbers = {
  // The clients of the benches that send no connection id share one rate, and reach 300 reads a second for a minute.
  reads: { calls: 20_000, per: 'minute', burst: 2000 },
  changes: { calls: 20, per: 'second', burst: 60 },
  ui: { calls: 5, per: 'second', burst: 5 },
  running: 8,
  queuedOfPrincipal: 256,
};

/** Number of rates kept; the one unused for longest is dropped first, and its principal starts again with a full bucket. */
const mostPrincipals = 1000;

/** Limits the rate and the number of running calls, so that one caller cannot block the others. */
export class CallLimits {
  readonly #limits: CallLimitNumbers;
  readonly #buckets = new Map<string, TokenBucket>();
  /** Waiting calls by principal, in the order in which the principals get the next slot. */
  readonly #queues = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(limits: CallLimitNumbers = shippedCallLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a call of this risk.
   * @throws ToolError `rate_limited`, with the seconds to wait
   */
  admit(risk: Risk, principal: Principal): void {
    const kind = risk === 'read' ? 'reads' : risk === 'ui' ? 'ui' : 'changes';
    const rate = this.#limits[kind];
    const bucket = this.#bucket(JSON.stringify([kind, principalKey(principal)]), rate);
    if (bucket.tryRemoveTokens(1)) return;
    const seconds = Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1000));
    const instead = kind === 'reads' ? 'read several files with one read_files' : 'put related edits into one call';
    throw new ToolError(
      'rate_limited',
      `You send more than ${rate.calls} calls of this kind per ${rate.per}.`,
      `Wait ${seconds} s, then call again, and ${instead}.`,
    );
  }

  /**
   * Waits for a slot and returns the function that gives it back. Principals with waiting calls take turns.
   * @throws ToolError `rate_limited` when too many calls of this principal already wait; `cancelled`
   */
  async slot(principal: Principal, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#waitForSlot(principalKey(principal), signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#release();
    };
  }

  #bucket(key: string, { burst, calls, per }: Rate): TokenBucket {
    const bucket =
      this.#buckets.get(key) ?? new TokenBucket({ bucketSize: burst, tokensPerInterval: calls, interval: per });
    if (!this.#buckets.has(key)) bucket.content = burst;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostPrincipals && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }

  async #waitForSlot(key: string, signal: AbortSignal): Promise<void> {
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#limits.queuedOfPrincipal) {
      throw new ToolError(
        'rate_limited',
        `${queue.length} of your calls are already waiting.`,
        'Wait for their results before you send more calls.',
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
    const [first] = this.#queues;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [key, queue] = first;
    // This principal goes to the end of the line.
    this.#queues.delete(key);
    const next = queue.shift();
    if (queue.length > 0) this.#queues.set(key, queue);
    next?.();
  }
}

/** The slot of one call. The call gives it back while it waits for the user. */
export class CallSlot {
  readonly #slot: () => Promise<() => void>;
  #release: (() => void) | undefined;
  #isWanted = false;
  #waits = 0;

  /** @param slot waits for a slot and returns the function that gives it back */
  constructor(slot: () => Promise<() => void>) {
    this.#slot = slot;
  }

  /** Waits until the call may run. Rejects as `slot` does. */
  async take(): Promise<void> {
    this.#isWanted = true;
    const release = await this.#slot();
    if (this.#isWanted && this.#waits === 0 && this.#release === undefined) this.#release = release;
    else release();
  }

  /** Waits without a slot. A call that waits for several answers takes a slot again after the last one. */
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

  /** Ends the use of slots by this call. */
  release(): void {
    this.#isWanted = false;
    this.#giveBack();
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
