import { expect, it } from 'vitest';
import { edit, judged, setUp, settled } from './queueSetUp.ts';

const files = [edit('a', 'old\n', 'new\n')];

it('F16 a card that was declined while the disk was full is not asked again after a reload', async () => {
  const t = setUp();
  void t.ask(files);
  await settled();
  t.history.failure = new Error('disk full');
  t.clock.advance(25_000);
  await settled();
  t.history.failure = undefined;
  t.show();
  expect(t.queue.decline(t.only().id)).toBe('accepted');
  await t.queue.settled();
  const again = await t.reload();
  expect(again.only()).toMatchObject({ state: 'declined' });
});

it('F16 an undo is tried again when its record could not be written the first time', async () => {
  const t = setUp();
  await t.ask(files, { judgement: judged({ effect: 'allow' }) });
  await t.queue.settled();
  const { id } = t.only();
  t.history.failure = new Error('disk full');
  expect(await t.queue.undo(id)).toMatchObject({ status: 'failed' });
  t.history.failure = undefined;
  await t.queue.settled();
  expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
  await t.queue.settled();
  expect(JSON.parse(t.history.kept.get(id) ?? '')).toMatchObject({ approval: { state: 'undone' } });
});
