import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { subjectOfCall, subjectOfProposal, type Subject } from '#policy/subject.ts';
import { at, createOf, deleteOf, editOf, moveOf, proposalOf } from './changes.ts';

const pathRules = { home: '/home/u', privateFolders: [] };

function subjectOf(...files: readonly FileChange[]): Subject {
  return subjectOfProposal(proposalOf(...files), 'edit', pathRules);
}

function targetsOf(...files: readonly FileChange[]): readonly string[] {
  return subjectOf(...files).targets.map(({ class: kind, place }) => `${kind} ${place.fsPath}`);
}

describe('the changed lines of a proposal', () => {
  it.each([
    ['nothing', 'x', 'x', 0],
    ['a line in the middle', 'a\nb\nc', 'a\nX\nc', 2],
    ['the first line', 'a\nb\nc\nd', 'X\nb\nc\nd', 2],
    ['the last line', 'a\nb\nc\nd', 'a\nb\nc\nX', 2],
    ['an insertion at the end', 'a\nb', 'a\nb\nc', 1],
    ['an insertion at the start', 'b', 'a\nb', 1],
    ['one more of equal lines', 'a\na', 'a\na\na', 1],
    ['one less of equal lines', 'a\na\na', 'a\na', 1],
    ['two lines by one', 'a\nb\nc\nd', 'a\nX\nd', 3],
    ['everything', 'a\nb\nc', 'x\ny', 5],
  ])('of %s are counted on both sides', (_, base, result, lines) => {
    expect(subjectOf(editOf(at('a'), base, result)).changedLines).toBe(lines);
  });

  it('are the sum over all its files, and none for a move', () => {
    expect(subjectOf(editOf(at('a'), 'a', 'b'), editOf(at('b'), 'a\nb', 'a\nc')).changedLines).toBe(4);
    expect(subjectOf(moveOf(at('a'), at('b')), editOf(at('c'), 'a', 'b')).changedLines).toBe(2);
  });
});

describe('the targets of a proposal', () => {
  it('P15 contain a delete of the source and an edit of the destination for each moved file', () => {
    expect(targetsOf(moveOf(at('a'), at('b')))).toEqual(['delete /w/a', 'edit /w/b']);
    expect(targetsOf(moveOf(at('a'), at('b'), ['x', 'y']))).toEqual([
      'delete /w/a',
      'delete /w/a/x',
      'delete /w/a/y',
      'edit /w/b',
      'edit /w/b/x',
      'edit /w/b/y',
    ]);
  });

  it('contain an edit for an edit, a delete for a delete, and both when a file is emptied', () => {
    expect(targetsOf(editOf(at('a')), createOf(at('b')))).toEqual(['edit /w/a', 'edit /w/b']);
    expect(targetsOf(deleteOf(at('a')))).toEqual(['delete /w/a']);
    expect(targetsOf(editOf(at('a'), 'one\ntwo', ''))).toEqual(['edit /w/a', 'delete /w/a']);
  });

  it('contain class config only for the protected files of a change', () => {
    expect(targetsOf(editOf(at('.vscode/tasks.json')), editOf(at('a')))).toEqual([
      'edit /w/.vscode/tasks.json',
      'config /w/.vscode/tasks.json',
      'edit /w/a',
    ]);
  });

  it('have the class of the worst change, except for tools whose class is not a change of files', () => {
    const deletion = proposalOf(deleteOf(at('a')));
    expect(subjectOfProposal(deletion, 'edit', pathRules).risk).toBe('delete');
    expect(subjectOfProposal(proposalOf(editOf(at('a'))), 'delete', pathRules).risk).toBe('delete');
    expect(subjectOfProposal(deletion, 'execute', pathRules).risk).toBe('execute');
  });
});

describe('the files that a proposal deletes', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.ts`);
  const committed = (count: number) => deleteOf(at('old'), names(count), 'committed');

  it('can be brought back when a commit holds every one of them', () => {
    expect(subjectOf(committed(2), deleteOf(at('a'), [], 'committed'))).toMatchObject({ recoverable: true });
    expect(subjectOf(committed(2), deleteOf(at('a'), [], 'not_committed'))).toMatchObject({
      recoverable: false,
      deletedFiles: 3,
      confirmCount: 3,
    });
  });

  it('need a confirm count and a once-only answer when there are more than 20', () => {
    expect(subjectOf(committed(20))).toEqual(expect.not.objectContaining({ confirmCount: 20 }));
    expect(subjectOf(committed(20)).onceOnly).toBeUndefined();
    expect(subjectOf(committed(21))).toMatchObject({ confirmCount: 21, onceOnly: expect.any(String) });
    expect(subjectOf(committed(15), committed(6))).toMatchObject({ confirmCount: 21 });
  });

  it('need a once-only answer when one of several changes loses content', () => {
    expect(subjectOf(editOf(at('b')), deleteOf(at('a'))).onceOnly).toContain('version control');
    expect(subjectOf(editOf(at('b')), editOf(at('a'), 'x\ny', '')).onceOnly).toContain('takes most of it out');
    expect(subjectOf(editOf(at('b')), editOf(at('a')))).not.toHaveProperty('onceOnly');
  });
});

it('reports no deleted and no recoverable files for a call', () => {
  const call = subjectOfCall('delete', [at('a'), at('Makefile')], pathRules);
  expect(call).toMatchObject({ deletedFiles: 0, recoverable: false, files: 2, changedLines: 0 });
  expect(call.protectedBy).toEqual([undefined, '**/makefile']);
});
