import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import { decide, decideProposal } from '#policy/decide.ts';
import { modeDefault } from '#policy/decide.ts';
import type { Mode, ScopedRule } from '#policy/rules.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { at, createOf, deleteOf, editOf, moveOf, proposalOf } from './changes.ts';

const pathRules = { home: '/home/u', privateFolders: [] };
const caller = { tool: 'apply_edit', principal: { credential: 'window' } };

function situation(mode: Mode, policy = new FakePolicy()) {
  policy.currentMode = mode;
  return { workspace: new FakeWorkspace(), pathRules, caller, policy };
}

function proposed(mode: Mode, change: FileChange, policy = new FakePolicy()) {
  const tool = { risk: 'edit' as const };
  return decideProposal({ ...situation(mode, policy), tool, proposal: proposalOf(change) });
}

function called(mode: Mode, risk: Risk, relative = 'src/a.ts') {
  return decide({ ...situation(mode), risk, worksUntrusted: false, paths: [at(relative)] });
}

const committed = (...files: readonly string[]) => deleteOf(at('src/old'), files, 'committed');
const many = Array.from({ length: 21 }, (_, index) => `${index}.ts`);

/** See docs/security.md, "Modes". Unattended mode denies everything that would ask. */
describe('the table of modes and classes', () => {
  it('G2: names the rule that would allow an own edit of an assistant, and asks all the same', () => {
    const judge = (...rules: readonly ScopedRule[]) =>
      decideProposal({
        ...situation('manual', new FakePolicy(...rules)),
        caller: { ...caller, tool: 'native_edit' },
        tool: { risk: 'edit' },
        proposal: proposalOf(editOf(at('src/a.ts'))),
      });
    const byClass = ruleOf({ id: 'by-class', effect: 'allow', class: 'edit', paths: ['src/**'] });
    const byTool = ruleOf({ id: 'by-tool', effect: 'allow', tools: ['apply_edit'] });
    expect(judge(byTool, byClass)).toMatchObject({ effect: 'ask', unusedRule: { id: 'by-class', scope: 'user' } });
    expect(judge(byTool)).not.toHaveProperty('unusedRule');
    expect(judge(ruleOf({ effect: 'allow', tools: ['native_edit'] }))).toMatchObject({ effect: 'allow' });
  });

  it('asks about a change that cannot be shown, also of a secret, and denies what it denies elsewhere', () => {
    const effectOf = (mode: Mode, path: string, ...rules: readonly ScopedRule[]) => {
      const tool = { risk: 'edit' as const, isUnseen: true };
      const proposal = {
        kind: 'action' as const,
        files: [],
        title: 'Edit',
        definition: 'native_edit_unseen',
        arguments: {},
        places: [at(path)],
        remarks: [],
      };
      return decideProposal({ ...situation(mode, new FakePolicy(...rules)), tool, proposal }).effect;
    };
    const allow = ruleOf({ effect: 'allow', class: 'edit', tools: ['apply_edit'] });
    for (const path of ['src/a.bin', '.env']) {
      expect(effectOf('manual', path, allow)).toBe('ask');
      expect(effectOf('acceptEdits', path)).toBe('ask');
      expect(effectOf('readOnly', path)).toBe('deny');
      expect(effectOf('unattended', path)).toBe('deny');
      expect(effectOf('manual', path, ruleOf({ effect: 'deny', paths: [path] }))).toBe('deny');
    }
    expect(effectOf('manual', '.git/config')).toBe('deny');
  });

  it.each([
    ['an edit', editOf(at('src/a.ts')), 'ask', 'allow', 'deny', 'allow'],
    ['a creation', createOf(at('src/new.ts')), 'ask', 'allow', 'deny', 'allow'],
    ['an edit of a protected file', editOf(at('.vscode/tasks.json')), 'ask', 'ask', 'deny', 'deny'],
    ['an edit of a Makefile', editOf(at('Makefile')), 'ask', 'ask', 'deny', 'deny'],
    ['an edit of a secret', editOf(at('.env')), 'deny', 'deny', 'deny', 'deny'],
    ['an edit of a private file', editOf(at('.git/config')), 'deny', 'deny', 'deny', 'deny'],
    ['a delete of committed files', committed('a.ts', 'b.ts'), 'ask', 'ask', 'deny', 'allow'],
    ['a delete of many files', committed(...many), 'ask', 'ask', 'deny', 'deny'],
    [
      'a delete of a file that no commit holds',
      deleteOf(at('a.ts'), [], 'not_committed'),
      'ask',
      'ask',
      'deny',
      'deny',
    ],
    ['an overwrite', { ...editOf(at('a.ts')), overwrites: true as const }, 'ask', 'ask', 'deny', 'deny'],
    ['an emptied file', editOf(at('a.ts'), 'one\ntwo', ''), 'ask', 'ask', 'deny', 'deny'],
    ['a move', moveOf(at('a.ts'), at('b.ts')), 'ask', 'ask', 'deny', 'deny'],
  ] as const)('%s', (_, change, manual, acceptEdits, readOnly, unattended) => {
    expect([
      proposed('manual', change).effect,
      proposed('acceptEdits', change).effect,
      proposed('readOnly', change).effect,
      proposed('unattended', change).effect,
    ]).toEqual([manual, acceptEdits, readOnly, unattended]);
  });

  it.each(['execute', 'network', 'config'] as const)('asks or denies for class %s', (risk) => {
    expect(called('manual', risk).effect).toBe('ask');
    expect(called('acceptEdits', risk).effect).toBe('ask');
    expect(called('readOnly', risk).effect).toBe('deny');
    // Only the proposal tells whether a rule allows the action.
    expect(called('unattended', risk).effect).toBe(risk === 'execute' ? 'ask' : 'deny');
  });

  it('allows reads and views in every mode, and secrets in none', () => {
    for (const mode of ['manual', 'acceptEdits', 'readOnly', 'unattended'] as const) {
      expect(called(mode, 'read').effect).toBe('allow');
      expect(called(mode, 'ui').effect).toBe('allow');
      expect(called(mode, 'read', '.env').effect).toBe('deny');
    }
  });

  it('asks once only for protected, unrecoverable or large changes, and for the number when many files are deleted', () => {
    expect(proposed('manual', editOf(at('src/a.ts')))).toMatchObject({ onceOnly: false });
    expect(proposed('manual', editOf(at('.vscode/tasks.json')))).toMatchObject({ onceOnly: true, step: 'once_only' });
    expect(proposed('manual', editOf(at('Makefile')))).toMatchObject({ onceOnly: false, protectedBy: ['**/makefile'] });
    expect(proposed('manual', committed('a', 'b')).confirmCount).toBeUndefined();
    expect(proposed('manual', committed(...many))).toMatchObject({ onceOnly: true, confirmCount: 21 });
    expect(proposed('manual', deleteOf(at('src'), ['a', 'b']))).toMatchObject({ onceOnly: true, confirmCount: 2 });
    expect(proposed('manual', deleteOf(at('src/a.ts')))).toMatchObject({ onceOnly: true });
    expect(proposed('manual', deleteOf(at('src/a.ts'))).confirmCount).toBeUndefined();
  });

  it('A1: lets no rule allow a change that is answered once only', () => {
    const rules = new FakePolicy(ruleOf({ effect: 'allow', tools: ['apply_edit'] }));
    for (const change of [editOf(at('.vscode/tasks.json')), deleteOf(at('a.ts')), editOf(at('a'), 'x\ny', '')]) {
      expect(proposed('manual', change, rules)).toMatchObject({ effect: 'ask', step: 'once_only' });
    }
    const named = new FakePolicy(ruleOf({ effect: 'allow', tools: ['apply_edit'], paths: ['Makefile'] }));
    expect(proposed('manual', editOf(at('Makefile')), named)).toMatchObject({ effect: 'allow', step: 'allow_rule' });
  });
});

describe('Unattended mode', () => {
  it('A1: allows a delete of committed files only when the proposal changes nothing else', () => {
    const proposeAll = (...files: readonly FileChange[]) =>
      decideProposal({ ...situation('unattended'), tool: { risk: 'edit' }, proposal: proposalOf(...files) }).effect;
    expect(proposeAll(committed('a.ts'))).toBe('allow');
    expect(proposeAll(committed('a.ts'), deleteOf(at('b.ts'), [], 'committed'))).toBe('allow');
    expect(proposeAll(committed('a.ts'), moveOf(at('a.ts'), at('b.ts')))).toBe('deny');
    expect(proposeAll(committed('a.ts'), editOf(at('b.ts')))).toBe('deny');
  });

  it('names the rule or default that would have asked', () => {
    const policy = new FakePolicy(ruleOf({ effect: 'ask', class: 'edit' }));
    expect(proposed('unattended', editOf(at('src/a.ts')), policy)).toMatchObject({
      effect: 'deny',
      message: expect.stringContaining('(ask rule r-ask)'),
    });
    expect(proposed('unattended', moveOf(at('a.ts'), at('b.ts')))).toMatchObject({
      message: expect.stringContaining('(default for delete in Unattended mode)'),
    });
  });
});

describe('the default when no rule decided', () => {
  const subject = {
    risk: 'delete',
    places: [],
    targets: [{ place: at('a'), class: 'delete' }],
    files: 1,
    changedLines: 0,
    protectedBy: [undefined],
    deletedFiles: 1,
    recoverable: true,
  } as const;

  it.each([
    ['a delete that a commit holds', subject, 'allow'],
    ['a delete of nothing', { ...subject, deletedFiles: 0 }, 'ask'],
    ['a delete that no commit holds', { ...subject, recoverable: false }, 'ask'],
    [
      'a delete beside something else',
      { ...subject, targets: [...subject.targets, { place: at('b'), class: 'edit' }] },
      'ask',
    ],
    ['another class', { ...subject, risk: 'execute' }, 'ask'],
    ['a change that is answered once only', { ...subject, onceOnly: 'it is large' }, 'ask'],
  ] as const)('decides on %s in Unattended mode', (_, judged, effect) => {
    expect(modeDefault('unattended', judged).effect).toBe(effect);
  });

  it('names the protected path, and denies in Read-only mode', () => {
    const edit = { ...subject, risk: 'edit', protectedBy: [undefined, '**/makefile'] } as const;
    expect(modeDefault('acceptEdits', edit)).toEqual({ effect: 'ask', reason: 'protected path **/makefile' });
    expect(modeDefault('readOnly', edit)).toEqual({ effect: 'deny', reason: 'default for edit in Read-only mode' });
    expect(modeDefault('acceptEdits', { ...edit, protectedBy: [], onceOnly: 'it is large' }).effect).toBe('ask');
    expect(modeDefault('acceptEdits', { ...edit, protectedBy: [undefined] }).effect).toBe('allow');
  });
});

describe('secrets', () => {
  const read = (policy: FakePolicy, mode: Mode = 'manual', workspace = new FakeWorkspace()) =>
    decide({ ...situation(mode, policy), workspace, risk: 'read', worksUntrusted: true, paths: [at('config/.env')] });

  it('A8: can be read only in Manual mode when an ask rule of the user names their path', () => {
    const asks = ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] });
    expect(read(new FakePolicy(asks))).toMatchObject({ effect: 'ask', step: 'ask_rule' });
    expect(read(new FakePolicy({ ...asks, scope: 'workspace', folder: '/w' })).effect).toBe('ask');
    expect(read(new FakePolicy(), 'manual').effect).toBe('deny');
    for (const mode of ['acceptEdits', 'readOnly', 'unattended'] as const) {
      expect(read(new FakePolicy(asks), mode)).toMatchObject({ effect: 'deny', step: 'secret' });
    }
    const untrusted = new FakeWorkspace();
    untrusted.trusted = false;
    expect(read(new FakePolicy(asks), 'manual', untrusted).effect).toBe('deny');
    for (const rule of [
      ruleOf({ effect: 'allow', class: 'read', paths: ['.env'] }),
      ruleOf({ effect: 'ask', class: 'read' }),
      ruleOf({ effect: 'ask', class: 'edit', paths: ['.env'] }),
      { ...asks, scope: 'repository' as const, folder: '/w' },
      { ...asks, scope: 'managed' as const },
      { ...asks, invalid: 'no such key' },
    ]) {
      expect(read(new FakePolicy(rule)), JSON.stringify(rule)).toMatchObject({ effect: 'deny', step: 'secret' });
    }
  });
});
