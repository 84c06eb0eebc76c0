import { describe, expect, it } from 'vitest';
import type { ActionProposal, ChangesProposal, FileChange } from '#base/proposal.ts';
import { recheckProposal } from '#call/recheck.ts';
import { judgeProposal } from '#call/repropose.ts';
import { resolveAddress } from '#call/resolve.ts';
import type { Tool } from '#call/tool.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { tools } from '#tools/index.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

async function setUp(nodes: Readonly<Record<string, FakeNode>> = { '/w/src/a.ts': 'old\n' }) {
  const files = new FakeFiles(nodes);
  const workspace = new FakeWorkspace();
  const pathRules = { home: '/home/u', privateFolders: [] };
  const policy = new FakePolicy();
  const dependencies = {
    files,
    workspace,
    pathRules,
    policy,
    purpose: 'change' as const,
    catalog: { tools },
  };
  const path = await resolveAddress('src/a.ts', dependencies);
  const base = { text: 'old\n', encoding: 'utf8', source: 'disk', unsaved: false, unifiedLineEnds: 0 } as const;
  const proposal: ChangesProposal = {
    kind: 'changes',
    files: [{ kind: 'edit', path, base, result: { text: 'new\n', encoding: 'utf8' } }],
  };
  const principal = { credential: 'window' };
  const offering = (offered: readonly Tool[]) => ({ ...dependencies, catalog: { tools: offered } });
  const recheck = (isApproved = true, offered = tools) =>
    recheckProposal('apply_edit', proposal, principal, offering(offered), isApproved);
  const judge = (offered = tools) => judgeProposal('apply_edit', proposal, principal, offering(offered));
  return { files, policy, workspace, recheck, judge };
}

it('allows a proposal when nothing has changed', async () => {
  expect(await (await setUp()).recheck()).toBeUndefined();
});

describe('the recheck of a path where nothing was', () => {
  async function creation(kind: 'create' | 'move') {
    const files = new FakeFiles({ '/w/src/a.ts': 'old\n', '/w/lib/x': '' });
    const workspace = new FakeWorkspace();
    const dependencies = {
      files,
      workspace,
      pathRules: { home: '/home/u', privateFolders: [] },
      policy: new FakePolicy(),
      catalog: { tools },
    };
    const resolve = (address: string, purpose: 'change' | 'entry') =>
      resolveAddress(address, { ...dependencies, purpose });
    const result = { text: 'new\n', encoding: 'utf8' };
    const change: FileChange =
      kind === 'create'
        ? { kind, path: await resolve('lib/b.ts', 'change'), result }
        : {
            kind,
            path: await resolve('src/a.ts', 'entry'),
            to: await resolve('lib/b.ts', 'entry'),
            isFolder: false,
            files: [],
          };
    const tool = kind === 'create' ? 'create_file' : 'move_file';
    const recheck = () =>
      recheckProposal(tool, { kind: 'changes', files: [change] }, { credential: 'window' }, dependencies, true);
    return { files, recheck };
  }

  it.each(['create', 'move'] as const)('refuses a %s when something exists there now', async (kind) => {
    const t = await creation(kind);
    expect(await t.recheck()).toBeUndefined();
    t.files.nodes.set('/w/lib/b.ts', 'somebody else\n');
    expect(await t.recheck()).toBe('lib/b.ts exists now.');
  });

  it.each(['create', 'move'] as const)('P5: refuses a %s when the path leads elsewhere now', async (kind) => {
    const t = await creation(kind);
    t.files.nodes.delete('/w/lib/x');
    t.files.nodes.set('/w/other/x', '');
    t.files.nodes.set('/w/lib', { link: '/w/other' });
    expect(await t.recheck()).toContain('leads to another place');
  });
});

it('P5: refuses a file that another program replaced', async () => {
  const t = await setUp();
  t.files.devices.set('/w/src/a.ts', 2n);
  expect(await t.recheck()).toContain('was replaced since');
});

it('refuses a proposal when its tool is no longer offered', async () => {
  const t = await setUp();
  expect(await t.recheck(true, [])).toBe('The tool is no longer offered.');
  expect(() => t.judge([])).toThrow('no longer offered');
});

it('P5: refuses a path that leads elsewhere now', async () => {
  const t = await setUp();
  t.files.nodes.delete('/w/src/a.ts');
  t.files.nodes.set('/w/src/a.ts', { link: '/w/other.ts' });
  t.files.nodes.set('/w/other.ts', 'old\n');
  expect(await t.recheck()).toContain('leads to another file');
});

it('P18: refuses a change when trust or the workspace folder is gone', async () => {
  const t = await setUp();
  t.workspace.trusted = false;
  expect(await t.recheck()).toContain('not trusted');
  t.workspace.setFolders([]);
  expect(await t.recheck()).toBeDefined();
});

it('P18: refuses a change that was allowed without asking when it would need approval now', async () => {
  const t = await setUp();
  t.policy.currentMode = 'acceptEdits';
  expect(await t.recheck(false)).toBeUndefined();
  for (const mode of ['manual', 'readOnly'] as const) {
    t.policy.currentMode = mode;
    expect(await t.recheck(false), mode).toBeDefined();
  }
  t.policy.currentMode = 'unattended';
  t.policy.setRules(ruleOf({ effect: 'ask', class: 'edit' }));
  expect(await t.recheck(false)).toContain('approval');
});

it('allows an approved change in every mode except Read-only, but not when a rule denies it', async () => {
  const t = await setUp();
  t.policy.setRules(ruleOf({ effect: 'ask', class: 'edit' }));
  for (const mode of ['manual', 'acceptEdits', 'unattended'] as const) {
    t.policy.currentMode = mode;
    expect(await t.recheck(), mode).toBeUndefined();
    expect(t.judge(), mode).toMatchObject({ effect: 'ask' });
  }
  t.policy.currentMode = 'readOnly';
  expect(await t.recheck()).toContain('Read-only');
  t.policy.currentMode = 'unattended';
  t.policy.setRules(ruleOf({ effect: 'deny', class: 'edit' }));
  expect(await t.recheck()).toContain('denies');
  expect(() => t.judge()).toThrow('denies');
});

describe('the recheck of an action', () => {
  async function acting(...rules: Parameters<typeof ruleOf>[0][]) {
    const files = new FakeFiles({ '/w/src/a.ts': 'old\n', '/w/src/b.ts': 'old\n' });
    const workspace = new FakeWorkspace();
    const policy = new FakePolicy(...rules.map((rule) => ruleOf(rule)));
    const pathRules = { home: '/home/u', privateFolders: [] };
    const tool: Tool = { ...applyEdit, name: 'run_command', risk: 'execute' };
    const dependencies = { files, workspace, pathRules, policy, catalog: { tools: [tool] } };
    const place = await resolveAddress('src/a.ts', { ...dependencies, purpose: 'read' });
    const facts = { title: 'Fix All', definition: 'fixAll', arguments: [], remarks: [] };
    const proposal: ActionProposal = { kind: 'action', files: [], places: [place], ...facts };
    const recheck = (isApproved = true, name = 'run_command') =>
      recheckProposal(name, proposal, { credential: 'window' }, dependencies, isApproved);
    return { files, workspace, policy, recheck };
  }

  it('allows an action that was approved or that a rule allows', async () => {
    expect(await (await acting()).recheck()).toBeUndefined();
    expect(await (await acting()).recheck(false)).toContain("needs the user's approval");
    const allow = { effect: 'allow', class: 'execute', action: 'fixAll []' } as const;
    expect(await (await acting(allow)).recheck(false)).toBeUndefined();
  });

  it('P5 P18: refuses an action when its file leads elsewhere, trust is gone, a rule denies it or its tool is gone', async () => {
    const moved = await acting();
    moved.files.nodes.delete('/w/src/a.ts');
    moved.files.nodes.set('/w/src/a.ts', { link: '/w/src/b.ts' });
    expect(await moved.recheck()).toContain('leads to another file');
    const untrusted = await acting();
    untrusted.workspace.trusted = false;
    expect(await untrusted.recheck()).toContain('not trusted');
    expect(await (await acting({ effect: 'deny', class: 'execute' })).recheck()).toContain('denies this');
    expect(await (await acting()).recheck(true, 'other')).toBe('The tool is no longer offered.');
  });
});
