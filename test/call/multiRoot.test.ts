import { describe, expect, it } from 'vitest';
import type { ChangesProposal } from '#base/proposal.ts';
import { recheckProposal } from '#call/recheck.ts';
import { judgeProposal } from '#call/repropose.ts';
import { resolveAddress } from '#call/resolve.ts';
import type { ScopedRule } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

const web = folderAt('/web');
const api = folderAt('/api');
/** A folder of the window that lies in another one. */
const nested = folderAt('/web/packages/ui', { name: 'ui' });

function setUp(folders = [web, api], nodes: Readonly<Record<string, FakeNode>> = {}) {
  const workspace = new FakeWorkspace(folders);
  const files = new FakeFiles({
    '/web/src/a.ts': 'web\n',
    '/api/src/a.ts': 'api\n',
    '/web/packages/ui/b.ts': 'ui\n',
    ...nodes,
  });
  const policy = new FakePolicy();
  const dependencies = {
    files,
    workspace,
    policy,
    pathRules: { home: '/home/u', privateFolders: [] },
    catalog: { tools },
  };
  const principal = { credential: 'window' };
  const resolve = (address: string) => resolveAddress(address, { ...dependencies, purpose: 'change' });
  return {
    workspace,
    policy,
    resolve,
    proposing: async (address: string, text = 'new\n') => {
      const path = await resolve(address);
      const base = {
        text: (await files.readText(path, Infinity)).text,
        encoding: 'utf8',
        source: 'disk',
        unsaved: false,
        unifiedLineEnds: 0,
      } as const;
      const proposal: ChangesProposal = {
        kind: 'changes',
        files: [{ kind: 'edit', path, base, result: { text, encoding: 'utf8' } }],
      };
      return {
        recheck: () => recheckProposal('apply_edit', proposal, principal, dependencies, true),
        effect: async () => judgeProposal('apply_edit', proposal, principal, dependencies)?.effect,
      };
    },
  };
}

const allow = (facts: Partial<ScopedRule>, ...paths: readonly string[]): ScopedRule => ({
  ...ruleOf({ effect: 'allow', class: 'edit', paths }, facts.folder === undefined ? 'user' : 'workspace'),
  ...facts,
});

describe('a window with several folders', () => {
  it('takes the same relative path in two folders for two files, and neither for the other', async () => {
    const { resolve } = setUp();
    expect(await resolve('web/src/a.ts')).toMatchObject({ realPath: '/web/src/a.ts', path: 'web/src/a.ts' });
    expect(await resolve('api/src/a.ts')).toMatchObject({ realPath: '/api/src/a.ts', path: 'api/src/a.ts' });
    await expect(resolve('src/a.ts')).rejects.toMatchObject({ code: 'ambiguous_match' });
  });

  it('P27: counts a rule for one folder in this folder only', async () => {
    const { policy, proposing } = setUp();
    const [inWeb, inApi] = [await proposing('web/src/a.ts'), await proposing('api/src/a.ts')];
    for (const rule of [allow({ folder: '/web' }, 'src/a.ts'), allow({}, 'folder:web:src/a.ts')]) {
      policy.setRules(rule);
      expect([await inWeb.effect(), await inApi.effect()]).toEqual(['allow', 'ask']);
    }
    policy.setRules(allow({}, 'src/a.ts'));
    expect([await inWeb.effect(), await inApi.effect()]).toEqual(['allow', 'allow']);
  });

  it('P27: protects the files of each folder, also of one that lies in another', async () => {
    const names = ['/web/.vscode/tasks.json', '/api/.vscode/tasks.json', '/web/packages/ui/.vscode/tasks.json'];
    const { policy, proposing } = setUp([web, api, nested], Object.fromEntries(names.map((name) => [name, '{}\n'])));
    policy.currentMode = 'acceptEdits';
    policy.setRules(
      allow({}, './**'),
      allow({ folder: '/web' }, './**'),
      allow({ folder: '/web/packages/ui' }, './**'),
    );
    for (const name of ['web', 'api', 'ui']) {
      expect(await (await proposing(`${name}/.vscode/tasks.json`)).effect()).toBe('ask');
    }
    expect(await (await proposing('web/src/a.ts')).effect()).toBe('allow');
  });

  it('P18: applies no change whose folder was removed while it waited', async () => {
    const { workspace, proposing } = setUp();
    const { recheck } = await proposing('api/src/a.ts');
    expect(await recheck()).toBeUndefined();
    workspace.setFolders([web]);
    expect(await recheck()).toMatch(/outside|not inside|no folder/i);
    workspace.setFolders([web, api]);
    expect(await recheck()).toBeUndefined();
  });

  it('P18: applies no change of a nested folder in the name of the folder around it without judging it again', async () => {
    const { workspace, policy, proposing } = setUp([web, nested]);
    const { recheck } = await proposing('ui/b.ts');
    expect(await recheck()).toBeUndefined();
    policy.setRules({
      ...ruleOf({ effect: 'deny', class: 'edit', paths: ['packages/**'] }, 'workspace'),
      folder: '/web',
    });
    expect(await recheck()).toBeDefined();
    policy.setRules();
    workspace.setFolders([web]);
    // The file is inside the other folder still, and is judged there.
    expect(await recheck()).toBeUndefined();
  });
});
