import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { proposalHash, proposalHashOfKnown } from '#changes/proposalHash.ts';
import { create, edit, move, pathOf, remove } from './queueSetUp.ts';

function hashOf(...files: readonly FileChange[]): string {
  return proposalHash('apply_edit', { kind: 'changes', files });
}

const changed = edit('a', 'old\n', 'new\n');
const moved = move('a', 'b', 'text\n');
const removed = remove('a', 'text\n');

describe('A3: the proposal hash', () => {
  it('is the same for the same change in any order of files', () => {
    const all = [edit('b', 'x', 'y'), changed, create('c', 'z')];
    expect(hashOf(...all)).toBe(hashOf(...all.toReversed()));
    expect(hashOf(...all)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(changed)).toBe(hashOf(edit('a', 'old\n', 'new\n')));
  });

  it('is the same when texts were digested before', () => {
    const proposal = { kind: 'changes' as const, files: [changed, moved, removed, create('c', 'z')] };
    expect(proposalHashOfKnown('apply_edit', proposal)).toBe(proposalHash('apply_edit', proposal));
    expect(proposalHashOfKnown('apply_edit', proposal)).toBe(proposalHash('apply_edit', proposal));
  });

  it.each<[string, FileChange, FileChange]>([
    ['the text that is written', changed, edit('a', 'old\n', 'new')],
    ['the text that is replaced', changed, edit('a', 'older\n', 'new\n')],
    ['the encoding', changed, { ...changed, result: { ...changed.result, encoding: 'utf16le' } }],
    ['whether the base is unsaved text', changed, { ...changed, base: { ...changed.base, source: 'buffer' } }],
    ['the real path', changed, { ...changed, path: { ...pathOf('a'), realPath: '/w/b' } }],
    ['the kind of change', changed, create('a', 'new\n')],
    ['the text of a new file', create('a', 'x'), create('a', 'y')],
    ['the target of a move', moved, move('a', 'c', 'text\n')],
    ['the spelling of the new name', moved, { ...moved, to: { ...moved.to, fsPath: '/w/B' } }],
    ['the bytes of a moved file', moved, move('a', 'b', 'other\n')],
    ['a file of a moved folder', { ...moved, isFolder: true }, { ...moved, isFolder: true, files: [] }],
    ['whether a folder is moved', moved, { ...moved, isFolder: true }],
    ['the bytes of a deleted file', removed, remove('a', 'other\n')],
    ['whether a delete goes to the trash', removed, { ...removed, toTrash: true }],
    ['whether a folder is deleted', removed, { ...removed, isFolder: true }],
  ])('differs when this differs: %s', (_, one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other));
  });

  it('differs for another tool, and for one more file', () => {
    const proposal = { kind: 'changes' as const, files: [changed] };
    expect(proposalHash('apply_edit', proposal)).not.toBe(proposalHash('edit_symbol', proposal));
    expect(hashOf(changed)).not.toBe(hashOf(changed, create('c', 'z')));
  });

  it('ignores how the proposal is displayed', () => {
    expect(hashOf({ ...changed, path: { ...pathOf('a'), path: 'another/label' } })).toBe(hashOf(changed));
    expect(hashOf({ ...removed, recovery: 'committed' })).toBe(hashOf(removed));
  });
});
