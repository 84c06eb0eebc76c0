import { expect, test } from 'vitest';
import { PageMemory } from '#ui/approvals/pageMemory.ts';
import { FakeMemento } from '../../fakes/memento.ts';

const draft = (id: string) => ({ id, draft: { message: `words for ${id}`, isOpen: true }, viewed: [1], comments: [] });

test('returns the drafts of a waiting request after a reload, also when the request is restored late', () => {
  const store = new FakeMemento();
  new PageMemory(store).remember(draft('a'));
  const again = new PageMemory(store);
  again.keep(new Set());
  again.keep(new Set(['a']));
  expect(again.of(['a'])).toEqual([draft('a')]);
});

test('forgets a request that is there no more, also for the time after a reload', () => {
  const store = new FakeMemento();
  const memory = new PageMemory(store);
  for (const id of ['a', 'b']) memory.remember(draft(id));
  memory.keep(new Set(['a', 'b']));
  memory.keep(new Set(['b']));
  expect(memory.of(['a', 'b'])).toEqual([draft('b')]);
  expect(new PageMemory(store).of(['a', 'b'])).toEqual([draft('b')]);
});

test('moves the drafts of a request to the one that took its place', () => {
  const store = new FakeMemento();
  const memory = new PageMemory(store);
  memory.remember(draft('a'));
  memory.move('a', 'b');
  expect(new PageMemory(store).of(['a', 'b'])).toEqual([{ ...draft('a'), id: 'b' }]);
});

test('begins empty when what was stored is of another shape', () => {
  const store = new FakeMemento();
  void store.update('review', [{ id: 1 }]);
  expect(new PageMemory(store).of(['1'])).toEqual([]);
});

test('stores the drafts of 100 requests at most, the newest', () => {
  const store = new FakeMemento();
  const memory = new PageMemory(store);
  for (let index = 0; index < 101; index += 1) memory.remember(draft(String(index)));
  const again = new PageMemory(store);
  expect(again.of(['0'])).toEqual([]);
  expect(again.of(['1', '100'])).toHaveLength(2);
});
