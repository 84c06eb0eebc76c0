/**
 * Runs work and rejects with the signal's reason as soon as the signal is aborted. The work itself goes on, since a request to
 * a language service cannot be cancelled. With an aborted signal the work never starts, so that its failure cannot go unhandled.
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
