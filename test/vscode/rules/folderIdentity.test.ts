import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { folderIdentity, isSameIdentity } from '../../../src/vscode/rules/folderIdentity.ts';

test('a folder is itself, and what is not there is nothing', () => {
  const identity = folderIdentity(tmpdir()) ?? '';
  expect(identity).toMatch(/^\d+:\d+(:\d+)?$/);
  expect(isSameIdentity(identity, identity)).toBe(true);
  expect(folderIdentity(`${tmpdir()}/not/there`)).toBeUndefined();
});

test.each([
  ['1:2:3', '1:2:3', true],
  ['1:2', '1:2:3', true],
  ['1:2:3', '1:2', true],
  ['1:2:3', '1:2:4', false],
  ['1:2:3', '1:3:3', false],
  ['1:2:3', '2:2:3', false],
])('%s and %s: %j', (one, other, same) => {
  expect(isSameIdentity(one, other)).toBe(same);
});
