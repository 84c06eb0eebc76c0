import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { FoundFile } from '#base/files.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { scopeOf } from '#call/roots.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { tools } from '#tools/index.ts';
import { FakeChanges } from '../fakes/changes.ts';
import { FakeDiagnostics } from '../fakes/diagnostics.ts';
import { FakeEditors } from '../fakes/editors.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { FakeSearch } from '../fakes/search.ts';
import { FakeSymbols } from '../fakes/symbols.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';
import { CallRun } from './callRun.ts';

const tree = {
  '/w/app/main.ts': 'needle app',
  '/w/app/inner/deep.ts': 'needle deep',
  '/w/lib/util.ts': 'needle lib',
  '/w/top.ts': 'needle top',
};

/** All that the editor reports, without a policy or roots. */
const lookAround = defineTool({
  name: 'look_around',
  title: 'Look around',
  toolset: 'workspace',
  risk: 'read',
  needs: ['changes', 'diagnostics', 'editors', 'symbols', 'search'],
  description: 'Looks.',
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(z.object({ paths: z.array(z.string()), selection: z.string().exactOptional() })),
  targets: () => [],
  async run(_input, { changes, diagnostics, editors, symbols }, signal) {
    const selected = editors.selection();
    const found = [...editors.open(), ...diagnostics.list(), ...(await symbols.find('', signal))];
    const changed = changes.list().flatMap(({ files }) => files);
    return {
      paths: [...found, ...changed].map(({ path }) => path),
      ...(selected === undefined ? {} : { selection: selected.text }),
    };
  },
  render: () => ({ text: '' }),
});

const place = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 1 };

function window(nodes: Readonly<Record<string, FakeNode>>, folders: readonly WorkspaceFolder[] = [folderAt('/w')]) {
  const files = new FakeFiles(nodes);
  const search = new FakeSearch();
  const editors = new FakeEditors();
  const diagnostics = new FakeDiagnostics();
  const symbols = new FakeSymbols();
  const found = Object.entries(nodes).flatMap(([fsPath, node]): FoundFile[] => {
    const folder = folders.find((each) => fsPath.startsWith(`${each.fsPath}/`));
    if (folder === undefined || typeof node !== 'string') return [];
    const relative = fsPath.slice(folder.fsPath.length + 1);
    const path = folders.length > 1 ? `${folder.name}/${relative}` : relative;
    const file = { folder, fsPath, path, uri: `file://${fsPath}` };
    search.add(file, node);
    return [file];
  });
  editors.setOpen(...found.map((file) => ({ ...file, isActive: false, isDirty: false })));
  const problem = { severity: 'error' as const, message: 'no', ...place };
  diagnostics.publish(...found.map((file) => ({ ...file, diagnostics: [problem] })));
  symbols.places = found.map((file) => ({ ...file, name: 'it', kind: 'function', firstLine: 1, lastLine: 1 }));
  const changes = new FakeChanges(
    ...found.map(({ path, uri }, index) => ({
      change: {
        id: `a-${index}`,
        tool: 'apply_edit',
        principal: { credential: 'window' },
        client: undefined,
        appliedAt: 1000 - index,
        state: 'applied' as const,
        canRevert: true,
        files: [{ index: 0, change: 'edit' as const, path, uri, addedLines: 1, removedLines: 0 }],
      },
    })),
  );
  const workspace = new FakeWorkspace(folders);
  const run = new CallRun([...tools, lookAround], { changes, diagnostics, editors, files, search, symbols, workspace });
  const call = async (roots: readonly string[] | undefined, tool: string, args: unknown = {}) =>
    run.result(tool, args, roots === undefined ? {} : { roots });
  return { run, call, files, search, editors, found, workspace };
}

const uris = (...paths: readonly string[]): readonly string[] => paths.map((path) => `file://${path}`);
const scopePaths = async (
  roots: readonly string[],
  folders: readonly WorkspaceFolder[],
  nodes: Readonly<Record<string, FakeNode>> = tree,
) =>
  (await scopeOf(roots, { workspace: new FakeWorkspace(folders), files: new FakeFiles(nodes) }))?.parts.map(
    ({ path }) => path,
  );

describe('the overlap of roots and workspace', () => {
  const w = folderAt('/w');

  it.each([
    ['no roots', []],
    ['a root that is not a file', ['https://example.com/w/app']],
    ['malformed roots', ['file:w/app', 'nonsense', 'file:///w/%2e%2e/app', 'file:///w/app%00']],
    ['the folder itself', uris('/w')],
    ['the folder with a slash', uris('/w/')],
    ['a folder above', uris('/')],
    ['a folder, and a part of it', uris('/w/app', '/w')],
  ])('is the whole workspace for %s', async (_, roots) => expect(await scopePaths(roots, [w])).toBeUndefined());

  it.each([
    ['a part', uris('/w/app'), ['app']],
    ['a part, spelt with dots and slashes', uris('/w/./lib/../app//'), ['app']],
    ['two parts and a root outside', uris('/w/app', '/x', '/w/lib'), ['app', 'lib']],
    ['a part beside malformed roots', ['nonsense', 'file:///w/app'], ['app']],
    ['a file', uris('/w/top.ts'), ['top.ts']],
    ['a file that is gone', uris('/w/gone'), ['gone']],
    ['an encoded path', ['file:///w/a%70p'], ['app']],
  ])('is the selected part for %s', async (_, roots, parts) => expect(await scopePaths(roots, [w])).toEqual(parts));

  it.each([uris('/x'), uris('/wapp'), uris('/W'), uris('/v', '/x/w')])(
    'refuses the call when all roots are outside: %j',
    async (...roots) => {
      await expect(scopePaths(roots, [w])).rejects.toMatchObject({
        code: 'workspace_unavailable',
        message: expect.stringContaining('outside the folders'),
      });
    },
  );

  it('follows links in the roots and in the folder', async () => {
    const nodes = { ...tree, '/w/link': { link: '/x' }, '/x/a': '', '/home/app': { link: '/w/app' } };
    expect(await scopePaths(uris('/home/app'), [w], nodes)).toEqual(['app']);
    await expect(scopePaths(uris('/w/link'), [w], nodes)).rejects.toMatchObject({ code: 'workspace_unavailable' });
    const linked = folderAt('/home/w', { realPath: '/w' });
    const through = { ...tree, '/home/w': { link: '/w' } };
    expect(await scopePaths(uris('/w/app'), [linked], through)).toEqual(['app']);
    expect(await scopePaths(uris('/home/w/app'), [linked], through)).toEqual(['app']);
    expect(await scopePaths(uris('/home/w'), [linked], through)).toBeUndefined();
  });

  it('selects one folder of several', async () => {
    const folders = [folderAt('/w/app'), folderAt('/w/lib'), folderAt('/v')];
    expect(await scopePaths(uris('/w'), folders)).toEqual(['app', 'lib']);
    expect(await scopePaths(uris('/w/lib', '/w/app/inner'), folders)).toEqual(['lib', 'app/inner']);
  });

  it('ignores case on Windows, and looks up no network share', async () => {
    const looked: string[] = [];
    const files = {
      locate: async (path: string) => {
        looked.push(path);
        return { realPath: path, kind: 'directory' as const, dangling: false, size: 0, modified: 0, linkCount: 1 };
      },
    };
    const scope = (roots: readonly string[], folder: string) =>
      scopeOf(roots, { workspace: new FakeWorkspace([folderAt(folder)]), files });
    expect((await scope(['file:///C%3A/Users/W/App'], 'c:\\users\\w'))?.parts.map(({ path }) => path)).toEqual(['App']);
    expect(await scope(['file:///C:/Users'], 'c:\\users\\w')).toBeUndefined();
    expect((await scope(['file://host/share/w/app'], '\\\\host\\share\\w'))?.parts.map(({ path }) => path)).toEqual([
      'app',
    ]);
    looked.length = 0;
    await expect(scope(['file://evil/share', 'file:///home/u'], 'c:\\users\\w')).rejects.toMatchObject({
      code: 'workspace_unavailable',
    });
    expect(looked).toEqual([]);
  });
});

describe('a call of a client with roots', () => {
  const roots = uris('/w/app');

  it('sees everything without roots', async () => {
    const { call } = window(tree);
    const { structuredContent } = await call(undefined, 'look_around');
    expect(structuredContent?.['paths']).toHaveLength(16);
  });

  it('sees only its parts in searches, lists, editors, problems, symbols and changes', async () => {
    const { call, search, editors, found } = window(tree);
    const answers = [
      await call(roots, 'search_code', { query: 'needle' }),
      await call(roots, 'find_files', { query: 'ts' }),
      await call(roots, 'list_directory', { depth: 5 }),
      await call(roots, 'list_changes'),
      await call(roots, 'look_around'),
    ];
    for (const answer of answers) {
      const text = JSON.stringify(answer);
      expect(text).toContain('app/inner');
      expect(text).not.toMatch(/lib|top/);
    }
    expect(search.queries.flatMap(({ within }) => within.map(({ realPath }) => realPath))).toEqual(
      search.queries.map(() => '/w/app'),
    );
    const [inside, , outside] = found;
    for (const [file, seen] of [
      [inside, true],
      [outside, false],
    ] as const) {
      if (file !== undefined) editors.select({ ...file, ...place, text: 'selected' });
      expect(JSON.stringify(await call(roots, 'look_around')).includes('selected')).toBe(seen);
    }
  });

  it('is refused an address outside, existing or missing, with the names of the roots', async () => {
    const { call } = window(tree);
    expect(JSON.stringify(await call(roots, 'read_file', { path: 'app/main.ts' }))).toContain('needle app');
    for (const path of ['top.ts', 'lib/util.ts', 'gone.ts', '/w/top.ts', 'file:///w/lib/util.ts', 'app/../top.ts']) {
      const refused = await call(roots, 'read_file', { path });
      expect(JSON.stringify(refused)).toMatch(/outside the roots of this client: \\"app\\".*\[outside_workspace\]/);
    }
    expect(JSON.stringify(await call(roots, 'search_code', { query: 'x', path: 'lib' }))).toContain(
      'outside_workspace',
    );
  });

  it('cannot leave the roots through a link', async () => {
    const { call } = window({
      ...tree,
      '/w/app/link.ts': { link: '/w/top.ts' },
      '/w/in.ts': { link: '/w/app/main.ts' },
    });
    expect(JSON.stringify(await call(roots, 'read_file', { path: 'app/link.ts' }))).toContain('outside_workspace');
    expect(JSON.stringify(await call(roots, 'read_file', { path: 'in.ts' }))).toContain('needle app');
  });

  it('cannot change anything outside, nor a folder that contains the roots', async () => {
    const { call } = window(tree);
    const reason = 'because';
    for (const [tool, args] of [
      ['delete_file', { path: 'lib' }],
      ['delete_file', { path: '.' }],
      ['create_file', { path: 'new.ts', content: '' }],
      ['move_file', { path: 'app/main.ts', to: 'lib/main.ts' }],
      ['apply_edit', { edits: [{ path: 'top.ts', oldText: 'needle', newText: 'x' }] }],
    ] as const) {
      const outcome = await call(roots, tool, { ...args, reason });
      expect(JSON.stringify(outcome), tool).toMatch(/\[outside_workspace\]/);
    }
  });

  it('learns its roots from get_workspace', async () => {
    const { call } = window(tree, [folderAt('/w'), folderAt('/v')]);
    const { structuredContent, content } = await call(roots, 'get_workspace');
    expect(structuredContent).toMatchObject({ folders: [{ path: 'w' }], roots: ['w/app'] });
    expect(structuredContent?.['folders']).toHaveLength(1);
    expect(JSON.stringify(content)).toContain('roots of this client are visible: w/app');
    expect((await call(uris('/w', '/v'), 'get_workspace')).structuredContent).not.toHaveProperty('roots');
  });

  it('can use a name that only one visible folder has, and learns of no other folder', async () => {
    const { call } = window({ '/a/x.ts': 'one', '/b/x.ts': 'two' }, [folderAt('/a'), folderAt('/b')]);
    expect(JSON.stringify(await call(undefined, 'read_file', { path: 'x.ts' }))).toContain('ambiguous_match');
    expect((await call(uris('/b'), 'read_file', { path: 'x.ts' })).structuredContent).toMatchObject({ path: 'b/x.ts' });
  });

  it('is refused by every tool of the workspace when the roots are elsewhere, except for get_approval', async () => {
    const { call } = window(tree);
    for (const tool of ['search_code', 'get_workspace'])
      expect(JSON.stringify(await call(uris('/x'), tool, tool === 'search_code' ? { query: 'x' } : {}))).toContain(
        '[workspace_unavailable]',
      );
    expect(JSON.stringify(await call(uris('/x'), 'get_approval', { approvalId: 'a-1' }))).not.toContain(
      '[workspace_unavailable]',
    );
  });

  it('sees nothing at the path of a root that does not exist', async () => {
    const { call } = window(tree);
    const answer = JSON.stringify(await call(uris('/w/top.ts/x', '/w/lib'), 'list_directory', { depth: 3 }));
    expect(answer).toContain('lib/util.ts');
    expect(answer).not.toContain('top.ts');
  });

  it('law: sees nothing outside the roots and everything inside', async () => {
    const directory = fc
      .array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 })
      .map((names) => ['/w', ...names].join('/'));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(directory, { minLength: 1, maxLength: 6 }),
        fc.array(directory, { minLength: 1, maxLength: 3 }),
        async (directories, rootPaths) => {
          const nodes = Object.fromEntries(directories.map((each, at) => [`${each}/f${at}.ts`, `token${at}`]));
          const { call, found } = window(nodes);
          const answers: string[] = [];
          for (const [tool, args] of [
            ['search_code', { query: 'token' }],
            ['find_files', { query: '.ts' }],
            ['list_directory', { depth: 5 }],
            ['look_around', {}],
            ['list_changes', {}],
          ] as const) {
            answers.push(JSON.stringify(await call(uris(...rootPaths), tool, args)));
          }
          for (const [at, { fsPath, path }] of found.entries()) {
            const isInside = rootPaths.some((root) => fsPath.startsWith(`${root}/`));
            for (const answer of answers) expect(answer.includes(`f${at}.ts`), `${path}: ${answer}`).toBe(isInside);
            const read = JSON.stringify(await call(uris(...rootPaths), 'read_file', { path }));
            expect(read.includes(`token${at}`)).toBe(isInside);
            if (!isInside) expect(read).toContain('[outside_workspace]');
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
