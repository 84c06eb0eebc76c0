import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResolvedPath } from '#base/files.ts';
import { nativeCommandTool } from '#base/nativeCommand.ts';
import { type ActionProposal, commandClasses, type CommandClass, type CommandPart } from '#base/proposal.ts';
import { decideProposal, judgementOf, type ProposalDecision } from '#policy/decide.ts';
import { lintRules } from '#policy/lint.ts';
import { parseRule } from '#policy/ruleSchema.ts';
import type { Mode, Rule, ScopedRule } from '#policy/rules.ts';
import { suggestRules } from '#policy/suggest.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { at } from './changes.ts';

const pathRules = { home: '/home/u', privateFolders: [] };
const caller = { tool: nativeCommandTool, principal: { credential: 'window', connectionId: 'native:one' } };

/** Returns a command of this class whose words are those of its text, or are unknown. */
const part = (text: string, kind: CommandClass, isKnown = true): CommandPart => ({
  text,
  class: kind,
  reason: 'A reason.',
  ...(isKnown && { words: text.split(' ') }),
});

interface Case {
  readonly parts: readonly CommandPart[];
  readonly mode?: Mode;
  readonly rules?: readonly ScopedRule[];
  readonly asks?: string;
  readonly onceOnly?: string;
  readonly places?: readonly ResolvedPath[];
}

function judge({ parts, mode = 'manual', rules = [], asks, onceOnly, places = [] }: Case): ProposalDecision {
  const worst = commandClasses.findLast((kind) => parts.some((each) => each.class === kind)) ?? 'runs';
  const proposal: ActionProposal = {
    kind: 'action',
    files: [],
    title: 'Run it',
    definition: 'Bash',
    arguments: {},
    places,
    remarks: [],
    command: {
      text: parts.map(({ text }) => text).join('; '),
      class: worst,
      parts,
      scripts: [],
      ...(asks !== undefined && { asks }),
      ...(onceOnly !== undefined && { onceOnly }),
    },
  };
  const policy = new FakePolicy(...rules);
  policy.currentMode = mode;
  return decideProposal({ tool: { risk: 'ui' }, proposal, workspace: new FakeWorkspace(), pathRules, policy, caller });
}

const rule = (effect: Rule['effect'], ...command: string[]): ScopedRule =>
  ruleOf({ effect, class: 'execute', command });

describe('a command of an assistant', () => {
  it.each([
    ['reads', 'manual', 'allow'],
    ['reads', 'readOnly', 'allow'],
    ['reads', 'unattended', 'allow'],
    ['runs', 'manual', 'allow'],
    ['runs', 'acceptEdits', 'allow'],
    ['runs', 'unattended', 'allow'],
    ['runs', 'readOnly', 'deny'],
    ['writes', 'manual', 'ask'],
    ['writes', 'acceptEdits', 'ask'],
    ['writes', 'unattended', 'deny'],
    ['writes', 'readOnly', 'deny'],
  ] as const)('of class %s in the mode %s leads to the decision %s', (kind, mode, effect) => {
    expect(judge({ parts: [part('x', kind)], mode }).effect).toBe(effect);
  });

  it('that runs something asks when there is a reason to ask about it', () => {
    const decision = judge({ parts: [part('make', 'runs')], asks: 'Makefile was changed by an assistant' });
    expect([decision.effect, decision.reason]).toEqual(['ask', 'Makefile was changed by an assistant']);
  });

  it('is never allowed by a rule for edits, or by one for all that a tool of Drawbridge does', () => {
    const rules = [
      ruleOf({ effect: 'allow', class: 'edit' }),
      ruleOf({ effect: 'allow', tools: [nativeCommandTool] }),
      ruleOf({ effect: 'allow', class: 'execute', action: 'Bash {}x' }),
    ];
    expect(judge({ parts: [part('rm x', 'writes')], rules, places: [at('x', '/w/x')] }).effect).toBe('ask');
  });

  it('is allowed by a rule with exactly its words, or with their beginning before a last *', () => {
    const parts = [part('git add a.ts', 'writes')];
    expect(judge({ parts, rules: [rule('allow', 'git', 'add', 'a.ts')] }).effect).toBe('allow');
    expect(judge({ parts, rules: [rule('allow', 'git', 'add', '*')] }).effect).toBe('allow');
    expect(judge({ parts: [part('git add', 'writes')], rules: [rule('allow', 'git', 'add', '*')] }).effect).toBe(
      'allow',
    );
    expect(judge({ parts, rules: [rule('allow', 'git', 'add')] }).effect).toBe('ask');
    expect(judge({ parts, rules: [rule('allow', 'git', '*', 'a.ts')] }).effect).toBe('ask');
    expect(judge({ parts: [part('gitadd x', 'writes')], rules: [rule('allow', 'git', 'add', '*')] }).effect).toBe(
      'ask',
    );
  });

  it('G15: is allowed only when a rule allows each of its commands that does more than read', () => {
    const parts = [part('ls', 'reads'), part('npm test', 'runs'), part('rm -r dist', 'writes')];
    const [npm, rm] = [rule('allow', 'npm', 'test'), rule('allow', 'rm', '-r', 'dist')];
    expect(judge({ parts, rules: [rm] }).effect).toBe('ask');
    expect(judge({ parts, rules: [npm] }).effect).toBe('ask');
    expect(judge({ parts, rules: [npm, rm] }).effect).toBe('allow');
  });

  it('is not allowed by any rule when one of its words is known only when it runs', () => {
    const rules = [rule('allow', 'rm', '*')];
    expect(judge({ parts: [part('rm $x', 'writes', false)], rules }).effect).toBe('ask');
  });

  it('is denied by a rule that names any of its commands, also one that only reads', () => {
    const parts = [part('cat a', 'reads'), part('npm test', 'runs')];
    expect(judge({ parts, rules: [rule('deny', 'cat', '*')] }).effect).toBe('deny');
    expect(judge({ parts, rules: [rule('deny', 'npm', 'test'), rule('allow', 'npm', '*')] }).effect).toBe('deny');
    expect(judge({ parts, rules: [rule('deny', 'npm', 'run', '*')] }).effect).toBe('allow');
  });

  it('G16: asks when a rule denies commands by name and a word of it is known only when it runs', () => {
    const parts = [part('$cmd push', 'runs', false)];
    expect(judge({ parts }).effect).toBe('allow');
    expect(judge({ parts, rules: [rule('deny', 'git', 'push', '*')] }).effect).toBe('ask');
  });

  it('is denied by a rule for everything that runs, unless it only reads', () => {
    const rules = [ruleOf({ effect: 'deny', class: 'execute' })];
    expect(judge({ parts: [part('make', 'runs')], rules }).effect).toBe('deny');
    expect(judge({ parts: [part('ls', 'reads')], rules }).effect).toBe('allow');
  });

  it('asks each time, whatever the rules say, when it names settings of the guard or writes a protected file', () => {
    const allow = rule('allow', 'x');
    const named = judge({ parts: [part('x', 'writes')], rules: [allow], onceOnly: 'it names settings' });
    expect([named.effect, named.onceOnly]).toEqual(['ask', true]);
    const written = judge({ parts: [part('x', 'writes')], rules: [allow], places: [at('.mcp.json', '/w/.mcp.json')] });
    expect([written.effect, written.onceOnly]).toEqual(['ask', true]);
  });

  it('asks about a secret file instead of refusing the command', () => {
    const decision = judge({ parts: [part('rm .env', 'writes')], places: [at('.env', '/w/.env')] });
    expect([decision.effect, decision.step]).toEqual(['ask', 'secret']);
  });

  it('shows its card as one that executes', () => {
    expect(judgementOf(judge({ parts: [part('rm x', 'writes')] })).risk).toBe('execute');
  });

  it('that writes is never allowed without a rule, whatever else is in the line', () => {
    const anyPart = fc
      .tuple(fc.constantFrom(...commandClasses), fc.boolean())
      .map(([kind, known]) => part('a b', kind, known));
    fc.assert(
      fc.property(
        fc.array(anyPart, { maxLength: 5 }),
        fc.constantFrom('manual', 'acceptEdits', 'unattended'),
        (parts, mode) => {
          const effect = judge({ parts: [...parts, part('rm x', 'writes')], mode }).effect;
          expect(effect).not.toBe('allow');
        },
      ),
    );
  });
});

describe('a rule that names a command', () => {
  const problem = (given: object): string | undefined =>
    parseRule({ id: 'r', ...given }, { tools: [nativeCommandTool] }).invalid;

  it('is valid with class execute and the name of a program', () => {
    expect(problem({ effect: 'allow', class: 'execute', command: ['npm', 'test'] })).toBeUndefined();
    expect(problem({ effect: 'deny', class: 'execute', command: ['git', 'push', '*'] })).toBeUndefined();
  });

  it.each([
    [{ effect: 'allow', class: 'edit', command: ['npm'] }, 'needs class execute'],
    [{ effect: 'allow', tools: [nativeCommandTool], command: ['npm'] }, 'needs class execute'],
    [{ effect: 'allow', class: 'execute', command: ['npm'], action: 'x []' }, 'no "action"'],
    [{ effect: 'allow', class: 'execute', command: ['*'] }, 'name of a program'],
    [{ effect: 'allow', class: 'execute', command: [] }, 'The words of a command'],
    [{ effect: 'allow', class: 'execute' }, '"action" or "command"'],
  ])('is refused as %j', (given, words) => {
    expect(problem(given)).toContain(words);
  });
});

describe('the rules that a card suggests for a command', () => {
  const suggested = (parts: readonly CommandPart[], onceOnly = false) => {
    const command = { text: '', class: 'writes' as const, parts, scripts: [] };
    const action = { definition: 'Bash', arguments: {}, command };
    const rules = suggestRules({
      tool: nativeCommandTool,
      files: [],
      action,
      judgement: { onceOnly, risk: 'execute' },
    });
    return rules.map(({ rule: { command: words } }) => words?.join(' '));
  };

  it('name its words, and its program with the same subcommand', () => {
    expect(suggested([part('rm -r dist', 'writes')])).toEqual(['rm -r dist']);
    expect(suggested([part('ls', 'reads'), part('git add a.ts', 'writes')])).toEqual(['git add a.ts', 'git add *']);
    expect(suggested([part('npm test', 'runs')])).toEqual(['npm test']);
    expect(suggested([part('git -C /x push', 'runs')])).toEqual(['git -C /x push']);
  });

  it('are none for several commands, for words that are not known, and for an answer that counts once', () => {
    expect(suggested([part('rm a', 'writes'), part('make', 'runs')])).toEqual([]);
    expect(suggested([part('rm $x', 'writes', false)])).toEqual([]);
    expect(suggested([part('rm a', 'writes')], true)).toEqual([]);
    expect(suggested([part('rm *', 'writes')])).toEqual([]);
  });

  it('allow the command that they were made for', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (words) => {
        const parts = [{ text: 'x', class: 'writes', reason: '', words } as const];
        const command = { text: '', class: 'writes' as const, parts, scripts: [] };
        const action = { definition: 'Bash', arguments: {}, command };
        const given = {
          tool: nativeCommandTool,
          files: [],
          action,
          judgement: { onceOnly: false, risk: 'execute' as const },
        };
        for (const { rule: made } of suggestRules(given)) {
          expect(judge({ parts, rules: [ruleOf(made)] }).effect).toBe('allow');
        }
      }),
    );
  });
});

describe('the check of rules', () => {
  it('does not take a rule that denies one command for one that decides before every other', () => {
    const rules = [
      rule('deny', 'git', 'push', '*'),
      ruleOf({ id: 'two', effect: 'allow', class: 'execute', command: ['npm', 'test'] }),
    ];
    expect(lintRules(rules, [], { tools: [] })).toEqual([]);
    const hidden = [
      rule('deny', 'git', '*'),
      ruleOf({ id: 'two', effect: 'allow', class: 'execute', command: ['git', 'add'] }),
    ];
    expect(lintRules(hidden, [], { tools: [] })).toMatchObject([{ ruleId: 'two', severity: 'error' }]);
  });
});
