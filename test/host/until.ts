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
 * @throws Error naming `what` and the last failure
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
      const answer = await ask();
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

const firstLine = (text: string): string => text.split('\n', 1).join('');

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
  return answer !== undefined && answer !== null && answer !== false;
}
