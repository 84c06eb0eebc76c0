import { describe, expect, it } from 'vitest';
import { resolveAddress } from '#call/resolve.ts';
import type { FileUses } from '#base/language.ts';
import { filesThatUse } from '#language/imports/importers.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { FakeSearch } from '../../fakes/search.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

const { signal } = new AbortController();

async function uses(
  texts: Readonly<Record<string, string>>,
  fsPath: string,
  isFolder = false,
): Promise<FileUses | undefined> {
  const search = new FakeSearch();
  const folder = folderAt('/w');
  for (const [path, text] of Object.entries(texts)) {
    search.add({ fsPath: path, path: path.slice(3), uri: `file://${path}`, folder }, text);
  }
  const root = await resolveAddress('/w', {
    workspace: new FakeWorkspace(),
    files: new FakeFiles(texts),
    pathRules: { home: '/home/u', privateFolders: [] },
    purpose: 'read',
  });
  const facts = { search, roots: async () => [root], readText: async (path: string) => texts[path] };
  return filesThatUse({ fsPath, isFolder }, facts, signal);
}

const pathsOf = (found: FileUses | undefined): readonly string[] | undefined => found?.files.map(({ path }) => path);

describe('the files that use a file', () => {
  it('import it by a relative path or an alias, in every style', async () => {
    const found = await uses(
      {
        '/w/src/item.ts': 'export const item = 1;\n',
        '/w/src/cart.ts': "import { item } from './item';\n",
        '/w/src/deep/a.ts': "import { item } from '../item.js';\n",
        '/w/src/b.ts': "const { item } = await import('@/item');\n",
        '/w/src/c.js': "require('./item.ts');\n",
        // Other files of that name, a package of that name, and text that is no import.
        '/w/src/d.ts': "import './other/item';\n",
        '/w/src/e.ts': "import item from 'item';\n",
        '/w/src/f.ts': "const name = './item';\n",
      },
      '/w/src/item.ts',
    );
    expect(pathsOf(found)?.toSorted()).toEqual(['src/b.ts', 'src/c.js', 'src/cart.ts', 'src/deep/a.ts']);
    expect(found).toMatchObject({ kind: 'imports', total: 4, isPartial: false });
  });

  it('import something below a folder from outside it', async () => {
    const texts = {
      '/w/src/views/a.ts': "import './b';\n",
      '/w/src/views/b.ts': 'export {};\n',
      '/w/src/main.ts': "import './views/a';\n",
      '/w/src/other.ts': "import './view';\n",
    };
    expect(pathsOf(await uses(texts, '/w/src/views', true))).toEqual(['src/main.ts']);
  });

  it('hold its name when the imports of its language are not understood', async () => {
    const texts = {
      '/w/data/prices.csv': 'a,b\n',
      '/w/load.py': "open('data/prices.csv')\n",
      '/w/other.py': "open('data/allprices.csv')\n",
    };
    const found = await uses(texts, '/w/data/prices.csv');
    expect([found?.kind, pathsOf(found)]).toEqual(['mentions', ['load.py']]);
  });

  it('are not looked for when its name is too short', async () => {
    expect(await uses({ '/w/a': 'a\n', '/w/b': 'a\n' }, '/w/a')).toBeUndefined();
  });

  it('are at most 200, with the number of all', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 230 }, (_, index) => [`/w/user${index}.ts`, "import './item';\n"]),
    );
    const found = await uses({ ...texts, '/w/item.ts': '' }, '/w/item.ts');
    expect([found?.files.length, found?.total]).toEqual([200, 230]);
  });
});
