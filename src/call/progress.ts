import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';

const intervalMilliseconds = 1000;

export interface ProgressReporter extends Subscription {
  /** Sets the message that is sent next. */
  report(message: string): void;
}

/** Sends the newest message to the caller once a second, until disposed. The first message is the title of the tool. */
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
