import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arranged, type Arrangement, type Place } from '#ui/page/places.ts';

const quiet = {
  isOccupied: false,
  isFree: () => true,
  wasOpened: () => false,
} satisfies Partial<Arrangement>;

/** Writes places as text: `a b` are cards alone, `g:c,d` is a group. */
function written(places: readonly Place[]): string {
  return places.map(({ group, ids }) => (group === undefined ? ids.join() : `${group}:${ids.join()}`)).join(' ');
}

function read(text: string): Place[] {
  return text.split(' ').map((each) => {
    const [group, ids] = each.includes(':') ? each.split(':') : [undefined, each];
    return { group, ids: ids?.split(',') ?? [] };
  });
}

function arrange(before: string, waiting: string, groups: Record<string, string>, given: Partial<Arrangement> = {}) {
  return written(
    arranged(before === '' ? [] : read(before), {
      ...quiet,
      waiting: waiting.split(' '),
      groups: Object.entries(groups).map(([id, ids]) => ({ id, ids: ids.split(' ') })),
      ...given,
    }),
  );
}

describe('a group', () => {
  test('stands where the oldest of its cards stands', () => {
    expect(arrange('', 'a b c d', { g: 'b d' })).toBe('a g:b,d c');
  });

  test('is made of a card that stood alone and the cards that came after it', () => {
    expect(arrange('a b', 'a b c', { g: 'a c' })).toBe('g:a,c b');
    expect(arrange('a g:b,c', 'a b c d', { g: 'b c d' })).toBe('a g:b,c,d');
  });

  test('takes in no card once the user opened it', () => {
    expect(arrange('g:a,b', 'a b c', { g: 'a b c' }, { wasOpened: (id) => id === 'g' })).toBe('g:a,b c');
  });

  test('is dissolved when one card is left', () => {
    expect(arrange('g:a,b c', 'b c', {})).toBe('b c');
  });
});

describe('A17: a card that comes while the user is at the page', () => {
  const occupied = { isOccupied: true };

  test('joins only a group that stands last and is not in use', () => {
    expect(arrange('x a', 'x a b', { g: 'a b' }, occupied)).toBe('x g:a,b');
    expect(arrange('a x', 'a x b', { g: 'a b' }, occupied)).toBe('a x b');
    expect(arrange('x a', 'x a b', { g: 'a b' }, { ...occupied, isFree: () => false })).toBe('x a b');
  });

  test('forms a group at the end with other new cards', () => {
    expect(arrange('x', 'x a b', { g: 'a b' }, occupied)).toBe('x g:a,b');
  });

  test('moves no other card when cards come and go', () => {
    const card = fc.nat(11);
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(card), { minLength: 2, maxLength: 6 }),
        fc.func(fc.nat(2)),
        (steps, groupOf) => {
          let now: readonly Place[] = [];
          for (const [step, kept] of steps.entries()) {
            // Ids are never used again: a card that left does not come back.
            const waiting = [
              ...now.flatMap(({ ids }) => ids).filter((id) => kept.includes(Number(id.split('-')[1]))),
              ...kept.map((id) => `${step}-${id}`),
            ];
            const byGroup = Map.groupBy(waiting, (id) => `g${groupOf(id)}`);
            const groups = [...byGroup].flatMap(([id, ids]) => (ids.length > 1 ? [{ id, ids }] : []));
            const next = arranged(now, { ...quiet, isOccupied: true, isFree: () => false, waiting, groups });
            const order = next.flatMap(({ ids }) => ids);
            expect(order.toSorted()).toEqual(waiting.toSorted());
            const before = now.flatMap(({ ids }) => ids).filter((id) => order.includes(id));
            expect(order.slice(0, before.length)).toEqual(before);
            for (const { group, ids } of next) {
              expect(group === undefined ? ids.length === 1 : ids.length > 1).toBe(true);
            }
            now = next;
          }
        },
      ),
    );
  });
});
