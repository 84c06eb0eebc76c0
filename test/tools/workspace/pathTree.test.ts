import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaths } from '#base/pathOrder.ts';
import { mostLines, pathTree, type ListedPath } from '#tools/workspace/pathTree.ts';

const segment = fc.constantFrom('a', 'b', 'ab', 'a.ts', 'a-b', ' c', 'long-name');
const sorted: fc.Arbitrary<readonly ListedPath[]> = fc
  .uniqueArray(
    fc.record({
      path: fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/')),
      isDirectory: fc.boolean(),
      facts: fc.constantFrom('', '\t12'),
    }),
    { selector: ({ path }) => path, maxLength: 20 },
  )
  .map((listed) => listed.toSorted((one, other) => comparePaths(one.path, other.path)));

/** Returns every path that a reader joins from the lines; a folder ends in a slash. */
function pathsIn(lines: readonly string[]): readonly string[] {
  const folders: string[] = [];
  return lines.map((line) => {
    const depth = line.length - line.trimStart().length - (/^\t* /.test(line) ? 1 : 0);
    const path = (folders[depth - 1] ?? '') + (line.slice(depth).split('\t')[0] ?? '');
    folders[depth] = path;
    return path;
  });
}

describe('pathTree', () => {
  it('writes each folder once', () => {
    const listed = [
      'index.ts',
      'src/a.ts',
      'src/b.ts',
      'src/deep/down/c.ts',
      'src/z/d.ts',
      'src/z/e.ts',
      'test/f.ts',
    ].map((path) => ({ path, isDirectory: false, facts: '' }));
    expect(pathTree(listed)).toEqual([
      'index.ts',
      'src/',
      '\ta.ts',
      '\tb.ts',
      '\tdeep/down/c.ts',
      '\tz/',
      '\t\td.ts',
      '\t\te.ts',
      'test/f.ts',
    ]);
  });

  it('loses and invents no path, and is no longer than mostLines estimates', () => {
    fc.assert(
      fc.property(sorted, (listed) => {
        const lines = pathTree(listed);
        const said = pathsIn(lines);
        const names = listed.map(({ path, isDirectory }) => (isDirectory ? `${path}/` : path));
        expect(said.filter((path) => names.includes(path))).toEqual(names);
        const folders = said.filter((path) => !names.includes(path));
        expect(folders.filter((folder) => !names.some((name) => name.startsWith(folder)))).toEqual([]);
        const most = listed.map((each, at) => mostLines(each, listed[at - 1])).join('\n');
        expect(lines.join('\n').length).toBeLessThanOrEqual(most.length);
      }),
      { numRuns: 1000 },
    );
  });
});
