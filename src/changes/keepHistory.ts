import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { FileHistory } from './fileHistory.ts';
import { shippedRetention } from './historyRetention.ts';

export interface KeepHistoryOptions {
  readonly history: Pick<FileHistory, 'sweep'>;
  readonly clock: Clock;
  /** Read each time, so that a changed setting counts. */
  readonly maxMegabytes: () => number;
  readonly onError: (error: unknown) => void;
}

const [afterStart, daily] = [60_000, 24 * 60 * 60_000];

/** Sweeps the history a minute after the start and once a day; nothing waits for it. */
export function keepHistory({ history, clock, maxMegabytes, onError }: KeepHistoryOptions): Subscription {
  let timer: Subscription;
  const sweep = (): void => {
    timer = clock.after(daily, sweep);
    history.sweep(clock.now(), { ...shippedRetention, bytes: maxMegabytes() * 1024 * 1024 }).catch(onError);
  };
  timer = clock.after(afterStart, sweep);
  return { dispose: () => timer.dispose() };
}
