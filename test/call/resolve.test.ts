import { describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { resolveAddress, throughLinks } from '#call/resolve.ts';
import { FakeFiles, pipe, type FakeNode } from '../fakes/files.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

const pathRules = { home: '/home/u', privateFolders: [] };

function resolver(nodes: Readonly<Record<string, FakeNode>>, folders = [folderAt('/w')]) {
  const dependencies = {
    files: new FakeFiles(nodes),
    workspace: new FakeWorkspace(folders),
    pathRules,
    purpose: 'change' as const,
  };
  return (address: string) => resolveAddress(address, dependencies);
}

async function refusal(promise: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ToolError) return error;
  throw new Error(`Not refused: ${String(error)}`);
}

describe('resolveAddress', () => {
  it('resolves a path in every form', async () => {
    const path = await resolver({ '/w/src/a.ts': 'x' })('./src/a.ts');
    expect(path).toMatchObject({
      path: 'src/a.ts',
      uri: 'file:///w/src/a.ts',
      fsPath: '/w/src/a.ts',
      realPath: '/w/src/a.ts',
      kind: 'file',
      linked: false,
    });
  });

  it('P3: gives a link inside the workspace its own name and its real path', async () => {
    const resolve = resolver({ '/w/link': { link: 'real' }, '/w/real/a.ts': 'x' });
    const path = await resolve('link/a.ts');
    expect(path).toMatchObject({ path: 'link/a.ts', realPath: '/w/real/a.ts', linked: true });
    expect(throughLinks(path, [folderAt('/w')])).toMatchObject({
      path: 'real/a.ts',
      uri: 'file:///w/real/a.ts',
      fsPath: '/w/real/a.ts',
      linked: false,
    });
  });

  it('P3: refuses a link that leads outside, and names its target', async () => {
    const error = await refusal(resolver({ '/w/link': { link: '/home/u/.ssh' }, '/home/u/.ssh/id': 'k' })('link/id'));
    expect(error.code).toBe('outside_workspace');
    expect(error.message).toContain('/home/u/.ssh/id');
  });

  it('P3: refuses a link to a sibling folder with the same prefix', async () => {
    expect((await refusal(resolver({ '/w/link': { link: '/w-evil' }, '/w-evil/x': 'k' })('link/x'))).code).toBe(
      'outside_workspace',
    );
  });

  it('P4: refuses a dangling link, inside and outside', async () => {
    const resolve = resolver({
      '/w/out.txt': { link: '/outside/new.txt' },
      '/w/in.txt': { link: 'gone.txt' },
      '/w/a': 'x',
      '/outside/old': 'x',
    });
    expect((await refusal(resolve('out.txt'))).code).toBe('outside_workspace');
    expect((await refusal(resolve('in.txt'))).code).toBe('not_found');
  });

  it('P11: refuses a pipe', async () => {
    expect((await refusal(resolver({ '/w/p': pipe })('p'))).code).toBe('unavailable');
  });

  it('P11: refuses a link into proc', async () => {
    const error = await refusal(resolver({ '/w/x': { link: '/proc/self/environ' }, '/proc/self/environ': 'x' })('x'));
    expect(error.code).toBe('outside_workspace');
  });

  it('returns a missing file', async () => {
    expect(await resolver({ '/w/a': 'x' })('b')).toMatchObject({ kind: 'missing', realPath: '/w/b' });
  });

  it('works in a workspace folder that is a link', async () => {
    const folder = folderAt('/link', { realPath: '/w' });
    const resolve = resolver({ '/link': { link: '/w' }, '/w/a': 'x' }, [folder]);
    expect(await resolve('a')).toMatchObject({ path: 'a', fsPath: '/link/a', realPath: '/w/a', linked: false });
  });
});

describe('resolveAddress with several folders', () => {
  const folders = [folderAt('/r/app'), folderAt('/r/lib')];
  const resolve = resolver(
    {
      '/r/app/a.ts': '1',
      '/r/app/both.ts': '1',
      '/r/lib/both.ts': '2',
      '/r/lib/b.ts': '2',
      '/r/app/lib/b.ts': '3',
      '/r/lib/.env': 's',
    },
    folders,
  );

  it.each([
    ['a.ts', 'app/a.ts'],
    ['app/a.ts', 'app/a.ts'],
    ['b.ts', 'lib/b.ts'],
    ['lib/b.ts', 'lib/b.ts'],
    ['app/lib/b.ts', 'app/lib/b.ts'],
    ['/r/lib/both.ts', 'lib/both.ts'],
    ['app', 'app'],
  ])('P18: resolves %s to %s', async (address, path) => {
    expect((await resolve(address)).path).toBe(path);
  });

  it('P18: refuses a path that exists in two folders, and names both', async () => {
    const error = await refusal(resolve('both.ts'));
    expect(error.code).toBe('ambiguous_match');
    expect(error.message).toContain('app/both.ts');
    expect(error.message).toContain('lib/both.ts');
  });

  it('P18: allows a link from one folder into another', async () => {
    const linked = resolver({ '/r/app/x': { link: '/r/lib' }, '/r/lib/b.ts': 'x' }, folders);
    expect(throughLinks(await linked('app/x/b.ts'), folders).path).toBe('lib/b.ts');
  });

  it('P18: gives a secret name the same answer whether it exists or not', async () => {
    expect((await resolve('.env')).path).toBe('app/.env');
    expect((await resolver({ '/r/app/a': 'x', '/r/lib/a': 'y' }, folders)('.env')).path).toBe('app/.env');
  });
});
