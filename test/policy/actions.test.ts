import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#base/canonicalJson.ts';
import { principalKey } from '#base/principal.ts';
import { actionKey, type ActionProposal, type QuestionProposal } from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import { decide, decideProposal, type Budget, type ProposalDecision } from '#policy/decide.ts';
import { lintRules } from '#policy/lint.ts';
import { parseRule } from '#policy/ruleSchema.ts';
import type { Mode, ScopedRule } from '#policy/rules.ts';
import { suggestRules } from '#policy/suggest.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';
import { at } from './changes.ts';

const pathRules = { home: '/home/u', privateFolders: ['/w/own'] };
const caller = { tool: 'run_command', principal: { credential: 'window', connectionId: 'one' } };

function action(given: Partial<ActionProposal> = {}): ActionProposal {
  const definition = 'editor.action.fixAll';
  return {
    kind: 'action',
    files: [],
    title: 'Fix All',
    definition,
    arguments: [],
    places: [],
    remarks: [],
    ...given,
  };
}

const question: QuestionProposal = {
  kind: 'question',
  files: [],
  question: 'Which?',
  choices: ['a'],
  allowsText: false,
};

interface Case {
  readonly proposal?: ActionProposal | QuestionProposal;
  readonly risk?: Risk;
  readonly mode?: Mode;
  readonly trusted?: boolean;
  readonly workspace?: FakeWorkspace;
  readonly rules?: readonly ScopedRule[];
  readonly budget?: Budget;
}

function judge(given: Case = {}): ProposalDecision {
  const { proposal = action(), risk = 'execute', mode = 'manual', trusted = true, rules = [], budget } = given;
  const { workspace = new FakeWorkspace() } = given;
  workspace.trusted = trusted;
  const policy = new FakePolicy(...rules);
  policy.currentMode = mode;
  const tool = { risk };
  return decideProposal({ tool, proposal, workspace, pathRules, policy, caller, ...(budget && { budget }) });
}

const allowed = (what: ActionProposal, scope: ScopedRule['scope'] = 'user'): ScopedRule =>
  ruleOf({ effect: 'allow', class: 'execute', action: actionKey(what) }, scope);

describe('an action', () => {
  it.each([
    ['manual', 'ask', 'ask'],
    ['acceptEdits', 'ask', 'allow'],
    ['readOnly', 'deny', 'deny'],
    ['unattended', 'deny', 'allow'],
  ] as const)('in %s mode: effect is %s for a command and %s for a save', (mode, run, save) => {
    expect(judge({ mode }).effect).toBe(run);
    expect(judge({ mode, risk: 'edit', proposal: action({ places: [at('src/a.ts')] }) }).effect).toBe(save);
  });

  it('is refused in an untrusted workspace', () => {
    expect(judge({ trusted: false })).toMatchObject({ effect: 'deny', code: 'not_trusted' });
  });

  it('reports its risk', () => {
    expect(judge().risk).toBe('execute');
    expect(judge({ risk: 'edit' }).risk).toBe('edit');
    expect(judge({ risk: 'network' }).risk).toBe('execute');
  });

  it('is denied for private and secret places, and asks each time for protected places', () => {
    const onPlace = (name: string, more: Case = {}): ProposalDecision => {
      const proposal = action({ places: [at('src/a.ts'), at(name)] });
      return judge({ proposal, rules: [allowed(proposal)], ...more });
    };
    expect(onPlace('src/b.ts').effect).toBe('allow');
    expect(onPlace('.git/config')).toMatchObject({ effect: 'deny', step: 'hard_deny' });
    expect(onPlace('own/rules.json')).toMatchObject({ effect: 'deny', step: 'hard_deny' });
    expect(onPlace('.env')).toMatchObject({ effect: 'deny', step: 'secret' });
    expect(onPlace('.vscode/tasks.json')).toMatchObject({ effect: 'ask', step: 'once_only', onceOnly: true });
    expect(onPlace('.vscode/tasks.json', { risk: 'edit', mode: 'acceptEdits' }).effect).toBe('ask');
    expect(onPlace('Makefile')).toMatchObject({ effect: 'allow', onceOnly: false });
    expect(judge({ proposal: action({ places: [at('out', '/elsewhere/x')] }) })).toMatchObject({
      effect: 'deny',
      code: 'outside_workspace',
    });
  });

  it('is denied when a deny rule matches one of its places', () => {
    const deny = ruleOf({ effect: 'deny', class: 'execute', paths: ['migrations/**'] });
    const proposal = action({ places: [at('src/a.ts'), at('migrations/1.sql')] });
    expect(judge({ proposal, rules: [deny, allowed(proposal)] }).effect).toBe('deny');
  });

  it('counts as one file when allowed without asking, and asks when the budget is spent', () => {
    const clock = new FakeClock();
    const unasked = new UnaskedBudget(clock, { files: 2, changedLines: 1, deletedFiles: 1, windowMilliseconds: 1000 });
    const proposal = action();
    const again = () => judge({ proposal, rules: [allowed(proposal)], budget: unasked.of(caller.principal) });
    for (let time = 0; time < 2; time += 1) {
      const { effect, amount } = again();
      expect(effect).toBe('allow');
      unasked.spend(caller.principal, amount);
    }
    expect(again().effect).toBe('ask');
  });
});

describe('rules about actions', () => {
  const one = action({ arguments: [{ b: 1, a: ['x'] }] });

  it('A2 an allow rule without "action" allows no action, by class or by tool', () => {
    for (const rule of [
      { class: 'execute' },
      { tools: ['run_command'] },
      { class: 'execute', paths: ['**'] },
    ] as const) {
      const proposal = action({ places: [at('src/a.ts')] });
      expect(judge({ rules: [ruleOf({ effect: 'allow', ...rule })] }).effect).toBe('ask');
      expect(judge({ proposal, rules: [ruleOf({ effect: 'allow', ...rule })] }).effect).toBe('ask');
    }
    expect(parseRule({ effect: 'allow', class: 'execute' }, { tools: [] }).invalid).toContain('"action"');
  });

  it('an allow rule for an action matches whatever the key order of its arguments', () => {
    const reordered = action({ arguments: [{ a: ['x'], b: 1 }] });
    expect(judge({ proposal: reordered, rules: [allowed(one)] }).effect).toBe('allow');
    expect(judge({ proposal: reordered, rules: [allowed(one)], mode: 'unattended' }).effect).toBe('allow');
    expect(judge({ proposal: reordered, rules: [allowed(one)], mode: 'readOnly' }).effect).toBe('deny');
  });

  it('a deny or ask rule matches every action without "action", and only the named one with it', () => {
    const other = action({ definition: 'other' });
    const deny = { effect: 'deny', class: 'execute' } as const;
    expect(judge({ proposal: one, rules: [ruleOf(deny), allowed(one)] }).effect).toBe('deny');
    const named = ruleOf({ ...deny, action: actionKey(one) });
    expect(judge({ proposal: one, rules: [named, allowed(one)] }).effect).toBe('deny');
    expect(judge({ proposal: other, rules: [named, allowed(other)] }).effect).toBe('allow');
    const ask = ruleOf({ effect: 'ask', tools: ['run_command'] });
    expect(judge({ proposal: one, rules: [ask, allowed(one)] }).effect).toBe('ask');
  });

  it('a deny rule for a class denies the call, one for an action does not before the action is known', () => {
    const call = (rule: ScopedRule) =>
      decide({
        workspace: new FakeWorkspace(),
        pathRules,
        policy: new FakePolicy(rule),
        caller,
        risk: 'execute',
        worksUntrusted: false,
        paths: [],
      }).effect;
    expect(call(ruleOf({ effect: 'deny', class: 'execute' }))).toBe('deny');
    expect(call(ruleOf({ effect: 'deny', class: 'execute', action: actionKey(one) }))).toBe('ask');
    expect(call(allowed(one))).toBe('ask');
  });

  it('F3 a session rule allows an action for its own assistant only', () => {
    const own = { ...allowed(one, 'session'), principal: principalKey(caller.principal) };
    const others = { ...own, principal: principalKey({ credential: 'window', connectionId: 'two' }) };
    expect(judge({ proposal: one, rules: [own] }).effect).toBe('allow');
    expect(judge({ proposal: one, rules: [others] }).effect).toBe('ask');
  });

  it('a workspace rule allows an action only when its folder is the only folder', () => {
    const rule = { ...allowed(one, 'workspace'), folder: '/w' };
    expect(judge({ proposal: one, rules: [rule] }).effect).toBe('allow');
    const workspace = new FakeWorkspace([folderAt('/w'), folderAt('/other')]);
    expect(judge({ proposal: one, rules: [rule], workspace }).effect).toBe('ask');
    expect(judge({ proposal: one, rules: [{ ...rule, folder: '/other' }] }).effect).toBe('ask');
  });

  it('an allow rule for one command with its arguments never allows another command', () => {
    const name = fc.oneof(fc.constantFrom('a', 'a 1', 'a []', '["a"] 1', 'a "'), fc.string({ maxLength: 8 }));
    const data = fc.oneof(fc.constantFrom(1, '1', '" 1', ' []', [], {}, null), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(name, data, name, data, (definition, args, otherDefinition, otherArgs) => {
        const [mine, other] = [
          action({ definition, arguments: args }),
          action({ definition: otherDefinition, arguments: otherArgs }),
        ];
        const isSame = definition === otherDefinition && canonicalJson(args) === canonicalJson(otherArgs);
        expect(judge({ proposal: other, rules: [allowed(mine)] }).effect).toBe(isSame ? 'allow' : 'ask');
      }),
    );
  });

  it('suggests a rule for exactly this action, and none when the answer counts once or the rule is too long to read', () => {
    const suggested = (what: ActionProposal, onceOnly = false) =>
      suggestRules({ tool: 'run_command', files: [], action: what, judgement: { onceOnly, risk: 'execute' } });
    const [suggestion, ...wider] = suggested(one);
    expect(wider).toEqual([]);
    expect(suggestion?.covers).toContain(one.definition);
    expect(suggestion?.rule).toEqual({
      effect: 'allow',
      class: 'execute',
      action: 'editor.action.fixAll [{"a":["x"],"b":1}]',
    });
    const rule = ruleOf({ ...suggestion?.rule, effect: 'allow' });
    expect(judge({ proposal: one, rules: [rule] }).effect).toBe('allow');
    expect(suggested(one, true)).toEqual([]);
    expect(suggested(action({ arguments: ['x'.repeat(2000)] }))).toEqual([]);
  });

  it('reports an action rule as shadowed by a deny rule for the same action or for all actions, and not as too wide', () => {
    const findings = (...rules: ScopedRule[]) => lintRules(rules, [], { tools: [] }).map(({ ruleId }) => ruleId);
    expect(findings(allowed(one))).toEqual([]);
    const deny = { effect: 'deny', class: 'execute' } as const;
    expect(findings(ruleOf(deny), allowed(one))).toEqual(['r-allow']);
    expect(findings(ruleOf({ ...deny, action: actionKey(one) }), allowed(one))).toEqual(['r-allow']);
    expect(findings(ruleOf({ ...deny, action: 'other []' }), allowed(one))).toEqual([]);
  });
});

describe('a question', () => {
  it.each([
    ['manual', true, 'ask'],
    ['acceptEdits', true, 'ask'],
    ['readOnly', true, 'ask'],
    ['manual', false, 'ask'],
    ['unattended', true, 'deny'],
  ] as const)('in %s mode, trusted %s: %s', (mode, trusted, effect) => {
    expect(judge({ proposal: question, risk: 'ui', mode, trusted })).toMatchObject({ effect, risk: 'ui' });
  });

  it('is not allowed by an allow rule, and is denied by a deny rule', () => {
    const rules = (effect: 'allow' | 'deny') => [ruleOf({ effect, class: 'ui' })];
    expect(judge({ proposal: question, risk: 'ui', rules: rules('allow') })).toMatchObject({
      effect: 'ask',
      onceOnly: true,
    });
    expect(judge({ proposal: question, risk: 'ui', rules: rules('deny') }).effect).toBe('deny');
  });
});

describe('canonical JSON', () => {
  it('is the same for equal values, parses to the value, and differs for different values', () => {
    expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: undefined })).toBe('{"b":[1,{"c":null,"d":"x"}]}');
    expect(canonicalJson(undefined)).toBe('null');
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // `JSON.parse` of Node 24 misreads some escaped field names (nodejs/node#63785).
        fc.pre(!JSON.stringify([one, other]).includes('\\\\'));
        expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)));
        if (canonicalJson(one) === canonicalJson(other))
          expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)));
      }),
    );
  });

  it('throws for a value that JSON cannot represent', () => {
    expect(() => canonicalJson({ n: 1n })).toThrow(TypeError);
  });
});
