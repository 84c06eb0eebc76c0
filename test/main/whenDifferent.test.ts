import { expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import { whenDifferent } from '#main/offerChanges.ts';

test('fires only when the value differs, from any source, until it is disposed', () => {
  const [one, two] = [new Emitter<void>(), new Emitter<void>()];
  let value = 'a';
  let told = 0;
  const changed = whenDifferent([one.event, two.event], () => value);
  changed.event(() => (told += 1));
  one.fire();
  expect(told).toBe(0);
  value = 'b';
  expect(told).toBe(0);
  two.fire();
  one.fire();
  expect(told).toBe(1);
  value = 'a';
  one.fire();
  expect(told).toBe(2);
  changed.dispose();
  value = 'c';
  one.fire();
  two.fire();
  expect(told).toBe(2);
});
