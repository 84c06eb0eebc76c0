import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

const intervalMilliseconds = 1000;

export interface ProgressReporter extends Subscription {
  /** What the work is at; only the newest message of a second is sent. */
  report(message: string): void;
}

/** Tells the caller once a second that the work goes on, from its first second on. */
export function startProgress(
  clock: Clock,
  send: ((message: string) => void) | undefined,
  title: string,
): ProgressReporter {
  if (send === undefined) return { report: () => undefined, dispose: () => undefined };
  let latest = title;
  const tick = (): Subscription =>
    clock.after(intervalMilliseconds, () => {
      send(latest);
      timer = tick();
    });
  let timer = tick();
  return {
    report: (message) => void (latest = message),
    dispose: () => timer.dispose(),
  };
}
