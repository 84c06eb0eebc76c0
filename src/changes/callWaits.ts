import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { Approval } from './approval.ts';
import type { Waiting } from './approver.ts';

const progressMilliseconds = 10_000;

/** What a call does when it stops waiting before the request has ended. Each returns what the call is answered. */
export interface Leaving<T> {
  /** The call has waited for as long as it may. */
  readonly returned: () => T;
  /** The caller cancelled the call. */
  readonly cancelled: () => T;
  /** Returns the message that the caller gets every ten seconds. */
  readonly message: () => string;
}

/** The calls that wait for an approval or a read, by its id. */
export class CallWaits<T> {
  readonly #clock: Clock;
  readonly #calls = new Map<string, Set<(answer: T) => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers every call that waits for this id. */
  answer(id: string, answer: T): void {
    const calls = this.#calls.get(id);
    for (const resolve of calls ?? []) resolve(answer);
    calls?.clear();
    this.#calls.delete(id);
  }

  /** Waits for the answer, for the caller's cancel, or until the call has to be answered. */
  async wait(id: string, { signal, waitMilliseconds, progress }: Waiting, leaving: Leaving<T>): Promise<T> {
    const answered = Promise.withResolvers<T>();
    const calls = this.#calls.get(id) ?? new Set();
    this.#calls.set(id, calls.add(answered.resolve));
    const leave = (answerOf: () => T): void => {
      if (calls.delete(answered.resolve)) answered.resolve(answerOf());
    };
    const cancel = (): void => leave(leaving.cancelled);
    const deadline = this.#clock.after(waitMilliseconds, () => leave(leaving.returned));
    let heartbeat: Subscription;
    const beat = (): Subscription =>
      this.#clock.after(progressMilliseconds, () => {
        progress(leaving.message());
        heartbeat = beat();
      });
    heartbeat = beat();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      deadline.dispose();
      heartbeat.dispose();
      if (calls.size === 0 && this.#calls.get(id) === calls) this.#calls.delete(id);
    }
  }
}

/** Returns the progress message for an assistant that waits for an approval. */
export function waitingMessage(approval: Approval, now: number): string {
  const { action, question, state, decidedAt, displayedAt, requestedAt } = approval;
  const seconds = (since: number): string => `${Math.round((now - since) / 1000)} s`;
  if (action !== undefined && state === 'applying') return `Being done for ${seconds(decidedAt ?? requestedAt)}`;
  const awaited = question === undefined ? 'approval' : 'answer';
  return displayedAt === undefined
    ? `Waiting for the user's ${awaited} for ${seconds(requestedAt)}; they have not seen it yet`
    : `Waiting for the user's ${awaited}, on their screen for ${seconds(displayedAt)}`;
}
