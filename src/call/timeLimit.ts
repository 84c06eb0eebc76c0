import type { Clock } from '#base/clock.ts';
import { ToolError } from '#base/toolError.ts';

/**
 * Runs `work` until it ends, the caller cancels it, or the time limit is reached. In the latter two cases its signal is aborted.
 * @throws ToolError `cancelled`, `timeout`
 */
export async function withTimeLimit<T>(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stopped = Promise.withResolvers<never>();
  // When the work wins the race below, this rejection must not be unhandled.
  stopped.promise.catch(() => undefined);
  const stop = (error: ToolError): void => {
    // The caller gets this error, and not the one that the aborted work throws.
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

/** Returns the error of a call that its caller cancelled. */
export function cancelled(): ToolError {
  return new ToolError('cancelled', 'The call was cancelled.', 'Call again if it is still needed.');
}
