import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OutsideLocation } from '#base/language.ts';
import { LibrarySources } from '#language/editor/librarySources.ts';

const range = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 2 };

/** Files on the disk, and libraries that a service led to. */
function setUp(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'libraries-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (path: string): string => join(root, path);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  const libraries = new LibrarySources();
  const placeOf = (path: string): OutsideLocation => ({ outside: true, path, ...range });
  const read = (path: string, extensions: readonly string[] = [], scheme = 'file') => {
    const place = placeOf(path);
    libraries.led(place, { scheme, fsPath: at(path), path: at(path) });
    return libraries.read(place, extensions.map(at), [at('w')]);
  };
  return { at, libraries, placeOf, read };
}

describe('P28: a library outside the workspace', () => {
  it('is read below node_modules, and below the folder of an extension that serves the language', async () => {
    const t = setUp({ 'node_modules/x/index.d.ts': 'export {};', 'python/typeshed/os.pyi': 'sep: str' });
    expect(await t.read('node_modules/x/index.d.ts')).toEqual({
      path: 'node_modules/x/index.d.ts',
      text: 'export {};',
    });
    expect(await t.read('python/typeshed/os.pyi', ['python'])).toMatchObject({ text: 'sep: str' });
    expect(await t.read('python/typeshed/os.pyi', ['pyth', 'gone'])).toBeUndefined();
  });

  it('is read only where a service led to it, not by the same label', async () => {
    const t = setUp({ 'node_modules/x/index.d.ts': 'export {};' });
    await t.read('node_modules/x/index.d.ts');
    expect(await t.libraries.read(t.placeOf('node_modules/x/index.d.ts'), [], [])).toBeUndefined();
  });

  it.each([
    ['a file elsewhere', 'home/notes.ts', 'file'],
    ['a package of another project', 'other/node_modules/x/index.ts', 'file'],
    ['a file that is called as the folder', 'home/node_modules.ts', 'file'],
    ['a file that is no source code', 'node_modules/x/.npmrc', 'file'],
    ['a file that is no text', 'node_modules/x/bytes.ts', 'file'],
    ['a file that is too large', 'node_modules/x/large.ts', 'file'],
    ['a file that is gone', 'node_modules/x/gone.ts', 'file'],
    ['a folder', 'node_modules/x/folder.ts', 'file'],
    ['a file of the workspace, which is judged by its own path', 'w/packages/a/node_modules/x/index.ts', 'file'],
    ['an address that is no file', 'node_modules/x/index.d.ts', 'git'],
  ])('is not %s', async (_what, path, scheme) => {
    const t = setUp({
      'home/notes.ts': 'secret',
      'home/node_modules.ts': 'secret',
      'other/node_modules/x/index.ts': 'secret',
      'node_modules/x/.npmrc': 'token',
      'node_modules/x/index.d.ts': '',
      'node_modules/x/large.ts': 'x'.repeat(5 * 1024 * 1024 + 1),
      'node_modules/x/folder.ts/a.ts': '',
      'w/packages/a/node_modules/x/index.ts': 'closed',
    });
    writeFileSync(t.at('node_modules/x/bytes.ts'), Buffer.from([0xff, 0xfe, 0xfd]));
    expect(await t.read(path, [], scheme)).toBeUndefined();
  });

  it('is not a file elsewhere to which a link in a library leads', async () => {
    const t = setUp({
      'home/notes.ts': 'secret',
      'node_modules/x/index.ts': '',
      'store/node_modules/y/b.ts': 'b',
      'store/node_modules/@s/z/c.ts': 'c',
    });
    symlinkSync(t.at('home/notes.ts'), t.at('node_modules/x/link.ts'));
    symlinkSync(t.at('home'), t.at('node_modules/linked'));
    symlinkSync(t.at('store/node_modules/y'), t.at('node_modules/y'));
    linkSync(t.at('node_modules/x/index.ts'), t.at('node_modules/x/same.ts'));
    expect(await t.read('node_modules/x/link.ts')).toBeUndefined();
    expect(await t.read('node_modules/linked/notes.ts')).toBeUndefined();
    expect(await t.read('node_modules/y/b.ts')).toEqual({ path: 'node_modules/y/b.ts', text: 'b' });
    symlinkSync(t.at('store/node_modules/@s/z'), t.at('node_modules/z'));
    expect(await t.read('store/node_modules/y/b.ts')).toBeDefined();
    expect(await t.read('store/node_modules/@s/z/c.ts')).toBeUndefined();
    expect(await t.read('node_modules/x/same.ts')).toBeDefined();
  });
});
