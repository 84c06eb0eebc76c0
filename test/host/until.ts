import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds that a host test waits for one thing. A machine that runs other programs is up to five times slower than a quiet one,
 * so the limit ends only what would never come.
 */
export const hostPatience = 180_000;

/**
 * Asks again and again until the answer is neither undefined, null nor false.
 * @param what what is waited for, for the error message
 * @param milliseconds how long it asks
 * @throws Error naming `what` and the last failure, also when one question gets no answer at all
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  what: string,
  milliseconds = hostPatience,
): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + milliseconds;
  let failure: unknown;
  for (;;) {
    try {
      const answer = await inTime(ask, end);
      if (isAnswer(answer)) return answer;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end) {
      throw new Error(
        `Waited ${milliseconds / 1000} s in vain for ${what}${failure instanceof Error ? `: ${firstLine(failure.message)}` : ''}`,
        failure === undefined ? {} : { cause: failure },
      );
    }
    await sleep(25);
  }
}

/** A page that is closed or hangs may leave a question open for ever: the error must name what the test waited for. */
async function inTime<T>(ask: () => T | Promise<T>, end: number): Promise<T> {
  const done = new AbortController();
  const limit = sleep(Math.max(end - Date.now(), 0), undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error('the last question got no answer');
  });
  limit.catch(() => undefined);
  try {
    return await Promise.race([ask(), limit]);
  } finally {
    done.abort();
  }
}

const firstLine = (text: string): string => text.split('\n', 1).join('');

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
  return answer !== undefined && answer !== null && answer !== false;
}
