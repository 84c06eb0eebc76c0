import { expect, test } from 'vitest';
import { raceAbort } from '#language/raceAbort.ts';

test('does not start the work when the signal is already aborted', async () => {
  let asked = 0;
  const question = async (): Promise<void> => {
    asked += 1;
    throw new Error('nobody would catch this');
  };
  const reason = new Error('left');
  await expect(raceAbort(question, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(asked).toBe(0);
});

test('ignores a failure of the work after the abort', async () => {
  const cancel = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const left = raceAbort(() => promise, cancel.signal);
  const reason = new Error('left');
  cancel.abort(reason);
  await expect(left).rejects.toBe(reason);
  // The run fails when nobody catches it.
  reject(new Error('too late'));
  await new Promise(setImmediate);
});
