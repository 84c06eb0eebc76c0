import { describe, expect, it } from 'vitest';
import type { ResolvedPath } from '#base/files.ts';
import { principalKey } from '#base/principal.ts';
import type { FileChange } from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import { decide, decideProposal, judgementOf, type Budget } from '#policy/decide.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Mode, RuleScope } from '#policy/rules.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';
import { at, createOf, deleteOf, editOf, moveOf } from './changes.ts';

const pathRules: PathRules = { home: '/home/u', privateFolders: [] };
const caller = { tool: 'apply_edit', principal: { credential: 'window', connectionId: 'one' } };
const manual = { policy: new FakePolicy(), caller };

function judged(risk: Risk, path: ResolvedPath, workspace = new FakeWorkspace(), worksUntrusted = false) {
  return decide({ ...manual, risk, worksUntrusted, paths: [path], workspace, pathRules });
}

function proposed(file: FileChange, workspace = new FakeWorkspace()) {
  return decideProposal({
    ...manual,
    tool: { risk: 'edit' },
    proposal: { kind: 'changes', files: [file] },
    workspace,
    pathRules,
  });
}

describe('a change in a work tree that the window only guards', () => {
  const tree = folderAt('/t/x', { name: 'worktree x', worktree: { of: '/w' } });
  const workspace = new FakeWorkspace([folderAt('/w'), tree]);
  const path = { ...at('src/a.ts', '/t/x/src/a.ts'), folder: tree, fsPath: '/t/x/src/a.ts', linked: false };
  const decided = (scope: RuleScope, paths: readonly string[], folder?: string) => {
    const given = {
      ...ruleOf({ effect: 'allow', class: 'edit', paths }, scope),
      ...(folder !== undefined && { folder }),
    };
    const rule = scope === 'session' ? { ...given, principal: principalKey(caller.principal) } : given;
    const proposal = { kind: 'changes', files: [editOf(path)] } as const;
    const policy = new FakePolicy(rule);
    return decideProposal({ caller, policy, tool: { risk: 'edit' }, proposal, workspace, pathRules }).effect;
  };

  it('is allowed by a rule for every folder, and by one that names the work tree', () => {
    expect(decided('user', ['src/**'])).toBe('allow');
    expect(decided('session', ['folder:worktree x:src/**'])).toBe('allow');
    expect(decided('workspace', ['src/**'], '/t/x')).toBe('allow');
  });

  it('is not allowed by a rule of a session or a workspace in the open folder', () => {
    expect(decided('session', ['src/**'])).toBe('ask');
    expect(decided('workspace', ['src/**'], '/w')).toBe('ask');
    expect(decided('user', ['folder:w:src/**'])).toBe('ask');
  });
});

describe('a call', () => {
  it('reads paths inside the workspace, protected ones too', () => {
    expect(judged('read', at('src/a.ts'))).toMatchObject({ effect: 'allow', protectedBy: [undefined] });
    expect(judged('read', at('.vscode/settings.json')).effect).toBe('allow');
  });

  it('asks for every other risk, and reports the pattern that protects a path', () => {
    for (const risk of ['edit', 'delete', 'execute', 'network', 'config'] as const) {
      expect(judged(risk, at('src/a.ts')).effect, risk).toBe('ask');
    }
    expect(judged('edit', at('.vscode/tasks.json'))).toMatchObject({ effect: 'ask', protectedBy: ['**/.vscode'] });
  });

  it.each(['read', 'edit'] as const)('P3 is denied for secrets and private paths: %s', (risk) => {
    for (const path of ['.env', '.git/config', 'secrets/a', 'tls.key']) {
      expect(judged(risk, at(path)), path).toMatchObject({ effect: 'deny', code: 'denied' });
    }
    const link = judged(risk, at('notes.txt', '/w/.env'));
    expect(link).toMatchObject({ effect: 'deny', code: 'denied' });
    expect(link.effect === 'deny' && link.message).toContain('/w/.env');
  });

  it('P1 P3 is denied when its path leads outside the workspace', () => {
    expect(judged('read', at('x', '/w-evil/x'))).toMatchObject({ effect: 'deny', code: 'outside_workspace' });
  });

  it('only works with tools that work untrusted when the workspace is untrusted', () => {
    const workspace = new FakeWorkspace();
    workspace.trusted = false;
    expect(judged('read', at('a'), workspace)).toMatchObject({ effect: 'deny', code: 'not_trusted' });
    expect(judged('read', at('a'), workspace, true).effect).toBe('allow');
    expect(judged('edit', at('a'), workspace)).toMatchObject({ effect: 'deny', code: 'not_trusted' });
    expect(judged('read', at('.env'), workspace, true)).toMatchObject({ code: 'denied' });
  });
});

describe('a proposal', () => {
  it('asks by its class in an untrusted workspace when its tool works untrusted', () => {
    const workspace = new FakeWorkspace();
    workspace.trusted = false;
    const proposal = { kind: 'changes' as const, files: [editOf(at('src/a.ts'))] };
    const decision = (worksUntrusted: boolean) =>
      decideProposal({ ...manual, tool: { risk: 'edit', worksUntrusted }, proposal, workspace, pathRules });
    expect(decision(true)).toMatchObject({ effect: 'ask', step: 'default', trusted: false });
    expect(decision(false)).toMatchObject({ effect: 'deny', step: 'trust', code: 'not_trusted' });
  });

  it('has a confirm count only when several files are deleted', () => {
    expect(proposed(editOf(at('a')))).not.toHaveProperty('confirmCount');
    expect(proposed(deleteOf(at('a'), ['b', 'c']))).toMatchObject({ confirmCount: 2 });
  });

  it('A20: asks when the budget is spent, and does not use the budget when it asks anyway or only reads', () => {
    const decision = (mode: Mode, budget: Budget, risk: Risk = 'edit') => {
      const policy = new FakePolicy();
      policy.currentMode = mode;
      const proposal = { kind: 'changes' as const, files: [editOf(at('src/a.ts'))] };
      return decideProposal({
        policy,
        caller,
        tool: { risk },
        proposal,
        workspace: new FakeWorkspace(),
        pathRules,
        budget,
      });
    };
    expect(decision('acceptEdits', () => undefined)).toMatchObject({ effect: 'allow', step: 'default' });
    const spent = decision('acceptEdits', ({ files }) => `too many: ${files}`);
    expect(spent).toMatchObject({ effect: 'ask', step: 'limit', reason: 'too many: 1' });
    expect(spent.explain.at(-1)).toEqual({ step: 'limit', detail: 'ask: too many: 1' });
    const never: Budget = () => {
      throw new Error('It was asked.');
    };
    expect(decision('manual', never).effect).toBe('ask');
    expect(decision('acceptEdits', never, 'read')).toMatchObject({ effect: 'allow' });
    expect(decision('unattended', () => 'too many')).toMatchObject({ effect: 'deny', step: 'unattended' });
  });

  it('passes on to the card why it was decided, and leaves out fields that do not apply', () => {
    const rule = ruleOf({ effect: 'ask', class: 'edit' });
    const policy = new FakePolicy(rule);
    const judge = (rules: FakePolicy, file: FileChange) =>
      judgementOf(
        decideProposal({
          policy: rules,
          caller,
          tool: { risk: 'edit' },
          proposal: { kind: 'changes', files: [file] },
          workspace: new FakeWorkspace(),
          pathRules,
        }),
      );
    expect(judge(policy, editOf(at('a')))).toEqual({
      effect: 'ask',
      reason: 'ask rule r-ask (user)',
      risk: 'edit',
      protectedBy: [undefined],
      onceOnly: false,
      mode: 'manual',
      rule: { id: 'r-ask', scope: 'user' },
      explain: expect.arrayContaining([{ step: 'hard_deny', detail: 'does not apply' }]),
    });
    const deletion = judge(new FakePolicy(), deleteOf(at('a'), ['b', 'c']));
    expect(deletion).toMatchObject({ confirmCount: 2, onceOnly: true, risk: 'delete' });
    expect(deletion).not.toHaveProperty('rule');
    const allowing = new FakePolicy(ruleOf({ effect: 'allow', class: 'edit' }));
    expect(judge(allowing, editOf(at('a'))).effect).toBe('allow');
    expect(judge(new FakePolicy(), editOf(at('.env'))).effect).toBe('ask');
  });

  it('asks, reports protected paths, and is denied where a call would be', () => {
    expect(proposed(editOf(at('src/a.ts')))).toMatchObject({ effect: 'ask', protectedBy: [undefined] });
    expect(proposed(editOf(at('Makefile')))).toMatchObject({
      effect: 'ask',
      reason: expect.stringContaining('protected path'),
      protectedBy: ['**/makefile'],
    });
    expect(proposed(editOf(at('a', '/w/.env')))).toMatchObject({ effect: 'deny', code: 'denied' });
  });

  it('P5 P18 is judged by the current folders and the current trust', () => {
    const workspace = new FakeWorkspace();
    workspace.setFolders([folderAt('/other')]);
    expect(proposed(editOf(at('a')), workspace)).toMatchObject({ effect: 'deny', code: 'outside_workspace' });
    workspace.setFolders([folderAt('/w')]);
    workspace.trusted = false;
    expect(proposed(editOf(at('a')), workspace)).toMatchObject({ effect: 'deny', code: 'not_trusted' });
  });

  it.each([
    ['{"version":"1"}', '{"version":"2"}', undefined],
    ['{"scripts":{"a":"x"}}', '{"scripts":{"a":"x"},"name":"n"}', undefined],
    ['{"scripts":{"a":"x"}}', '{"scripts":{"a":"y"}}', '**/package.json'],
    ['{}', '{"devDependencies":{"a":"1"}}', '**/package.json'],
    ['{}', '{"bin":"x"}', '**/package.json'],
    ['{}', '{"workspaces":[]}', '**/package.json'],
    ['{}', '{"packageManager":"x"}', '**/package.json'],
    ['{}', '{broken', '**/package.json'],
  ])('package.json %s -> %s is protected by %s', (base, result, expected) => {
    expect(proposed(editOf(at('pkg/package.json'), base, result)).protectedBy).toEqual([expected]);
  });
});

it.each([
  ['[]', '{}', '**/package.json'],
  ['null', '{}', '**/package.json'],
  ['1', '1', '**/package.json'],
  ['[]', '[]', '**/package.json'],
  ['{broken', '{broken', '**/package.json'],
  ['{}', '{"name":"n"}', undefined],
])('protects a package.json that is not an object: %s -> %s', (base, result, expected) => {
  expect(proposed(editOf(at('package.json'), base, result)).protectedBy).toEqual([expected]);
});

it('judges only a file named package.json by the scripts it holds', () => {
  for (const name of ['package.jsonc', 'my-package.json', 'package.json/x']) {
    expect(proposed(editOf(at(name), '{}', '{"bin":"x"}')).protectedBy, name).toEqual([undefined]);
  }
  expect(proposed(editOf(at('package.json'), '{}', '{"bin":"x"}')).protectedBy).toEqual(['**/package.json']);
});

it('P3 names the real path in a refusal only when it differs from the address', () => {
  const messageOf = (path: ResolvedPath, workspace = new FakeWorkspace()) => {
    const decision = judged('read', path, workspace);
    return decision.effect === 'deny' ? decision.message : '';
  };
  expect(messageOf(at('.env'))).not.toContain('leads to');
  expect(messageOf(at('notes', '/w/.env'))).toContain('"notes", which leads to "/w/.env",');
  const linked = folderAt('/w', { realPath: '/real/w' });
  const inLinked = { ...at('.env', '/real/w/.env'), folder: linked };
  expect(messageOf(inLinked, new FakeWorkspace([linked]))).not.toContain('leads to');
});

describe('the places of a change', () => {
  it('P15 judges both ends of a move and the files below them', () => {
    expect(proposed(moveOf(at('payload.txt'), at('.vscode/tasks.json')))).toMatchObject({
      reason: expect.stringContaining('protected path'),
      protectedBy: ['**/.vscode'],
    });
    expect(proposed(moveOf(at('a'), at('.github'), ['workflows/ci.yml'])).protectedBy).toEqual([
      '**/.github/{workflows,actions}',
    ]);
    expect(proposed(moveOf(at('.vscode'), at('a'), ['tasks.json'])).protectedBy).toEqual(['**/.vscode']);
    expect(proposed(moveOf(at('a'), at('b'), ['x.ts'])).protectedBy).toEqual([undefined]);
    for (const change of [
      moveOf(at('.env'), at('notes.txt')),
      moveOf(at('notes.txt'), at('.env')),
      moveOf(at('a'), at('.git/hooks'), ['pre-push']),
      moveOf(at('a'), at('b'), ['deep/server.key']),
      moveOf(at('a'), at('link', '/w/secrets/x')),
    ]) {
      expect(proposed(change)).toMatchObject({ effect: 'deny', code: 'denied' });
    }
    expect(proposed(moveOf(at('a'), at('x', '/elsewhere/x')))).toMatchObject({ code: 'outside_workspace' });
  });

  it('P16 judges a file that does not exist yet by its name', () => {
    expect(proposed(createOf(at('.cursor/mcp.json'))).protectedBy).toEqual(['**/.cursor']);
    expect(proposed(createOf(at('.git/hooks/pre-push')))).toMatchObject({ effect: 'deny', code: 'denied' });
  });

  it('P6 judges names case-folded at both ends of a change', () => {
    expect(proposed(createOf(at('.VSCode/Settings.json'))).protectedBy).toEqual(['**/.vscode']);
    expect(proposed(createOf(at('.Git/hooks/pre-commit')))).toMatchObject({ code: 'denied' });
    expect(proposed(deleteOf(at('.ENV')))).toMatchObject({ code: 'denied' });
    expect(proposed(deleteOf(at('a'), ['Deep/.EnV']))).toMatchObject({ code: 'denied' });
    expect(proposed(moveOf(at('a'), at('.GITHUB'), ['Workflows/CI.yml'])).protectedBy[0]).toContain('workflows');
    expect(proposed(createOf(at('Package.JSON'), '{"scripts":{}}')).protectedBy).toEqual(['**/package.json']);
  });

  it('refuses to delete a folder with a secret in it, and names only the pattern', () => {
    const refused = proposed(deleteOf(at('src'), ['a.ts', 'customers/prod.pem']));
    expect(refused).toMatchObject({ effect: 'deny', code: 'denied', message: expect.stringContaining('**/*.pem') });
    expect(JSON.stringify(refused)).not.toContain('prod');
    expect(proposed(deleteOf(at('src'), ['.env.example'])).effect).toBe('ask');
  });

  it('refuses to delete or move a workspace folder or a folder around one', () => {
    const workspace = new FakeWorkspace([folderAt('/w'), folderAt('/w/a/inner')]);
    for (const change of [deleteOf(at(''), ['x']), deleteOf(at('a'), ['x']), moveOf(at('a/inner'), at('b'), ['x'])]) {
      const inWorkspace = { ...change, path: { ...change.path, realPath: change.path.realPath.replace(/\/$/, '') } };
      expect(proposed(inWorkspace, workspace)).toMatchObject({ effect: 'deny', code: 'denied' });
    }
    expect(proposed(deleteOf(at('a/b'), ['x']), workspace).effect).toBe('ask');
  });

  it.each([
    [createOf(at('package.json'), '{"scripts":{"a":"x"}}'), '**/package.json'],
    [createOf(at('package.json'), '{"name":"n"}'), undefined],
    [createOf(at('package.json'), ''), '**/package.json'],
    [moveOf(at('payload.json'), at('package.json')), '**/package.json'],
    [moveOf(at('package.json'), at('old.json')), '**/package.json'],
    [deleteOf(at('package.json')), '**/package.json'],
    [{ ...deleteOf(at('package.json')), base: { text: '{"name":"n"}', encoding: 'utf8' } }, undefined],
    [{ ...deleteOf(at('package.json')), base: { text: '{"bin":"x"}', encoding: 'utf8' } }, '**/package.json'],
  ] as const)('package.json %# is protected by %s', (change, pattern) => {
    expect(proposed(change).protectedBy).toEqual([pattern]);
  });
});

describe('the risk of a proposal', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}\n`).join('');

  it.each([
    ['an edit', editOf(at('a'), lines(10), lines(9)), 'edit'],
    ['a rewrite', editOf(at('a'), lines(10), lines(10).toUpperCase()), 'edit'],
    ['a single line', editOf(at('a'), 'a', 'b'), 'edit'],
    ['a fifth left', editOf(at('a'), lines(10), lines(2)), 'edit'],
    ['less than a fifth left', editOf(at('a'), lines(10), lines(1)), 'delete'],
    ['blank lines left', editOf(at('a'), lines(10), '\n \n'.repeat(10)), 'delete'],
    ['truncation', editOf(at('a'), 'x\n', ''), 'delete'],
    ['a text in an empty file', editOf(at('a'), '', 'x'), 'edit'],
    ['an overwrite', { ...editOf(at('a')), overwrites: true }, 'delete'],
    ['a creation', createOf(at('a')), 'edit'],
    ['a delete', deleteOf(at('a')), 'delete'],
    ['P15 a move', moveOf(at('a'), at('b')), 'delete'],
  ] as const)('of %s', (_, change, risk) => {
    expect(proposed(change)).toMatchObject({ effect: 'ask', risk });
  });

  it('is the worst of all its changes, and never below the risk of the tool', () => {
    const judge = (risk: Risk, ...files: readonly FileChange[]) =>
      decideProposal({
        ...manual,
        tool: { risk },
        proposal: { kind: 'changes', files },
        workspace: new FakeWorkspace(),
        pathRules,
      });
    expect(judge('edit', editOf(at('a')), deleteOf(at('b'))).risk).toBe('delete');
    expect(judge('delete', editOf(at('a'))).risk).toBe('delete');
    expect(judge('edit', editOf(at('a')), createOf(at('Makefile'))).protectedBy).toEqual([undefined, '**/makefile']);
  });
});

describe('F19 the stricter decision', () => {
  it('denies the whole proposal when one of its files is denied', () => {
    const proposal = { kind: 'changes' as const, files: [editOf(at('a.ts')), editOf(at('.env'))] };
    const tool = { risk: 'edit' as const };
    expect(decideProposal({ ...manual, tool, proposal, workspace: new FakeWorkspace(), pathRules }).effect).toBe(
      'deny',
    );
    expect(judged('read', at('.env')).effect).toBe('deny');
  });

  it('protects a path from every tool, and treats an overwrite as a delete for every tool', () => {
    for (const risk of ['edit', 'delete'] as const) {
      const files = [{ ...editOf(at('.vscode/tasks.json')), overwrites: true as const }];
      const proposal = { kind: 'changes' as const, files };
      const decision = decideProposal({
        ...manual,
        tool: { risk },
        proposal,
        workspace: new FakeWorkspace(),
        pathRules,
      });
      expect(decision).toMatchObject({ effect: 'ask', risk: 'delete', protectedBy: [expect.any(String)] });
    }
  });
});
