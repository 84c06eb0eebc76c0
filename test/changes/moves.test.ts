import { describe, expect, it } from 'vitest';
import { addressAfter, realMovesOf } from '#changes/moves.ts';
import { edit, move } from './queueSetUp.ts';

describe('where something is after moves', () => {
  const moves = [
    { from: '/w/a', to: '/w/b' },
    { from: 'C:\\w\\old', to: 'C:\\w\\new' },
  ];

  it.each([
    ['the moved entry itself', '/w/a', '/w/b'],
    ['what lies in a moved folder', '/w/a/x/y.ts', '/w/b/x/y.ts'],
    ['what lies in a moved folder of Windows', 'C:\\w\\old\\x.ts', 'C:\\w\\new\\x.ts'],
    ['a name that begins alike', '/w/ab', '/w/ab'],
    ['what lies in a folder whose name begins alike', '/w/ab/c', '/w/ab/c'],
    ['what lies as deep in another folder', '/v/c/x', '/v/c/x'],
    ['what ends alike', '/v/w/a', '/v/w/a'],
    ['the folder around it', '/w', '/w'],
  ])('%s', (_name, address, expected) => {
    expect(addressAfter(address, moves)).toBe(expected);
  });
});

it('the moves of a proposal, and nothing else of it', () => {
  const files = [edit('c', 'old\n', 'new\n'), move('a', 'b', 'old\n')];
  expect(realMovesOf({ files })).toEqual([{ from: '/w/a', to: '/w/b' }]);
});
