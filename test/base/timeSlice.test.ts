import { afterEach, expect, it, vi } from 'vitest';
import { TimeSlice } from '#base/timeSlice.ts';

afterEach(() => void vi.restoreAllMocks());

it('H16: yields to the event loop when a time slice is used up', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const timeSlice = new TimeSlice();
  now.mockReturnValue(1010);
  expect(timeSlice.isUsedUp).toBe(false);
  now.mockReturnValue(1030);
  expect(timeSlice.isUsedUp).toBe(true);
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await timeSlice.yieldToEventLoop();
  expect(hadTurn).toBe(true);
  expect(timeSlice.isUsedUp).toBe(false);
});
