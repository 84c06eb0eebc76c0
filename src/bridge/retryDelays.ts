/** How long after a window's stream broke it is opened again. */
export const firstRetryMilliseconds = 100;
const lastRetryMilliseconds = 2000;

/** The wait after one that was in vain. */
export function nextRetry(milliseconds: number): number {
  return Math.min(milliseconds * 2, lastRetryMilliseconds);
}
