import { describe, expect, it } from 'vitest';
import { addressAfter, realMovesOf } from '#changes/moves.ts';
import { edit, move } from './queueSetUp.ts';

describe('an address after moves', () => {
  const moves = [
    { from: '/w/a', to: '/w/b' },
    { from: 'C:\\w\\old', to: 'C:\\w\\new' },
  ];

  it.each([
    ['follows the moved entry itself', '/w/a', '/w/b'],
    ['follows an entry of a moved folder', '/w/a/x/y.ts', '/w/b/x/y.ts'],
    ['follows an entry of a moved folder on Windows', 'C:\\w\\old\\x.ts', 'C:\\w\\new\\x.ts'],
    ['keeps a name with the same beginning', '/w/ab', '/w/ab'],
    ['keeps an entry of a folder whose name has the same beginning', '/w/ab/c', '/w/ab/c'],
    ['keeps an entry as deep in another folder', '/v/c/x', '/v/c/x'],
    ['keeps a path with the same end', '/v/w/a', '/v/w/a'],
    ['keeps the parent folder', '/w', '/w'],
  ])('%s', (_name, address, expected) => {
    expect(addressAfter(address, moves)).toBe(expected);
  });
});

it('returns only the moves of a proposal', () => {
  const files = [edit('c', 'old\n', 'new\n'), move('a', 'b', 'old\n')];
  expect(realMovesOf({ files })).toEqual([{ from: '/w/a', to: '/w/b' }]);
});
