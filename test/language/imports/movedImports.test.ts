import { afterEach, expect, test, vi } from 'vitest';
import type { ResolvedPath } from '#base/files.ts';
import { resolveAddress } from '#call/resolve.ts';
import { createMovedImports, type ImportFacts } from '#language/imports/movedImports.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { FakeSearch } from '../../fakes/search.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

afterEach(() => vi.useRealTimers());

const unaborted = new AbortController().signal;

/** @param leads where the language service says a specifier leads, by importer and specifier */
function scene(texts: Readonly<Record<string, string>>, leads: Readonly<Record<string, string>>) {
  const files = new FakeFiles(texts);
  const workspace = new FakeWorkspace();
  const search = new FakeSearch();
  const folder = folderAt('/w');
  for (const [fsPath, text] of Object.entries(texts))
    search.add({ fsPath, path: fsPath.slice(3), uri: `file://${fsPath}`, folder }, text);
  const asked: string[] = [];
  const facts: ImportFacts = {
    search,
    roots: async () => [await resolve('/w')],
    readText: async (fsPath) => texts[fsPath],
    async definitions(fsPath, positions) {
      return positions.map(({ line, character }) => {
        const text = texts[fsPath]?.split(/\r\n|\n|\r/)[line]?.slice(character);
        const specifier = text?.slice(0, text.search(/["'`]/)) ?? '';
        asked.push(`${fsPath} ${specifier}`);
        const target = leads[`${fsPath} ${specifier}`];
        return target === undefined ? [] : [target];
      });
    },
  };
  const resolve = (address: string): Promise<ResolvedPath> =>
    resolveAddress(address, {
      workspace,
      files,
      pathRules: { home: '/home/u', privateFolders: [] },
      purpose: 'change',
    });
  const move = async (
    from: string,
    to: string,
    use: Partial<ImportFacts> = {},
    signal = unaborted,
    known: Partial<ResolvedPath> = {},
  ) => {
    const imports = createMovedImports({ ...facts, ...use });
    const edits = await imports.editsForMove({ ...(await resolve(from)), ...known }, await resolve(to), signal);
    return edits.map(({ fsPath, offset, length, newText }) => {
      const text = texts[fsPath] ?? '';
      return `${fsPath}: ${text.slice(offset - 1, offset + length + 1)} -> ${newText}`;
    });
  };
  return { move, asked };
}

const texts = {
  '/w/main.ts':
    "import { a } from './lib/a.js';\r\nimport b from '@/lib/a';\r\n// see './lib/a'\r\nimport x from './lib/ab';",
  '/w/code.ts': 'const text = `import { a } from "./lib/a";`;',
  '/w/lib/a.ts': "import { b } from './b';\nimport fs from 'node:fs';\n// import './gone';\nexport const a = b;",
  '/w/lib/b.ts': "import '../main';\nexport const b = 1;",
};
const leads = {
  '/w/main.ts ./lib/a.js': '/w/lib/a.ts',
  '/w/main.ts @/lib/a': '/w/lib/a.ts',
  '/w/lib/a.ts ./b': '/w/lib/b.ts',
  '/w/lib/b.ts ../main': '/w/main.ts',
};

test('edits the importers and the imports of a moved file', async () => {
  const { move } = scene(texts, leads);
  expect(await move('lib/a.ts', 'core/deep/c.ts')).toEqual([
    "/w/lib/a.ts: './b' -> ../../lib/b",
    "/w/main.ts: './lib/a.js' -> ./core/deep/c.js",
    "/w/main.ts: '@/lib/a' -> @/core/deep/c",
  ]);
});

test('edits imports into and out of a moved folder, but not inside it', async () => {
  const { move, asked } = scene(texts, leads);
  expect(await move('lib', 'core/library')).toEqual([
    "/w/lib/b.ts: '../main' -> ../../main",
    "/w/main.ts: './lib/a.js' -> ./core/library/a.js",
    "/w/main.ts: '@/lib/a' -> @/core/library/a",
  ]);
  expect(asked).not.toContain('/w/lib/a.ts ./b');
});

test('keeps an import whose target the language service does not confirm', async () => {
  const { move, asked } = scene(texts, {});
  expect(await move('lib/a.ts', 'core/c.ts')).toEqual([]);
  expect(asked).toContain('/w/code.ts ./lib/a');
});

test('edits the import by which a file imports itself', async () => {
  const { move } = scene({ '/w/a.ts': "import './a.ts';" }, { '/w/a.ts ./a.ts': '/w/a.ts' });
  expect(await move('a.ts', 'b.ts')).toEqual(["/w/a.ts: './a.ts' -> ./b.ts"]);
});

test('keeps an import that leads to a file with the same name', async () => {
  const { move } = scene(texts, { '/w/main.ts ./lib/a.js': '/w/lib/a.js' });
  expect(await move('lib/a.ts', 'core/c.ts')).toEqual([]);
});

test('edits an import when the language service returns the real path of the moved file', async () => {
  const { move } = scene(texts, { '/w/main.ts ./lib/a.js': '/real/lib/a.ts' });
  const known = { realPath: '/real/lib/a.ts' };
  expect(await move('lib/a.ts', 'c.ts', {}, unaborted, known)).toEqual(["/w/main.ts: './lib/a.js' -> ./c.js"]);
});

test('asks only about imports that can lead to the moved file', async () => {
  const { move, asked } = scene(texts, leads);
  await move('lib/a.ts', 'core/c.ts');
  expect(asked.toSorted()).toEqual([
    '/w/code.ts ./lib/a',
    '/w/lib/a.ts ./b',
    '/w/lib/a.ts ./gone',
    '/w/main.ts ./lib/a.js',
    '/w/main.ts @/lib/a',
  ]);
});

test('edits imports of an index file by the name of its folder or by dots', async () => {
  const { move } = scene(
    {
      '/w/main.ts': "import './lib';",
      '/w/lib/index.ts': '',
      '/w/lib/a.ts': "import '.';\nimport './index.js';",
      '/w/lib/deep/b.ts': "import '..';",
    },
    {
      '/w/main.ts ./lib': '/w/lib/index.ts',
      '/w/lib/a.ts .': '/w/lib/index.ts',
      '/w/lib/a.ts ./index.js': '/w/lib/index.ts',
      '/w/lib/deep/b.ts ..': '/w/lib/index.ts',
    },
  );
  expect(await move('lib/index.ts', 'lib/all.ts')).toEqual([
    "/w/lib/a.ts: '.' -> ./all",
    "/w/lib/a.ts: './index.js' -> ./all.js",
    "/w/lib/deep/b.ts: '..' -> ../all",
    "/w/main.ts: './lib' -> ./lib/all",
  ]);
});

test('finds names with characters special in a regular expression', async () => {
  const path = '/w/routes/[id]+page.(x).ts';
  const { move } = scene(
    { '/w/main.ts': "import './routes/[id]+page.(x)';", [path]: '' },
    { '/w/main.ts ./routes/[id]+page.(x)': path },
  );
  expect(await move(path, 'routes/b.ts')).toEqual(["/w/main.ts: './routes/[id]+page.(x)' -> ./routes/b"]);
});

/** Makes the time limit of the next move end by the fake clock. */
function useFakeTimeLimit(): void {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce((milliseconds) => {
    const late = new AbortController();
    setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), milliseconds);
    return late.signal;
  });
}

test('throws instead of returning half of the edits when a language service does not answer in time', async () => {
  useFakeTimeLimit();
  const { move } = scene(texts, leads);
  const moving = move('lib/a.ts', 'core/c.ts', { definitions: () => new Promise(() => undefined) });
  const outcome = expect(moving).rejects.toMatchObject({
    code: 'timeout',
    hint: expect.stringContaining('updateImports: false'),
  });
  await vi.advanceTimersByTimeAsync(20_000);
  await outcome;
});

test('ends at once when the call is cancelled', async () => {
  const cancel = new AbortController();
  const { move } = scene(texts, leads);
  const asked = Promise.withResolvers<void>();
  const definitions = (): Promise<never> => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const moving = move('lib/a.ts', 'core/c.ts', { definitions }, cancel.signal);
  await asked.promise;
  cancel.abort(new Error('cancelled'));
  await expect(moving).rejects.toThrow('cancelled');
});

test('says that the call was cancelled when the time limit ends after that', async () => {
  useFakeTimeLimit();
  const cancel = new AbortController();
  const { move } = scene(texts, leads);
  const read = Promise.withResolvers<string | undefined>();
  const asked = Promise.withResolvers<void>();
  const readText = (): Promise<string | undefined> => {
    asked.resolve();
    return read.promise;
  };
  const outcome = expect(move('lib/a.ts', 'core/c.ts', { readText }, cancel.signal)).rejects.toThrow('cancelled');
  await asked.promise;
  cancel.abort(new Error('cancelled'));
  await vi.advanceTimersByTimeAsync(20_000);
  read.resolve(texts['/w/main.ts']);
  await outcome;
});
