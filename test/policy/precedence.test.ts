import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { principalKey } from '#base/principal.ts';
import type { FileChange } from '#base/proposal.ts';
import { decideProposal, type ProposalDecision } from '#policy/decide.ts';
import type { Mode, Rule, RuleClass, RuleScope, ScopedRule } from '#policy/rules.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { at, createOf, deleteOf, editOf, moveOf, proposalOf } from './changes.ts';

const pathRules = { home: '/home/u', privateFolders: ['/w/own'] };
const principal = { credential: 'window', connectionId: 'one' };
const tools = ['apply_edit', 'delete_file'] as const;

const strictness = { deny: 2, ask: 1, allow: 0 } as const;

interface Case {
  readonly files: readonly FileChange[];
  readonly mode: Mode;
  readonly trusted: boolean;
  readonly tool: (typeof tools)[number];
}

function judge({ files, mode, trusted, tool }: Case, rules: readonly ScopedRule[]): ProposalDecision {
  const workspace = new FakeWorkspace();
  workspace.trusted = trusted;
  const policy = new FakePolicy(...rules);
  policy.currentMode = mode;
  const risk = tool === 'delete_file' ? 'delete' : 'edit';
  const caller = { tool, principal };
  return decideProposal({ tool: { risk }, proposal: proposalOf(...files), workspace, pathRules, policy, caller });
}

const names = [
  'src/a.ts',
  'src/deep/b.ts',
  'README.md',
  '.vscode/tasks.json',
  '.env',
  'Makefile',
  '.git/config',
  'own/x',
];
const path = fc.constantFrom(...names).map((name) => at(name));
const change: fc.Arbitrary<FileChange> = fc.oneof(
  path.map((place) => editOf(place)),
  path.map((place) => editOf(place, 'a\nb', '')),
  path.map((place) => createOf(place)),
  fc.tuple(path, fc.constantFrom('committed', 'not_committed')).map(([place, held]) => deleteOf(place, [], held)),
  fc.tuple(path, path).map(([from, to]) => moveOf(from, to)),
);
const judgedCase: fc.Arbitrary<Case> = fc.record({
  files: fc.array(change, { minLength: 1, maxLength: 3 }),
  mode: fc.constantFrom('manual', 'acceptEdits', 'readOnly', 'unattended'),
  trusted: fc.boolean(),
  tool: fc.constantFrom(...tools),
});
const scope = fc.constantFrom<RuleScope>('session', 'workspace', 'user', 'repository', 'managed');
const globs = fc.constantFrom('**', 'src/**', '*.ts', 'src/a.ts', '.env', '!src/deep/**', 'Makefile', '.vscode/**');
const effect = fc.constantFrom('deny', 'ask', 'allow');
const rule = (effects: fc.Arbitrary<Rule['effect']>): fc.Arbitrary<ScopedRule> =>
  fc
    .record(
      {
        scope,
        effect: effects,
        class: fc.constantFrom<RuleClass>('read', 'edit', 'delete', 'config'),
        tools: fc.subarray([...tools]),
        paths: fc.array(globs, { minLength: 1, maxLength: 3 }),
        own: fc.boolean(),
        invalid: fc.boolean(),
      },
      { requiredKeys: ['scope', 'effect', 'own'] },
    )
    .map(({ scope: where, own, invalid, ...body }) => ({
      scope: where,
      rule: { id: 'r-1', ...body },
      ...(where === 'session' && { principal: principalKey(own ? principal : { credential: 'another' }) }),
      ...((where === 'workspace' || where === 'repository') && { folder: '/w' }),
      ...(invalid === true && { invalid: 'not understood' }),
    }));
const rules = fc.array(rule(effect), { maxLength: 5 });

describe('properties of decisions', () => {
  it('denies everything when one deny rule matches everything, whatever the other rules', () => {
    fc.assert(
      fc.property(judgedCase, rules, scope, (which, others, where) => {
        const all: ScopedRule = {
          scope: where,
          rule: { id: 'r-deny', effect: 'deny', tools: [...tools] },
          ...(where === 'session' && { principal: principalKey(principal) }),
          ...((where === 'workspace' || where === 'repository') && { folder: '/w' }),
        };
        expect(judge(which, [...others, all]).effect).toBe('deny');
      }),
      { numRuns: 500 },
    );
  });

  it('never allows more when a deny or ask rule is added, except an ask rule that opens a secret', () => {
    fc.assert(
      fc.property(judgedCase, rules, rule(fc.constantFrom('deny', 'ask')), (which, others, added) => {
        const before = judge(which, others);
        const after = judge(which, [...others, added]);
        if (before.step === 'secret' && added.rule.effect === 'ask') return;
        expect(strictness[after.effect]).toBeGreaterThanOrEqual(strictness[before.effect]);
      }),
      { numRuns: 2000 },
    );
  });

  it('decides the same in whatever order the rules are', () => {
    fc.assert(
      fc.property(judgedCase, rules, fc.infiniteStream(fc.nat()), (which, some, random) => {
        const shuffled = [...some]
          .map((each) => ({ each, order: random.next().value }))
          .toSorted((a, b) => a.order - b.order)
          .map(({ each }) => each);
        const [one, other] = [judge(which, some), judge(which, shuffled)];
        expect([other.effect, other.step]).toEqual([one.effect, one.step]);
      }),
      { numRuns: 1000 },
    );
  });

  it('explains the decision with its deciding step as the last one', () => {
    fc.assert(
      fc.property(judgedCase, rules, (which, some) => {
        const decision = judge(which, some);
        const last = decision.explain.at(-1);
        expect(last).toMatchObject({ step: decision.step, detail: `${decision.effect}: ${decision.reason}` });
        expect(last?.rule).toEqual(decision.rule);
      }),
      { numRuns: 1000 },
    );
  });

  it('allows nothing by a repository or managed rule, and nothing by any rule in an untrusted workspace', () => {
    fc.assert(
      fc.property(judgedCase, fc.array(rule(fc.constant('allow')), { maxLength: 4 }), (which, allows) => {
        const stricter = allows.filter(({ scope: where }) => where === 'repository' || where === 'managed');
        const effects = (some: readonly ScopedRule[]) => strictness[judge(which, some).effect];
        expect(effects(stricter)).toBeGreaterThanOrEqual(effects([]));
        expect(judge({ ...which, trusted: false }, allows).effect).toBe('deny');
      }),
      { numRuns: 500 },
    );
  });
});

describe('rules', () => {
  const edit: Case = { files: [editOf(at('src/a.ts'))], mode: 'manual', trusted: true, tool: 'apply_edit' };

  it('F3: of a session serve only their own principal, and yield to every deny rule', () => {
    const own = ruleOf({ effect: 'allow', class: 'edit', paths: ['src/a.ts'] }, 'session');
    const mine = { ...own, principal: principalKey(principal) };
    expect(judge(edit, [mine])).toMatchObject({ effect: 'allow', rule: { id: 'r-allow', scope: 'session' } });
    expect(
      judge(edit, [{ ...own, principal: principalKey({ credential: 'window', connectionId: 'two' }) }]),
    ).toMatchObject({ effect: 'ask', step: 'default' });
    const deny = ruleOf({ effect: 'deny', class: 'edit', paths: ['src/**'] });
    expect(judge(edit, [mine, deny])).toMatchObject({ effect: 'deny', rule: { id: 'r-deny', scope: 'user' } });
  });

  it('F19: deny a tool that is turned off when another rule allows its class', () => {
    const allow = ruleOf({ effect: 'allow', class: 'edit' });
    const off = ruleOf({ effect: 'deny', tools: ['apply_edit'] });
    expect(judge(edit, [allow, off]).effect).toBe('deny');
    expect(judge(edit, [off, allow]).effect).toBe('deny');
  });

  it('that deny edits deny an edit that empties a file, and those that allow edits do not allow it', () => {
    const emptied = { ...edit, files: [editOf(at('src/a.ts'), 'one\ntwo', '')] };
    expect(judge(emptied, [ruleOf({ effect: 'deny', class: 'edit' })]).effect).toBe('deny');
    expect(judge(emptied, [ruleOf({ effect: 'deny', class: 'delete' })]).effect).toBe('deny');
    expect(judge(emptied, [ruleOf({ effect: 'allow', class: 'edit' })]).effect).toBe('ask');
  });

  it('that deny edits deny edits of protected files, which are of class config too', () => {
    const workflow = { ...edit, files: [editOf(at('.github/workflows/ci.yml'))] };
    expect(judge(workflow, [ruleOf({ effect: 'deny', class: 'edit', paths: ['.github/**'] })]).effect).toBe('deny');
    expect(judge(workflow, [ruleOf({ effect: 'deny', class: 'config' })]).effect).toBe('deny');
  });

  it('that allow must match every file of a call, and those that deny any file', () => {
    const both = { ...edit, files: [editOf(at('src/a.ts')), editOf(at('README.md'))] };
    const some = { paths: ['src/**'] };
    expect(judge(both, [ruleOf({ effect: 'allow', class: 'edit', ...some })]).effect).toBe('ask');
    expect(judge(both, [ruleOf({ effect: 'deny', class: 'edit', ...some })]).effect).toBe('deny');
  });

  it.each([
    ['managed', 'of the organisation'],
    ['repository', 'of this repository'],
    ['user', 'of the user'],
  ] as const)('that deny name their scope in the message: %s', (place, whose) => {
    const decision = judge(edit, [ruleOf({ effect: 'deny', class: 'edit' }, place)]);
    expect(decision).toMatchObject({ effect: 'deny', message: `A rule ${whose} (r-deny) denies this.` });
    expect(decision.step).toBe(place === 'managed' ? 'managed_deny' : 'deny_rule');
    expect(decision.reason).toBe(`deny rule r-deny (${place})`);
  });

  it('of an organisation that ask come before the once-only step', () => {
    const deletion = { ...edit, files: [deleteOf(at('a'))] };
    const managed = ruleOf({ effect: 'ask', class: 'delete' }, 'managed');
    expect(judge(deletion, [managed])).toMatchObject({ step: 'managed_ask', rule: { scope: 'managed' } });
    expect(judge(deletion, [{ ...managed, scope: 'user' }]).step).toBe('once_only');
  });

  it.each(['repository', 'managed'] as const)('A1: that allow decide nothing in scope %s', (place) => {
    expect(judge(edit, [ruleOf({ effect: 'allow', class: 'edit' }, place)])).toMatchObject({
      effect: 'ask',
      step: 'default',
    });
  });

  it('of several scopes decide in a fixed order, the organisation first and the repository last', () => {
    const places = ['repository', 'user', 'workspace', 'managed'] as const;
    const asking = places.map((place) => ({ ...ruleOf({ effect: 'ask', class: 'edit' }, place), folder: '/w' }));
    const named = (some: readonly ScopedRule[]) => judge(edit, some).rule?.scope;
    expect(named(asking)).toBe('managed');
    expect(named(asking.slice(0, 3))).toBe('workspace');
    expect(named(asking.slice(0, 2))).toBe('user');
    expect(named(asking.slice(0, 1))).toBe('repository');
  });

  it('with a limit of lines allow a change only within the limit', () => {
    const limited = ruleOf({ effect: 'allow', class: 'edit', limits: { maxChangedLines: 2 } });
    expect(judge(edit, [limited]).effect).toBe('allow');
    const larger = { ...edit, files: [editOf(at('src/a.ts'), 'a\nb', 'x\ny')] };
    expect(judge(larger, [limited]).effect).toBe('ask');
  });

  it('that are not valid ask, and never allow', () => {
    const broken: ScopedRule = { ...ruleOf({ effect: 'allow', class: 'edit' }), invalid: 'unknown key "path"' };
    const decision = judge({ ...edit, mode: 'acceptEdits' }, [broken]);
    expect(decision).toMatchObject({ effect: 'ask', step: 'ask_rule' });
    expect(decision.reason).toContain('unknown key "path"');
  });
});
