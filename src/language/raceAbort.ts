/**
 * What was asked of a language service cannot be taken back, only left: rejects with the signal's reason. Nothing is asked when
 * nobody waits any more: what fails then would be nobody's.
 */
export async function raceAbort<T>(work: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const leave = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
