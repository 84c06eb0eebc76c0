import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { ChangeOutcome, Waiting } from './approver.ts';
import { waitingMessage, type Entry } from './requests.ts';
import { outcomeOf } from './outcome.ts';
import type { ApprovalStore } from './records.ts';

const progressMilliseconds = 10_000;

export interface OutcomeWaitDependencies {
  readonly clock: Clock;
  readonly store: ApprovalStore;
  /** The last call that waited was cancelled before it was answered. */
  readonly withdraw: (entry: Entry) => void;
}

/** Waits for the outcome, for the caller's cancel, or until the call has to be answered with `pending_approval`. */
export async function waitForOutcome(
  entry: Entry,
  { signal, waitMilliseconds, progress, attach }: Waiting,
  { clock, store, withdraw }: OutcomeWaitDependencies,
): Promise<ChangeOutcome> {
  const answered = Promise.withResolvers<ChangeOutcome>();
  entry.callers.add(answered.resolve);
  const cancel = (): void => {
    entry.callers.delete(answered.resolve);
    if (entry.callers.size === 0 && !entry.approval.callReturned) {
      if (entry.approval.state === 'waiting') withdraw(entry);
      entry.acting?.abort();
    }
    answered.resolve(outcomeOf(entry.approval));
  };
  const deadline = clock.after(waitMilliseconds, () => {
    if (!entry.approval.callReturned) {
      store.update(entry, { callReturned: true });
      store.write(entry);
    }
    answered.resolve(outcomeOf(entry.approval));
  });
  let heartbeat: Subscription;
  const beat = (): Subscription =>
    clock.after(progressMilliseconds, () => {
      progress(waitingMessage(entry.approval, clock.now()));
      heartbeat = beat();
    });
  heartbeat = beat();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const outcome = await answered.promise;
    for (const each of entry.media ?? []) attach?.(each);
    return outcome;
  } finally {
    signal.removeEventListener('abort', cancel);
    deadline.dispose();
    heartbeat.dispose();
    entry.callers.delete(answered.resolve);
  }
}
