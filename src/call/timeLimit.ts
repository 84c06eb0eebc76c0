import type { Clock } from '#base/clock.ts';
import { ToolError } from '#base/toolError.ts';

/** Runs `work` until it ends, its caller cancels, or `seconds` are over; the signal it gets is aborted in both latter cases. */
export async function withTimeLimit<T>(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stopped = Promise.withResolvers<never>();
  // The race below may be won by the work itself; its loser must not surface as an unhandled rejection.
  stopped.promise.catch(() => undefined);
  const stop = (error: ToolError): void => {
    // The caller hears of the limit, not of what the aborted work makes of it.
    stopped.reject(error);
    limit.abort(error);
  };
  const cancel = (): void => stop(cancelled());
  const timer = clock.after(seconds * 1000, () =>
    stop(
      new ToolError(
        'timeout',
        `The call was stopped after its limit of ${seconds} s.`,
        'Narrow it down (a smaller path, a more specific pattern) and call again.',
      ),
    ),
  );
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([limit.signal.aborted ? stopped.promise : work(limit.signal), stopped.promise]);
  } finally {
    timer.dispose();
    signal.removeEventListener('abort', cancel);
  }
}

/** The caller does not want the answer any more. */
export function cancelled(): ToolError {
  return new ToolError('cancelled', 'The call was cancelled.', 'Call again if it is still needed.');
}
