import { expect, test } from 'vitest';
import { isSameIdentity } from '#policy/editor/folderIdentity.ts';

test('A21: a folder that was new when a rule was made is not the one that gets its inode', () => {
  expect(isSameIdentity('1:2:100?', '1:2:100')).toBe(true);
  expect(isSameIdentity('1:2:100?', '1:2:200')).toBe(false);
  expect(isSameIdentity('1:2:100', '1:2:200?')).toBe(false);
  expect(isSameIdentity('1:2:100', '1:2:200')).toBe(false);
  expect(isSameIdentity('1:2:100', '1:3:100')).toBe(false);
});

test('a folder stays itself where the file system knows no births', () => {
  expect(isSameIdentity('1:2:100?', '1:2:200?')).toBe(true);
  expect(isSameIdentity('1:2', '1:2')).toBe(true);
});
