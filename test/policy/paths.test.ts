import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { folderContaining, parseAddress, pathOf, relativeTo, uriOf } from '#policy/paths.ts';
import { folderAt } from '../fakes/workspace.ts';
import corpus from './pathCorpus.json' with { type: 'json' };

const single = [folderAt(corpus.folder)];

function codeOf(address: string, folders = single): string {
  try {
    parseAddress(address, folders);
    return 'accepted';
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

/** Returns the paths that an address may mean; none when it is refused. */
function acceptedPaths(address: string): readonly string[] {
  try {
    return parseAddress(address, single).map(({ fsPath }) => fsPath);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

describe('an address', () => {
  it.each(corpus.accepted)('$row $address is accepted as a place in the folder', ({ address, relative }) => {
    const candidates = parseAddress(address, single);
    expect(candidates).toHaveLength(1);
    expect(candidates[0]?.relative).toBe(relative);
    expect(candidates[0]?.fsPath).toBe(relative === '' ? corpus.folder : `${corpus.folder}/${relative}`);
  });

  it.each(corpus.refused)('$row $address is refused as $code', ({ address, code }) => {
    expect(codeOf(address)).toBe(code);
  });

  it('A5 is refused when it holds half a surrogate pair', () => {
    expect(codeOf('a\ud800.ts')).toBe('unsafe_path');
  });

  it('P2 is shown with invisible characters escaped in the refusal', () => {
    expect(() => parseAddress('a\u202eb', single)).toThrow('<U+202E>');
  });

  it('P2 is refused with a message that names the back-slash', () => {
    expect(() => parseAddress('src/..\\..\\x', single)).toThrow('backslash');
  });

  it('P9 is not trimmed: a sibling folder whose name ends in a space is outside', () => {
    expect(codeOf('/tmp/W /x', [folderAt('/tmp/W')])).toBe('outside_workspace');
    expect(codeOf('"/tmp/W/x"', [folderAt('/tmp/W')])).toBe('accepted');
    expect(parseAddress('"x"', [folderAt('/tmp/W')])[0]?.relative).toBe('"x"');
    expect(parseAddress('/tmp/W /x', [folderAt('/tmp/W ')])[0]?.relative).toBe('x');
  });

  it('is refused when the window has no folder', () => {
    expect(codeOf('a', [])).toBe('workspace_unavailable');
  });

  it('never leads out of its folder, whatever its text', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      'a',
      'src',
      '',
      '%2e%2e',
      '\\',
      '\\..',
      ' ',
      'proj',
      'proj-evil',
      '/',
      ':',
      '~',
    );
    const address = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(
        fc.oneof(
          address,
          address.map((path) => `/home/u/proj/${path}`),
        ),
        (text) => {
          for (const fsPath of acceptedPaths(text)) {
            expect(relativeTo(corpus.folder, fsPath)).toBeDefined();
            expect(fsPath).not.toContain('/../');
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('a window with several folders', () => {
  const app = folderAt('/r/app');
  const lib = folderAt('/r/lib');
  const folders = [app, lib];

  it('reads the first segment as a folder label, which may be left out', () => {
    expect(parseAddress('lib/x.ts', folders).map(({ fsPath }) => fsPath)).toEqual([
      '/r/lib/x.ts',
      '/r/app/lib/x.ts',
      '/r/lib/lib/x.ts',
    ]);
    expect(parseAddress('x.ts', folders).map(({ fsPath }) => fsPath)).toEqual(['/r/app/x.ts', '/r/lib/x.ts']);
    expect(parseAddress('/r/lib/x.ts', folders).map(({ fsPath }) => fsPath)).toEqual(['/r/lib/x.ts']);
  });

  it('P1 refuses a path that leaves the folder after its label', () => {
    expect(codeOf('app/../lib/x', folders)).toBe('outside_workspace');
    expect(codeOf('app/../../x', folders)).toBe('outside_workspace');
  });

  it('P18 finds the innermost folder of a file', () => {
    const nested = [folderAt('/r'), folderAt('/r/app')];
    expect(folderContaining('/r/app/x', nested)?.folder.fsPath).toBe('/r/app');
    expect(folderContaining('/r/apple', nested)?.folder.fsPath).toBe('/r');
    expect(folderContaining('/other', nested)).toBeUndefined();
  });

  it('gives every place a path that is read back as this place first', () => {
    const twins = [
      folderAt('/r/one/app'),
      folderAt('/r/two/app'),
      folderAt('/s/two/app'),
      folderAt('/x', { name: 'a / b' }),
    ];
    for (const folder of twins) {
      for (const relative of ['', 'src/a.ts', 'app', 'app (two 1)/x']) {
        const path = pathOf({ folder, relative }, twins);
        expect(parseAddress(path, twins)[0], path).toMatchObject({ folder, relative });
        expect(parseAddress(uriOf({ folder, relative }), twins)[0], path).toMatchObject({ folder, relative });
      }
    }
  });
});

describe('a work tree that the window only guards', () => {
  const tree = folderAt('/t/x', { name: 'worktree x', worktree: { of: '/w' } });
  const twin = folderAt('/u/x', { name: 'worktree x', worktree: { of: '/w' } });
  const relative = 'src/a.ts';

  it('changes the path of no other place', () => {
    const [folder, namesake] = [folderAt('/w'), folderAt('/n', { name: 'worktree x' })];
    expect(pathOf({ folder, relative }, [folder, tree])).toBe('src/a.ts');
    expect(pathOf({ folder: namesake, relative }, [folder, namesake, tree])).toBe('worktree x/src/a.ts');
    expect(parseAddress('src/a.ts', [folder, tree])).toHaveLength(1);
  });

  it('names its places by its label, and is addressed by absolute paths only', () => {
    const folder = folderAt('/w');
    expect(pathOf({ folder: tree, relative }, [folder, tree])).toBe('worktree x/src/a.ts');
    expect(pathOf({ folder: tree, relative }, [folder, tree, twin])).toBe('worktree x (t)/src/a.ts');
    expect(parseAddress('/t/x/src/a.ts', [folder, tree])).toMatchObject([{ folder: tree, relative }]);
    expect(parseAddress('worktree x/src/a.ts', [folder, tree])).toMatchObject([{ fsPath: '/w/worktree x/src/a.ts' }]);
  });

  it('is no folder without one that the window has open', () => {
    expect(codeOf('/t/x/a', [tree])).toBe('workspace_unavailable');
  });
});

describe('Windows paths', () => {
  const folders = [folderAt('c:\\proj'), folderAt('\\\\host\\share\\proj')];
  const [local] = folders;
  const onlyLocal = local === undefined ? [] : [local];

  it('P7 fold case and take back-slashes as separators', () => {
    expect(parseAddress('C:\\PROJ\\src\\a.ts', onlyLocal)[0]).toMatchObject({
      relative: 'src/a.ts',
      fsPath: 'c:\\proj\\src\\a.ts',
    });
    expect(parseAddress('src\\a.ts', onlyLocal)[0]).toMatchObject({ relative: 'src/a.ts' });
    expect(parseAddress('file:///c%3A/proj/a.ts', onlyLocal)[0]).toMatchObject({ relative: 'a.ts' });
  });

  it('P7 are refused when they are network paths outside a folder of the window', () => {
    expect(parseAddress('\\\\host\\share\\proj\\a.ts', folders)[0]).toMatchObject({ relative: 'a.ts' });
    expect(parseAddress('file://host/share/proj/a.ts', folders)[0]).toMatchObject({ relative: 'a.ts' });
    expect(codeOf('\\\\host\\share\\proj-evil\\a.ts', folders)).toBe('unsafe_path');
    expect(codeOf('\\\\?\\UNC\\host\\share\\proj\\a.ts', folders)).toBe('unsafe_path');
  });

  it('P7 are refused when a percent sign hides a back-slash', () => {
    expect(codeOf('file:///c:/proj/src%5Ca.ts', onlyLocal)).toBe('unsafe_path');
    expect(codeOf('file:///c:/proj/src%5ca.ts', onlyLocal)).toBe('unsafe_path');
  });

  it.each(['aux.c', 'c:x', 'src\\..\\..\\x', 'con .txt', 'd:\\proj\\..\\x'])('P7 %s is refused', (address) => {
    expect(codeOf(address, onlyLocal)).not.toBe('accepted');
  });
});

it('spells a URI as the editor spells it', () => {
  const folder = folderAt('/w');
  expect(uriOf({ folder, relative: "a b/(x)'!*#?.ts" })).toBe('file:///w/a%20b/%28x%29%27%21%2A%23%3F.ts');
  expect(uriOf({ folder, relative: 'é.ts' })).toBe('file:///w/%C3%A9.ts');
});
