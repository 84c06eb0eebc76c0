import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { edits } from '#changes/editor/edits.ts';
import { EditsFixture, snapshot } from './editsFixture.ts';
import { applyAtOnce, openQueue } from './realQueue.ts';

let w: EditsFixture;

beforeEach(() => (w = new EditsFixture()));
afterEach(() => w.remove());

/** Starts an apply that has done nothing when the window ends. Returns its id. */
async function hang(changes: Parameters<typeof applyAtOnce>[1]): Promise<string> {
  const begun = Promise.withResolvers<void>();
  const apply = (): Promise<never> => {
    begun.resolve();
    return Promise.withResolvers<never>().promise;
  };
  const queue = openQueue(w.inside, join(w.root, 'state'), { edits: { ...edits, apply } });
  void applyAtOnce(queue, changes);
  await begun.promise;
  return queue.all[0]?.id ?? '';
}

/** A delete checks the entry once more after setting it aside; here the window ends before that check. */
it.each([
  ['is free', undefined],
  ['was taken again', 'newer'],
])('F14 keeps a file that was replaced right before it was set aside, when its name %s', async (_name, newer) => {
  w.put('a', 'a\n');
  w.put('b', 'b\n');
  const id = await hang([await w.edit('a', 'A\n'), await w.delete('b')]);
  writeFileSync(w.at('a'), 'A\n');
  writeFileSync(w.at('b'), 'mine\n');
  const aside = `.drawbridge-${id}-1-old-0123456789ab.tmp`;
  renameSync(w.at('b'), w.at(aside));
  if (newer !== undefined) w.put('b', newer);
  const queue = openQueue(w.inside, join(w.root, 'state'));
  await queue.restore();
  await queue.settled();
  expect(Object.values(snapshot(w.inside))).toContain('644 mine\n');
  if (newer === undefined) expect(w.text('b')).toBe('mine\n');
  else expect(w.text('b')).toBe(newer);
});

it('removes a file that was set aside when the history holds it and the rest was applied', async () => {
  w.put('a', 'a\n');
  w.put('b', 'b\n');
  const id = await hang([await w.edit('a', 'A\n'), await w.delete('b')]);
  writeFileSync(w.at('a'), 'A\n');
  renameSync(w.at('b'), w.at(`.drawbridge-${id}-1-old-0123456789ab.tmp`));
  const queue = openQueue(w.inside, join(w.root, 'state'));
  expect(await queue.restore()).toEqual([]);
  await queue.settled();
  expect(snapshot(w.inside)).toEqual({ a: '644 A\n' });
  expect(queue.get(id)).toMatchObject({ state: 'applied', canUndo: true });
});
