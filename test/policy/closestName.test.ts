import { expect, it } from 'vitest';
import { closestName } from '#policy/ruleSchema.ts';

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

it('finds a known name of one letter for another letter, and nothing without known names', () => {
  expect(closestName('b', ['a'])).toBe('a');
  expect(closestName('b', [])).toBeUndefined();
});

it('H16: does not compare a name of more than 64 letters', () => {
  const long = 'a'.repeat(64);
  expect(closestName(long, [`${long.slice(1)}b`])).toBe(`${long.slice(1)}b`);
  expect(closestName(`${long}a`, [`${long}a`])).toBeUndefined();
});
