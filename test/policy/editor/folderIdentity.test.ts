import { expect, test } from 'vitest';
import { isSameIdentity } from '#policy/editor/folderIdentity.ts';

test('A21: tells a new folder from an older one with the same inode', () => {
  expect(isSameIdentity('1:2:100?', '1:2:100')).toBe(true);
  expect(isSameIdentity('1:2:100?', '1:2:200')).toBe(false);
  expect(isSameIdentity('1:2:100', '1:2:200?')).toBe(false);
  expect(isSameIdentity('1:2:100', '1:2:200')).toBe(false);
  expect(isSameIdentity('1:2:100', '1:3:100')).toBe(false);
});

test('recognises a folder when the file system has no birth times', () => {
  expect(isSameIdentity('1:2:100?', '1:2:200?')).toBe(true);
  expect(isSameIdentity('1:2', '1:2')).toBe(true);
});
