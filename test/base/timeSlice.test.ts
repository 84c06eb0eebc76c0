import { afterEach, expect, it, vi } from 'vitest';
import { Turns } from '#base/timeSlice.ts';

afterEach(() => void vi.restoreAllMocks());

it('H16: work that takes long lets others have their turn', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const turns = new Turns();
  now.mockReturnValue(1010);
  expect(turns.isOver).toBe(false);
  now.mockReturnValue(1030);
  expect(turns.isOver).toBe(true);
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await turns.giveWay();
  expect(hadTurn).toBe(true);
  expect(turns.isOver).toBe(false);
});
