import { describe, expect, it } from 'vitest';
import type { ResolvedPath } from '#base/files.ts';
import { bindPorts } from '#call/gate.ts';
import { resolveAddress } from '#call/resolve.ts';
import { FakeChanges } from '../fakes/changes.ts';
import { FakeDiagnostics } from '../fakes/diagnostics.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { FakeImports } from '../fakes/imports.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeSearch } from '../fakes/search.ts';
import { FakeSourceControl } from '../fakes/sourceControl.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

const pathRules = { home: '/home/u', privateFolders: ['/w/private'] };

function bound(nodes: Readonly<Record<string, FakeNode>>) {
  const files = new FakeFiles(nodes);
  const search = new FakeSearch();
  const imports = new FakeImports();
  const sourceControl = new FakeSourceControl();
  const workspace = new FakeWorkspace();
  for (const [path, node] of files.nodes) {
    const relative = path.slice('/w/'.length);
    if (typeof node === 'string')
      search.add({ path: relative, uri: `file://${path}`, fsPath: path, folder: folderAt('/w') }, node);
  }
  const resolve = (address: string) => resolveAddress(address, { files, workspace, pathRules, purpose: 'change' });
  const policy = new FakePolicy();
  const situation = {
    workspace,
    pathRules,
    policy,
    caller: { tool: 'read_file', principal: { credential: 'window' } },
  };
  const opened = { admitted: new Set<string>(), permitted: new Set<string>() };
  const diagnostics = new FakeDiagnostics();
  const shared = { ...fakePorts({ files, imports, search, sourceControl, workspace }), diagnostics };
  const ports = bindPorts(shared, situation, opened);
  const bindAgain = () => bindPorts(shared, situation, opened);
  return { policy, opened, shared, bindAgain, files, imports, search, workspace, resolve, ports };
}

const query = { include: [], exclude: [], includeIgnored: false };
const textQuery = {
  ...query,
  pattern: 'x',
  isRegex: false,
  caseSensitive: true,
  wholeWord: false,
  multiline: false,
  linesBefore: 0,
  linesAfter: 0,
  sorted: false,
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('the ports of a call', () => {
  const nodes = {
    '/w/a.ts': 'x',
    '/w/.env': 'x',
    '/w/.git/config': 'x',
    '/w/private/k': 'x',
    '/w/secrets/k': 'x',
    '/w/.env.example': 'x',
  };

  it('leave out text, names and entries of denied files', async () => {
    const { ports, resolve } = bound(nodes);
    const within = [await resolve('.')];
    const signal = new AbortController().signal;
    expect((await all(ports.search.text({ ...textQuery, within }, signal))).map(({ path }) => path)).toEqual([
      'a.ts',
      '.env.example',
    ]);
    expect((await all(ports.search.files({ ...query, within }, signal))).map(({ path }) => path)).toEqual([
      'a.ts',
      '.env.example',
    ]);
    expect((await ports.files.list(await resolve('.'))).map(({ name }) => name)).toEqual(['a.ts', '.env.example']);
  });

  it('P3: judge a file behind a link by its target', async () => {
    const { ports, resolve, files } = bound({ '/w/notes.txt': { link: '.env' }, '/w/.env': 'x' });
    await expect(ports.files.readText(await resolve('notes.txt'), 100)).rejects.toMatchObject({ code: 'denied' });
    await expect(ports.files.readBytes(await resolve('notes.txt'), 100)).rejects.toMatchObject({ code: 'denied' });
    expect(files.reads).toEqual([]);
  });

  it('P3: search in the target of a link', async () => {
    const { ports, resolve, search } = bound({ '/w/link': { link: 'real' }, '/w/real/a.ts': 'x' });
    await all(ports.search.files({ ...query, within: [await resolve('link')] }, new AbortController().signal));
    expect(search.queries[0]?.within[0]).toMatchObject({ path: 'real', fsPath: '/w/real' });
  });

  it('P18: refuse a folder as soon as it leaves the window', async () => {
    const { ports, resolve, workspace } = bound(nodes);
    const path = await resolve('a.ts');
    workspace.setFolders([folderAt('/other')]);
    await expect(ports.files.readText(path, 100)).rejects.toMatchObject({ code: 'outside_workspace' });
    await expect(ports.files.locate('/w/a.ts', 'read')).rejects.toMatchObject({ code: 'outside_workspace' });
  });

  it('refuse a folder as a whole, and read nothing in it, when it contains a file that may not be read', async () => {
    const { ports, resolve, files } = bound({ ...nodes, '/w/d/a': 'x', '/w/d/deep/.env': 'x', '/w/ok/a': 'x' });
    const limits = { maximumFiles: 10, maximumBytes: 100 };
    await expect(ports.files.readTree(await resolve('d'), limits)).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('"d" contains something that matches **/.env'),
    });
    await expect(ports.files.readTree(await resolve('private'), limits)).rejects.toMatchObject({ code: 'denied' });
    expect(files.reads).toEqual([]);
    expect((await ports.files.readTree(await resolve('ok'), limits)).files).toMatchObject([{ relative: 'a' }]);
  });

  it('P17: leave out import edits of files that may not be changed', async () => {
    const { ports, imports, resolve } = bound(nodes);
    const editOf = (fsPath: string) => ({ fsPath, offset: 0, length: 0, newText: 'x' });
    imports.edits = [...Object.keys(nodes), '/etc/passwd', '/home/u/.bashrc'].map(editOf);
    const found = await ports.imports.editsForMove(
      await resolve('a.ts'),
      await resolve('b.ts'),
      new AbortController().signal,
    );
    expect(found.map(({ fsPath }) => fsPath)).toEqual(['/w/a.ts', '/w/.env.example']);
  });

  it('end the search when the caller stops early', async () => {
    const { ports, resolve, search } = bound({ '/w/a': 'x', '/w/b': 'x' });
    const found = ports.search.text({ ...textQuery, within: [await resolve('.')] }, new AbortController().signal);
    for await (const _ of found) break;
    expect(search.stopped).toBe(1);
  });
});

describe('rules about reading', () => {
  const nodes = { '/w/src/a.ts': 'x', '/w/docs/b.md': 'x', '/w/docs/deep/c.md': 'x' };
  const names = async (ports: ReturnType<typeof bound>['ports'], root: ResolvedPath) => {
    const within = [root];
    const found = await all(ports.search.files({ ...query, within }, new AbortController().signal));
    return found.map(({ path }) => path);
  };

  it('hide files that they deny or ask for from searches, in every spelling', async () => {
    const t = bound(nodes);
    const root = await t.resolve('/w');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['DOCS/**'] }));
    expect(await names(t.bindAgain(), root)).toEqual(['src/a.ts']);
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['docs'] }));
    expect(await names(t.bindAgain(), root)).toEqual(['src/a.ts']);
  });

  it('hide no file that the user allowed the call to read, unless they deny it', async () => {
    const t = bound(nodes);
    const root = await t.resolve('/w');
    t.opened.permitted.add('/w/docs');
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read' }));
    expect(await names(t.bindAgain(), root)).toEqual(['docs/b.md', 'docs/deep/c.md']);
    const deny = ruleOf({ effect: 'deny', class: 'read', paths: ['deep'] });
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read' }), deny);
    expect(await names(t.bindAgain(), root)).toEqual(['docs/b.md']);
  });
});

it('A8: undoes no change of files that the caller may not read', async () => {
  const t = bound({ '/w/src/a.ts': 'x', '/w/docs/b.md': 'x' });
  const changeOf = (id: string, path: string) => {
    const file = { index: 0, change: 'edit' as const, path, uri: `file:///w/${path}`, addedLines: 1, removedLines: 1 };
    const facts = { tool: 'apply_edit', client: undefined, appliedAt: 1, state: 'applied' as const, canRevert: true };
    const inverse = { kind: 'changes' as const, files: [] };
    return { change: { ...facts, id, principal: { credential: 'window' }, files: [file] }, inverse };
  };
  t.shared.changes = new FakeChanges(changeOf('a-1', 'src/a.ts'), changeOf('a-2', 'docs/b.md'));
  t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['docs/**'] }));
  const { changes } = t.bindAgain();
  await expect(changes.inverse('a-1')).resolves.toMatchObject({ kind: 'changes' });
  await expect(changes.inverse('a-2')).rejects.toMatchObject({ code: 'denied' });
});

it('A8: hides a change when one of its files, or one end of a move, may not be read', () => {
  const t = bound({ '/w/src/a.ts': 'x', '/w/docs/b.md': 'x' });
  const facts = { tool: 'apply_edit', client: undefined, appliedAt: 1, state: 'applied' as const, canRevert: true };
  const fileOf = (path: string, to?: string) => ({
    index: 0,
    change: 'edit' as const,
    path,
    uri: `file:///w/${path}`,
    ...(to !== undefined && { movedTo: { path: to, uri: `file:///w/${to}` } }),
    addedLines: 1,
    removedLines: 1,
  });
  const changeOf = (id: string, ...files: readonly ReturnType<typeof fileOf>[]) => ({
    change: { ...facts, id, principal: { credential: 'window' }, files },
  });
  t.shared.changes = new FakeChanges(
    changeOf('seen', fileOf('src/a.ts')),
    changeOf('one of two', fileOf('src/a.ts'), fileOf('docs/b.md')),
    changeOf('moved away', fileOf('src/a.ts', 'docs/a.ts')),
    changeOf('moved here', fileOf('docs/b.md', 'src/b.md')),
    changeOf('moved within', fileOf('src/a.ts', 'src/c.ts')),
    changeOf('elsewhere', { ...fileOf('x'), uri: 'file:///other/x' }),
    changeOf('no file', { ...fileOf('x'), uri: 'untitled:x' }),
  );
  t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['docs/**'] }));
  expect(
    t
      .bindAgain()
      .changes.list()
      .map(({ id }) => id),
  ).toEqual(['seen', 'moved within']);
});

it('P5: locates only paths whose name and target are in the workspace', async () => {
  const { ports } = bound({ '/w/a.ts': 'x', '/w/out': { link: '/out/x' }, '/out/x': 'x' });
  expect(await ports.files.locate('/w/a.ts', 'read')).toMatchObject({ realPath: '/w/a.ts' });
  for (const purpose of ['read', 'change'] as const) {
    await expect(ports.files.locate('/w/out', purpose)).rejects.toMatchObject({ code: 'outside_workspace' });
  }
  await expect(ports.files.locate('/out/x', 'read')).rejects.toMatchObject({ code: 'outside_workspace' });
});

it('P7: locates no path that no address can name', async () => {
  const { ports, files } = bound({ '/w/a\u202egpj.ts': 'x', '/w/b\u202e/c': 'x' });
  expect(await files.locate('/w/a\u202egpj.ts')).toMatchObject({ kind: 'file' });
  for (const path of ['/w/a\u202egpj.ts', '/w/b\u202e', '/w/new\u202e']) {
    for (const purpose of ['read', 'change'] as const) {
      await expect(ports.files.locate(path, purpose)).rejects.toMatchObject({ code: 'unsafe_path' });
    }
  }
});

it('A8: hides related locations of a diagnostic in files that the call may not read', async () => {
  const { ports, shared } = bound({ '/w/a.ts': 'x', '/w/b.ts': 'x', '/w/.env': 'x' });
  const range = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 2 };
  const fileAt = (path: string) => ({ path, uri: `file:///w/${path}`, fsPath: `/w/${path}`, folder: folderAt('/w') });
  const places = [fileAt('b.ts'), fileAt('.env'), { outside: true as const, path: 'node_modules/x.d.ts' }];
  const related = places.map((place) => ({ message: 'Here.', place: { ...place, ...range } }));
  const diagnostic = { severity: 'error' as const, message: 'Wrong.', ...range };
  shared.diagnostics.publish({ ...fileAt('a.ts'), diagnostics: [{ ...diagnostic, related }, diagnostic] });
  const [first, second] = ports.diagnostics.list()[0]?.diagnostics ?? [];
  expect(first?.related?.map(({ place }) => place.path)).toEqual(['b.ts', 'node_modules/x.d.ts']);
  expect(second).toEqual(diagnostic);
});

it('A8: reads no file that a rule asks for, nor one that an invalid rule may match, without a permission', async () => {
  const t = bound({ '/w/src/a.ts': 'x', '/w/docs/b.md': 'x', '/w/docs/.env': 'x' });
  const [asked, free] = [await t.resolve('docs/b.md'), await t.resolve('src/a.ts')];
  t.policy.setRules({ ...ruleOf({ effect: 'allow', class: 'read', paths: ['docs/**'] }), invalid: 'no such key' });
  const { files } = t.bindAgain();
  await expect(files.readText(asked, 100)).rejects.toMatchObject({
    code: 'denied',
    message: 'Reading "docs/b.md" needs the permission of the user.',
  });
  await expect(files.readText(free, 100)).resolves.toMatchObject({ text: 'x' });
  await expect(files.list(await t.resolve('docs'))).rejects.toMatchObject({ code: 'denied' });
  t.opened.admitted.add('/w/docs');
  expect((await files.list(await t.resolve('docs'))).map(({ name }) => name)).toEqual([]);
  t.opened.permitted.add('/w/docs');
  expect((await t.bindAgain().files.list(await t.resolve('docs'))).map(({ name }) => name)).toEqual(['b.md']);
  t.opened.admitted.add('/w/docs/b.md');
  await expect(t.bindAgain().files.readText(asked, 100)).resolves.toMatchObject({ text: 'x' });
  t.policy.setRules(ruleOf({ effect: 'allow', class: 'read', paths: ['src/**'] }));
  expect((await t.bindAgain().files.list(await t.resolve('src'))).map(({ name }) => name)).toEqual(['a.ts']);
});

it('passes each file of a folder to the caller after the policy', async () => {
  const t = bound({ '/w/d/a': 'x', '/w/d/b': 'x' });
  const heard: string[] = [];
  const limits = { maximumFiles: 10, maximumBytes: 100 };
  await t.ports.files.readTree(await t.resolve('d'), limits, (relative) => void heard.push(relative));
  expect(heard).toEqual(['a', 'b']);
  t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['d/b'] }));
  t.opened.admitted.add('/w/d');
  await expect(t.bindAgain().files.readTree(await t.resolve('d'), limits)).rejects.toMatchObject({
    code: 'denied',
    message: '"d" contains a file that a rule forbids you to read.',
  });
});

describe('P21: a hard link to a closed file', () => {
  const linked = () => {
    const t = bound({ '/w/.env': 'x=hunter2', '/w/notes.txt': 'x=hunter2', '/w/open.txt': 'x=1' });
    t.files.otherNames.set('/w/notes.txt', '/w/.env');
    t.files.otherNames.set('/w/open.txt', '/w/a.txt');
    return t;
  };

  it('is not read under its harmless name, as text, bytes or tree', async () => {
    const { ports, resolve, files, opened } = linked();
    const path = await resolve('notes.txt');
    // Also when the policy admitted the name.
    opened.admitted.add(path.realPath);
    const limits = { maximumFiles: 10, maximumBytes: 1000 };
    for (const read of [
      () => ports.files.readText(path, 100),
      () => ports.files.readBytes(path, 100),
      () => ports.files.readTree(path, limits),
    ]) {
      await expect(read()).rejects.toMatchObject({ code: 'denied', message: expect.not.stringContaining('.env') });
    }
    expect(files.reads).toEqual([]);
    expect((await ports.files.readText(await resolve('open.txt'), 100)).text).toBe('x=1');
  });

  it('is not searched', async () => {
    const { ports, resolve } = linked();
    const within = [await resolve('.')];
    const found = await all(ports.search.text({ ...textQuery, within }, new AbortController().signal));
    expect(found.map(({ path }) => path)).toEqual(['open.txt']);
  });
});
