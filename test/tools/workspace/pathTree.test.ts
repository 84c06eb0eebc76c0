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

/** Every path that the lines say, as a reader joins them: those that end in a slash are folders. */
function pathsIn(lines: readonly string[]): readonly string[] {
  const folders: string[] = [];
  return lines.map((line) => {
    const depth = line.length - line.trimStart().length - (/^\t* /.test(line) ? 1 : 0);
    const path = (folders[depth - 1] ?? '') + (line.slice(depth).split('\t')[0] ?? '');
    folders[depth] = path;
    return path;
  });
}

describe('paths as a tree', () => {
  it('says each folder once', () => {
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

  it('loses no path and makes up none, and is no longer than it was taken for', () => {
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
