import { describe, expect, test } from 'vitest';
import type { ApprovedFile } from '#base/nativeEdit.ts';
import { opencodePatch, pathsInPatch } from '#connect/hooks/opencodePatch.ts';

const edited = (before: string, after: string): ApprovedFile => ({
  path: '/w/a.ts',
  change: 'edit',
  texts: { before, after },
  isChanged: false,
});
/** Returns the lines between the header of the only file and the end. */
const hunk = (before: string, after: string): readonly string[] =>
  opencodePatch([edited(before, after)])
    .split('\n')
    .slice(3, -1);

describe('the patch for opencode', () => {
  test('adds, changes and deletes files', () => {
    const files: readonly ApprovedFile[] = [
      { path: '/w/n.ts', change: 'create', texts: { before: '', after: 'new\n' }, isChanged: false },
      edited('one\ntwo\n', 'one\nTWO\n'),
      { path: '/w/c.ts', change: 'delete', texts: { before: 'gone\n', after: '' }, isChanged: false },
    ];
    expect(opencodePatch(files).split('\n')).toEqual([
      '*** Begin Patch',
      '*** Add File: /w/n.ts',
      '+new',
      '+',
      '*** Update File: /w/a.ts',
      '@@',
      '-two',
      '+TWO',
      '*** Delete File: /w/c.ts',
      '*** End Patch',
    ]);
  });

  test('begins with as many lines before the change as make its place unique', () => {
    expect(hunk('x\na\nx\nb\nx\n', 'x\na\nx\nb\nX\n')).toEqual([' b', '-x', '+X']);
  });

  test('names the line before an insertion, or the line after one at the start of the file', () => {
    expect(hunk('a\nb\n', 'a\nnew\nb\n')).toEqual([' a', '+new']);
    expect(hunk('a\nb\n', 'new\na\nb\n')).toEqual(['-a', '+new', '+a']);
    expect(hunk('', 'new\n')).toEqual(['+new']);
  });

  test('keeps empty lines at the end of a text', () => {
    expect(hunk('a\nb\n\n', 'A\nb\n\n')).toEqual(['-a', '-b', '-', '+A', '+b', '+', '+']);
  });

  test('keeps the line ends of a text', () => {
    expect(hunk('a\r\nb\n', 'a\r\nB\r\n')).toEqual(['-b', '+B\r']);
  });

  test('has no line of context that opencode would read as the end of the patch', () => {
    expect(hunk('x\n*** End Patch\nx\n', 'x\n*** End Patch\nX\n')).toEqual([
      '-*** End Patch',
      '+*** End Patch',
      '-x',
      '+X',
    ]);
  });

  test('names the same paths that opencode reads in it', () => {
    const lines = ['*** Add File:  a b.ts \r', '*** Update File: c.ts', '*** Move to: d.ts', '+*** Delete File: no.ts'];
    expect(pathsInPatch([...lines, '*** Delete File: e\u2028f.ts', '*** Add File:'].join('\n'))).toEqual([
      'a b.ts',
      'c.ts',
      'd.ts',
      'e\u2028f.ts',
    ]);
  });
});
