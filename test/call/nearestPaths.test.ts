import { describe, expect, test } from 'vitest';
import { readResource } from '#call/resourceRequests.ts';
import { FakeFiles } from '../fakes/files.ts';
import { fakePorts } from '../fakes/ports.ts';
import { ruleOf } from '../fakes/rules.ts';
import { FakeSearch } from '../fakes/search.ts';
import { folderAt } from '../fakes/workspace.ts';
import { setUp, textOf } from './callSetUp.ts';

/** A window with these files in its folder, which a search finds. */
function windowWith(...paths: readonly string[]) {
  const files = new FakeFiles(Object.fromEntries(paths.map((path) => [`/w/${path}`, 'const one = 1;\n'])));
  const search = new FakeSearch();
  const folder = folderAt('/w');
  for (const path of paths) search.add({ path, uri: `file:///w/${path}`, fsPath: `/w/${path}`, folder }, '');
  const window = setUp();
  const { workspace } = window;
  return {
    ...window,
    search,
    dependencies: Object.assign(window.dependencies, { ports: fakePorts({ files, search, workspace }) }),
  };
}

describe('finding 4: a path that does not exist is answered with the nearest paths that do', () => {
  test.each(['bom.ts', 'Src/Bom.ts', 'src/bomm.ts', 'src/bom.js', 'a/src/bom.ts', 'scr/bom.ts', 'src/obm.ts'])(
    'names src/bom.ts when %s is read',
    async (path) => {
      const { call } = windowWith('src/bom.ts', 'src/other.ts', 'docs/readme.md');
      expect(await textOf(call('read_file', { path }))).toContain('does not exist. Did you mean \\"src/bom.ts\\"?');
    },
  );

  test.each([
    ['apply_edit', { edits: [{ path: 'src/bomm.ts', oldText: 'one', newText: 'two' }] }],
    ['apply_edit', { patch: '--- a/src/bomm.ts\n+++ b/src/bomm.ts\n@@ -1 +1 @@\n-one\n+two\n' }],
    ['move_file', { path: 'src/bomm.ts', to: 'src/b.ts' }],
    ['delete_file', { path: 'src/bomm.ts' }],
    ['read_files', { files: [{ path: 'src/bomm.ts' }] }],
    ['get_outline', { paths: ['src/bomm.ts'] }],
    ['get_symbol', { symbol: 'one', path: 'src/bomm.ts' }],
    ['find_references', { path: 'src/bomm.ts:1' }],
    ['get_diagnostics', { paths: ['src/bomm.ts'] }],
    ['search_code', { query: 'one', path: 'src/bomm.ts' }],
    ['open_file', { path: 'src/bomm.ts' }],
  ])('names the nearest path when %s is called with %j', async (tool, args) => {
    const { call } = windowWith('src/bom.ts', 'docs/readme.md');
    const text = await textOf(call(tool, args));
    expect(text).toContain('Did you mean \\"src/bom.ts\\"?');
    expect(text).toContain('not_found');
  });

  test('shows the nearest text when a hunk of a patch does not fit', async () => {
    const { call } = windowWith('src/bom.ts');
    const patch = '--- a/src/bom.ts\n+++ b/src/bom.ts\n@@ -1 +1 @@\n-const ome = 1;\n+const two = 2;\n';
    expect(await textOf(call('apply_edit', { patch }))).toContain('The nearest text is:\\n1\\tconst one = 1;');
  });

  test('names the nearest path when a resource does not exist', async () => {
    const { callOf, dependencies } = windowWith('src/bom.ts');
    const answer = await readResource('drawbridge://files/src/bomm.ts', callOf('read_resource'), dependencies);
    expect(answer).toMatchObject({ kind: 'error', message: 'src/bomm.ts does not exist. Did you mean "src/bom.ts"?' });
  });

  test('names the nearest folder when a folder does not exist', async () => {
    const { call } = windowWith('src/parts/bom.ts', 'src/other.ts');
    expect(await textOf(call('search_code', { query: 'one', path: 'src/Parts' }))).toContain(
      'Did you mean \\"src/parts\\"?',
    );
  });

  test('names at most three paths, the nearest first', async () => {
    const { call } = windowWith('a/index.ts', 'b/index.ts', 'c/x/index.ts', 'x/index.ts', 'd/index.ts');
    const text = await textOf(call('read_file', { path: 'q/x/index.ts' }));
    expect(text).toContain('Did you mean \\"c/x/index.ts\\" or \\"x/index.ts\\" or \\"a/index.ts\\"?');
  });

  test('keeps the answer when nothing is similar', async () => {
    const { call } = windowWith('src/bom.ts');
    const text = await textOf(call('read_file', { path: 'src/quite/different.md' }));
    expect(text).toContain('does not exist. Look elsewhere.');
    expect(text).not.toContain('Did you mean');
  });

  test('names no secret file, and no file that a rule closes to the caller', async () => {
    const { call, policy } = windowWith('src/bom.ts', 'src/bom.tsx', 'src/boms.ts', 'src/bom.pem');
    policy.setRules(
      ruleOf({ effect: 'deny', class: 'read', paths: ['src/bom.tsx'] }),
      ruleOf({ effect: 'ask', class: 'read', paths: ['src/boms.ts'] }),
    );
    const text = await textOf(call('read_file', { path: 'src/bom.js' }));
    expect(text).toContain('Did you mean \\"src/bom.ts\\"?');
  });

  test.each(['deny', 'ask'] as const)('names nothing when a rule says %s for find_files', async (effect) => {
    const { call, policy, approver } = windowWith('src/bom.ts');
    policy.setRules(ruleOf({ effect, tools: ['find_files'] }));
    expect(await textOf(call('read_file', { path: 'src/bomm.ts' }))).not.toContain('Did you mean');
    expect(approver.reads).toEqual([]);
  });

  test('names no file that a rule closes to find_files', async () => {
    const { call, policy } = windowWith('src/bom.ts');
    policy.setRules(ruleOf({ effect: 'deny', tools: ['find_files'], paths: ['src/bom.ts'] }));
    expect(await textOf(call('read_file', { path: 'src/bomm.ts' }))).not.toContain('Did you mean');
  });

  test('names nothing in a workspace that is not trusted, where find_files does not work', async () => {
    const { call, workspace } = windowWith('src/bom.ts');
    workspace.trusted = false;
    expect(await textOf(call('read_file', { path: 'src/bomm.ts' }))).not.toContain('Did you mean');
  });

  test('answers with what it found when the search takes too long', async () => {
    const { call, clock, search } = windowWith('src/bom.ts');
    const listed = search.files.bind(search);
    const reached = Promise.withResolvers<void>();
    search.files = async function* endless(query, signal) {
      yield* listed(query, signal);
      reached.resolve();
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    };
    const answer = textOf(call('read_file', { path: 'src/bomm.ts' }));
    await reached.promise;
    clock.advance(3000);
    expect(await answer).toContain('Did you mean \\"src/bom.ts\\"?');
  });
});
