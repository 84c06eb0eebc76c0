import { expect, it } from 'vitest';
import { closestName } from '#policy/closestName.ts';

const names = ['read_file', 'apply_edit', 'paths'];

it.each([
  ['aply_edit', 'apply_edit'],
  ['READ_FILE', 'read_file'],
  ['raed_file', 'read_file'],
  ['pats', 'paths'],
  ['pahts', undefined],
  ['search', undefined],
  ['', undefined],
])('the name nearest to "%s" is %s', (written, expected) => {
  expect(closestName(written, names)).toBe(expected);
});

it('a known name of one letter is found by another letter, an unknown one is near to nothing', () => {
  expect(closestName('b', ['a'])).toBe('a');
  expect(closestName('b', [])).toBeUndefined();
});

it('H16: a name of a thousand letters is not even compared', () => {
  const long = 'a'.repeat(64);
  expect(closestName(long, [`${long.slice(1)}b`])).toBe(`${long.slice(1)}b`);
  expect(closestName(`${long}a`, [`${long}a`])).toBeUndefined();
});
