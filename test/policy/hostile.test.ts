import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { decide, decideProposal } from '#policy/decide.ts';
import type { Mode, ScopedRule } from '#policy/rules.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';
import { at, createOf, deleteOf, editOf, moveOf, proposalOf } from './changes.ts';

const pathRules = { home: '/home/u', privateFolders: [] };
const caller = { tool: 'apply_edit', principal: { credential: 'window', connectionId: 'one' } };

interface Given {
  readonly mode?: Mode;
  readonly rules?: readonly ScopedRule[];
  readonly folders?: readonly WorkspaceFolder[];
}

function situation({ mode = 'manual', rules = [], folders = [folderAt('/w')] }: Given) {
  const policy = new FakePolicy(...rules);
  policy.currentMode = mode;
  return { workspace: new FakeWorkspace(folders), pathRules, caller, policy };
}

function proposed(change: FileChange, given: Given = {}) {
  return decideProposal({ ...situation(given), tool: { risk: 'edit' }, proposal: proposalOf(change) });
}

function called(risk: Risk, path: ReturnType<typeof at>, given: Given = {}) {
  return decide({ ...situation(given), risk, worksUntrusted: true, paths: [path] });
}

describe('nested folders of the window', () => {
  const folders = [folderAt('/w'), folderAt('/w/pkg')];
  const [outer, inner] = [at('pkg/src/a.ts'), { ...at('pkg/src/a.ts'), folder: folderAt('/w/pkg') }];

  it('P1: apply a rule about the inner folder to a file addressed by the outer folder', () => {
    for (const paths of [['src/**'], ['folder:pkg:src/**'], ['folder:w:pkg/**']]) {
      const rules = [ruleOf({ effect: 'deny', class: 'edit', paths })];
      for (const path of [outer, inner]) {
        expect(proposed(editOf(path), { rules, folders }), paths.join()).toMatchObject({ step: 'deny_rule' });
      }
    }
    const asks = [ruleOf({ effect: 'ask', class: 'read', paths: ['folder:pkg:src/**'] })];
    expect(called('read', outer, { rules: asks, folders }).effect).toBe('ask');
  });

  it('F16: apply an allow rule for the innermost folder of a file, whichever folder addressed it', () => {
    const rules = [ruleOf({ effect: 'allow', class: 'edit', paths: ['folder:pkg:src/a.ts'] })];
    for (const path of [outer, inner]) expect(proposed(editOf(path), { rules, folders }).effect).toBe('allow');
    const other = [ruleOf({ effect: 'allow', class: 'edit', paths: ['folder:w:pkg/src/a.ts'] })];
    for (const path of [outer, inner]) expect(proposed(editOf(path), { rules: other, folders }).effect).toBe('ask');
  });

  it('P3: apply a rule about a linked folder to the file at its real path', () => {
    const linked = [folderAt('/w'), folderAt('/link', { name: 'pkg', realPath: '/w/pkg' })];
    const rules = [ruleOf({ effect: 'deny', class: 'edit', paths: ['folder:pkg:src/**'] })];
    expect(proposed(editOf(outer), { rules, folders: linked })).toMatchObject({ step: 'deny_rule' });
  });
});

describe('a change of many files', () => {
  const many = Array.from({ length: 61 }, (_, index) => `${index}.ts`);

  it('A20: counts every file of a folder against the limit of a rule', () => {
    const rule = (maxFiles: number) => [ruleOf({ effect: 'allow', tools: ['apply_edit'], limits: { maxFiles } })];
    for (const change of [moveOf(at('a'), at('b'), many), deleteOf(at('a'), ['1', '2', '3'], 'committed')]) {
      expect(proposed(change, { rules: rule(2) }).effect).toBe('ask');
    }
    expect(proposed(moveOf(at('a'), at('b'), many), { rules: rule(61) }).effect).toBe('allow');
    expect(proposed(moveOf(at('a.ts'), at('b.ts')), { rules: rule(1) }).effect).toBe('allow');
  });

  it('A16: counts every file of a folder against the budget of unasked changes', () => {
    const counted: number[] = [];
    const budget = ({ files }: { readonly files: number }): undefined => void counted.push(files);
    const rules = [ruleOf({ effect: 'allow', tools: ['apply_edit'] })];
    const proposal = proposalOf(moveOf(at('a'), at('b'), many), editOf(at('c')));
    decideProposal({ ...situation({ rules }), tool: { risk: 'edit' }, proposal, budget });
    expect(counted).toEqual([62]);
  });
});

describe('the message to a model', () => {
  it('A8: tells neither the contents nor the path of an unreadable rules file in Unattended mode', () => {
    const invalid = '/home/u/.drawbridge/rules.json cannot be used: Unexpected token in "my own words".';
    const rules = [{ ...ruleOf({ effect: 'ask', class: 'edit' }), invalid }];
    const decision = proposed(editOf(at('a.ts')), { rules, mode: 'unattended' });
    expect(decision).toMatchObject({ effect: 'deny', message: expect.stringContaining('r-ask') });
    expect(decision.effect === 'deny' && decision.message + decision.hint).not.toMatch(/home|words/);
    expect(decision.reason).toContain('my own words');
  });
});

describe('secrets', () => {
  it('A8: stay closed when an ask rule only has exclusions', () => {
    const rules = [ruleOf({ effect: 'ask', class: 'read', paths: ['!src/**'] })];
    expect(called('read', at('.env'), { rules })).toMatchObject({ effect: 'deny', step: 'secret' });
    expect(called('read', at('a.ts'), { rules }).effect).toBe('ask');
  });
});

describe('other spellings of protected names', () => {
  it.each([
    ['.v\u017Fcode/tasks.json', '**/.vscode'],
    ['.HU\u017FKY/pre-commit', '**/.husky'],
    ['ma\u212Aefile', '**/makefile'],
    ['GNUmakefile', '**/gnumakefile'],
    ['.lefthook-local.yml', '**/.lefthook*'],
    ['.mise.toml', '**/{,.}mise*.toml'],
    ['compose.yaml', '**/{,podman-}compose*.{yml,yaml}'],
    ['CLAUDE.local.md', '**/claude.local.md'],
    ['.pnpmfile.mjs', '**/.pnpmfile.{cjs,mjs}'],
  ])('P6 P16: %s is protected as %s', (name, pattern) => {
    const decision = proposed(createOf(at(name)), { mode: 'acceptEdits' });
    expect(decision).toMatchObject({ effect: 'ask', protectedBy: [pattern] });
  });

  it('P6: denies secrets and private paths in letters that a case-insensitive disk treats as equal', () => {
    for (const name of ['\u017Fecrets/k', 'x.\u212Aey', '.g\u0131t/hooks/x']) {
      expect(proposed(createOf(at(name))), name).toMatchObject({ effect: 'deny' });
    }
  });

  it('P8: matches one letter with the ? of a deny rule, also when folding makes it two', () => {
    for (const name of ['stra\u00DFe', 'STRA\u00DFE', 'o\u03C2', '\u0149x']) {
      const glob = name.replace(/[\u00DF\u03C2\u0149]/g, '?');
      const rules = [ruleOf({ effect: 'deny', class: 'edit', paths: [glob] })];
      expect(proposed(editOf(at(name)), { rules }), name).toMatchObject({ effect: 'deny' });
    }
    const greek = [ruleOf({ effect: 'deny', class: 'edit', paths: ['\u03BF\u03C3*'] })];
    expect(proposed(editOf(at('\u039F\u03A3\u0391')), { rules: greek }).effect).toBe('deny');
  });

  it.each(['lint-staged', 'husky', 'simple-git-hooks'])(
    'A25: asks when package.json changes what runs at a commit: %s',
    (key) => {
      const change = editOf(at('package.json'), '{}', JSON.stringify({ [key]: { '*': 'node x.js' } }));
      expect(proposed(change, { mode: 'acceptEdits' })).toMatchObject({
        effect: 'ask',
        reason: 'protected path **/package.json',
      });
    },
  );
});

describe('Unattended mode', () => {
  it('lets a delete call build its proposal, and allows it only when a commit holds the files', () => {
    expect(called('delete', at('a.ts'), { mode: 'unattended' }).effect).not.toBe('deny');
    expect(proposed(deleteOf(at('a.ts'), [], 'committed'), { mode: 'unattended' }).effect).toBe('allow');
    expect(proposed(deleteOf(at('a.ts')), { mode: 'unattended' }).effect).toBe('deny');
    const rules = [ruleOf({ effect: 'ask', class: 'delete' })];
    expect(called('delete', at('a.ts'), { mode: 'unattended', rules }).effect).toBe('deny');
    expect(called('delete', at('a.ts'), { mode: 'readOnly' }).effect).toBe('deny');
  });
});
