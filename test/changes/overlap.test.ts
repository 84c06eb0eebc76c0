import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { overlap, sharePath } from '#changes/overlap.ts';
import { reviewedChanges } from '#changes/selection.ts';
import { create, edit, move, remove } from './queueSetUp.ts';

function proposal(...files: readonly FileChange[]) {
  return { kind: 'changes' as const, files };
}

function meet(one: FileChange, other: FileChange): boolean {
  const reviewed = (change: FileChange) => reviewedChanges(proposal(change), []);
  const answers = [overlap(reviewed(one), reviewed(other)), overlap(reviewed(other), reviewed(one))];
  expect(answers[0]).toBe(answers[1]);
  return answers[0] === true;
}

const base = 'a\nb\nc\nd\n';

describe('overlapping proposals', () => {
  it.each<[string, FileChange, FileChange]>([
    ['one line', edit('f', base, 'X\nb\nc\nd\n'), edit('f', base, 'Y\nb\nc\nd\n')],
    ['lines within the lines of the other', edit('f', base, 'X\nd\n'), edit('f', base, 'a\nY\nc\nd\n')],
    ['the place where both insert', edit('f', base, 'a\nX\nb\nc\nd\n'), edit('f', base, 'a\nY\nb\nc\nd\n')],
    ['a file that one of them deletes', edit('f', base, 'X\n'), remove('f', base)],
    ['base texts that differ', edit('f', base, 'X\nb\nc\nd\n'), edit('f', 'a\nb\nc\ne\n', 'a\nb\nc\nY\n')],
    ['a file that one of them moves away', edit('f', base, 'X\n'), move('f', 'g', base)],
    ['the path that one of them moves a file to', create('g', 'x'), move('f', 'g', base)],
    ['a file in a folder that one of them deletes', edit('d/e/f', base, 'X\n'), remove('d', base)],
  ])('are found for %s', (_, one, other) => {
    expect(meet(one, other)).toBe(true);
    expect(sharePath(proposal(one), proposal(other))).toBe(true);
  });

  it.each<[string, FileChange, FileChange]>([
    ['lines beside each other', edit('f', base, 'X\nb\nc\nd\n'), edit('f', base, 'a\nY\nc\nd\n')],
    ['lines far from each other', edit('f', base, 'X\nb\nc\nd\n'), edit('f', base, 'a\nb\nc\nY\n')],
  ])('are not found for %s', (_, one, other) => {
    expect(meet(one, other)).toBe(false);
    expect(sharePath(proposal(one), proposal(other))).toBe(true);
  });

  it('are not found among unrelated files, even when a name begins alike', () => {
    expect(meet(edit('f', base, 'X\n'), edit('g', base, 'X\n'))).toBe(false);
    expect(meet(edit('dir2/f', base, 'X\n'), remove('dir', base))).toBe(false);
    expect(sharePath(proposal(edit('f', base, 'X\n')), proposal(edit('fg', base, 'X\n')))).toBe(false);
    expect(sharePath(proposal(), proposal(edit('f', base, 'X\n')))).toBe(false);
  });

  it('are found for each of two changes of one file in a proposal', () => {
    const two = proposal(move('f', 'g', base), edit('f', base, 'X\n'));
    expect(sharePath(two, proposal(create('g', 'x')))).toBe(true);
    expect(sharePath(proposal(remove('d/f', base), remove('d', base)), proposal(create('d/f', 'x')))).toBe(true);
  });

  it('P7: are found in folders that are spelled with backslashes', () => {
    const inFolder = (realPath: string): FileChange => {
      const change = remove('x', base);
      return { ...change, path: { ...change.path, realPath } };
    };
    expect(meet(inFolder('c:\\w\\d'), inFolder('c:\\w\\d\\f'))).toBe(true);
    expect(meet(inFolder('c:\\w\\d'), inFolder('c:\\w\\e'))).toBe(false);
  });
});
