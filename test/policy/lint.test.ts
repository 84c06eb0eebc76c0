import { describe, expect, it } from 'vitest';
import { lintRules, wouldMatch, type LintFacts, type PastCall, type RuleFinding } from '#policy/lint.ts';
import type { Rule, ScopedRule } from '#policy/rules.ts';

const facts: LintFacts = { tools: ['apply_edit', 'delete_file', 'read_file'] };

function scoped(rule: Partial<Rule>, where: Partial<ScopedRule> = {}): ScopedRule {
  return { scope: 'user', rule: { id: 'r-1', effect: 'allow', class: 'edit', ...rule }, ...where };
}

function withoutClass(rule: Partial<Rule>): ScopedRule {
  return { scope: 'user', rule: { id: 'r-1', effect: 'allow', ...rule } };
}

function findings(
  rule: ScopedRule,
  past: readonly PastCall[] = [],
  more: Partial<LintFacts> = {},
): readonly RuleFinding[] {
  return lintRules([rule], past, { ...facts, ...more });
}

function edits(count: number, ...paths: readonly string[]): readonly PastCall[] {
  return Array.from({ length: count }, () => ({ tool: 'apply_edit', class: 'edit', paths }));
}

const fine = scoped({ paths: ['src/**'], limits: { maxFiles: 5 } });

describe('a rule that is checked', () => {
  it('has no finding when it works as written', () => {
    expect(findings(fine)).toEqual([]);
    expect(findings(fine, [...edits(20, 'src/a'), ...edits(80, 'lib/a')])).toEqual([]);
  });

  it('F16: has an error when it is not valid', () => {
    expect(findings(scoped({}, { invalid: 'There is no tool "x".' }))).toEqual([
      { ruleId: 'r-1', severity: 'error', message: expect.stringContaining('There is no tool "x".') },
    ]);
  });

  it('F16: has an error when it names an unknown tool', () => {
    const [finding] = findings(scoped({ paths: ['a/**'], tools: ['apply_edit', 'aply_edit'] }));
    expect(finding).toMatchObject({ severity: 'error', message: expect.stringContaining('"aply_edit"') });
  });

  it('F16: has an error when none of its tools has its class', () => {
    const riskOf: LintFacts['riskOf'] = (tool) => (tool === 'read_file' ? 'read' : 'edit');
    const reads = scoped({ effect: 'deny', class: 'edit', tools: ['read_file'] });
    expect(findings(reads, [], { riskOf })[0]?.message).toContain('class edit');
    expect(findings(reads)).toEqual([]);
    expect(
      findings(scoped({ effect: 'deny', class: 'delete', tools: ['read_file', 'apply_edit'] }), [], { riskOf }),
    ).toEqual([]);
    expect(findings(scoped({ effect: 'deny', class: 'read', tools: ['apply_edit'] }), [], { riskOf })).toHaveLength(1);
  });

  it('F16: has an error when it excludes every path that it names', () => {
    for (const exclusion of ['!src/a/**', '!src', '!**', '!SRC/**']) {
      const [finding] = findings(scoped({ paths: ['src/a/*.ts', exclusion] }));
      expect(finding, exclusion).toMatchObject({ severity: 'error', message: expect.stringContaining('"!" paths') });
    }
    expect(findings(scoped({ paths: ['src/**', '!src/a'] }))).toEqual([]);
    expect(findings(scoped({ paths: ['src/**', 'lib/**', '!src'] }))).toEqual([]);
    expect(findings(scoped({ effect: 'deny', paths: ['!src'] }))).toEqual([]);
  });

  it('F16: has an error when its folder no longer exists', () => {
    const rule = scoped({ paths: ['src/**'] }, { scope: 'workspace', folder: '/gone' });
    expect(findings(rule, [], { hasFolder: () => false })[0]?.message).toContain('no longer there');
    expect(findings(rule, [], { hasFolder: () => true })).toEqual([]);
  });

  it.each<[string, ScopedRule, boolean]>([
    ['the same paths', scoped({ id: 'r-2', effect: 'deny', paths: ['src'] }), true],
    ['an ask rule', scoped({ id: 'r-2', effect: 'ask', paths: ['SRC/**'] }), true],
    ['every path and class', { scope: 'managed', rule: { id: 'r-2', effect: 'deny', tools: ['apply_edit'] } }, true],
    ['some of the paths', scoped({ id: 'r-2', effect: 'deny', paths: ['src/a/**'] }), false],
    ['all but some paths', scoped({ id: 'r-2', effect: 'deny', paths: ['src/**', '!src/b'] }), false],
    ['another class', scoped({ id: 'r-2', effect: 'deny', class: 'delete' }), false],
    ['other tools', scoped({ id: 'r-2', effect: 'deny', tools: ['delete_file'] }), false],
    ['another client', scoped({ id: 'r-2', effect: 'deny', client: 'ci' }), false],
    ['another folder', scoped({ id: 'r-2', effect: 'deny' }, { scope: 'repository', folder: '/w' }), false],
    ['a session', scoped({ id: 'r-2', effect: 'deny' }, { scope: 'session', principal: 'p' }), false],
    ['an end', scoped({ id: 'r-2', effect: 'deny', expires: '2030-01-01T00:00:00Z' }), false],
    ['a rule that is not valid', scoped({ id: 'r-2', effect: 'deny' }, { invalid: 'why' }), false],
    ['an allow', scoped({ id: 'r-2', paths: ['src/**'] }), false],
  ])('F16: is shadowed or not by another rule with %s', (_what, other, isShadowed) => {
    const rule = scoped({ paths: ['src/**'], tools: ['apply_edit'] });
    const found = lintRules([rule, other], [], facts).filter(({ ruleId }) => ruleId === 'r-1');
    expect(found.map(({ message }) => message.includes('r-2'))).toEqual(isShadowed ? [true] : []);
  });

  it('F16: has a warning for a path that matches none of the last calls', () => {
    const rule = scoped({ paths: ['src/**', 'scr/**', '!lib/**', 'home:x/**'] });
    const found = findings(rule, edits(20, 'src/a.ts', 'b.ts'));
    expect(found).toEqual([{ ruleId: 'r-1', severity: 'warning', message: expect.stringContaining('"scr/**"') }]);
    expect(findings(rule, edits(19, 'b.ts'))).toEqual([]);
  });

  it('A20: has a warning when it allows every file without limits', () => {
    for (const paths of [undefined, ['**'], ['*'], ['**/*'], ['!src'], ['a/b', '**', '!src']]) {
      const rule = scoped(paths === undefined ? {} : { paths });
      expect(findings(rule)[0], String(paths)).toMatchObject({
        severity: 'warning',
        message: expect.stringContaining('every file'),
      });
      expect(findings(scoped({ ...rule.rule, limits: { maxFiles: 1 } }))).toEqual([]);
    }
    expect(findings(withoutClass({ tools: ['apply_edit'] }))).toHaveLength(1);
    expect(findings(scoped({ effect: 'deny', paths: ['**'] }))).toEqual([]);
    expect(findings(scoped({ class: 'read', paths: ['**'] }))).toEqual([]);
    expect(findings(scoped({ paths: ['*/**'] }))).toEqual([]);
  });

  it('A20: has a warning when it would have allowed most of the last calls', () => {
    const calls = [...edits(61, 'src/a'), ...edits(39, 'lib/a')];
    expect(findings(fine, calls)[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('61 of the last 100'),
    });
    expect(findings(fine, [...edits(60, 'src/a'), ...edits(40, 'lib/a')])).toEqual([]);
    expect(findings(fine, edits(19, 'src/a'))).toEqual([]);
  });

  it('F17: has a finding when it expired, or allows and was not used for 30 days', () => {
    const now = Date.parse('2026-06-30T00:00:00Z');
    const used = (last: string) => ({ now, use: () => ({ hits: 1, last }) });
    const old = '2026-05-31T00:00:00Z';
    expect(findings(scoped({ ...fine.rule, expires: old }), [], { now })[0]?.message).toContain(
      'It ended on 2026-05-31',
    );
    expect(findings(fine, [], used(old))[0]?.message).toContain('30 days');
    expect(findings(fine, [], used('2026-05-31T00:00:01Z'))).toEqual([]);
    expect(findings(scoped({ effect: 'deny' }), [], used(old))).toEqual([]);
    const unused = { now, use: () => ({ hits: 0 }) };
    expect(findings(fine, [], unused)).toEqual([]);
    expect(findings(scoped({ ...fine.rule, origin: { how: 'card', at: old } }), [], unused)).toHaveLength(1);
  });
});

describe('past calls', () => {
  const past: readonly PastCall[] = [
    { tool: 'apply_edit', class: 'edit', paths: ['src/a.ts', 'src/b.ts'] },
    { tool: 'apply_edit', class: 'edit', paths: ['src/a.ts', 'lib/b.ts'] },
    { tool: 'read_file', class: 'read', paths: ['src/a.ts'] },
    { tool: 'read_file', class: 'read', paths: ['.'] },
    { tool: 'read_file', class: 'read', paths: [] },
  ];

  it('are counted when a rule would have matched', () => {
    expect(wouldMatch({ effect: 'allow', class: 'edit', paths: ['src/*'] }, past)).toBe(1);
    expect(wouldMatch({ effect: 'deny', class: 'edit', paths: ['src/*'] }, past)).toBe(2);
    expect(wouldMatch({ effect: 'allow', tools: ['read_file'] }, past)).toBe(3);
    expect(wouldMatch({ effect: 'allow', class: 'read', paths: ['**'] }, past)).toBe(1);
    expect(wouldMatch({ effect: 'allow', class: 'edit', limits: { maxFiles: 1 } }, past)).toBe(0);
  });

  it('of a kind of a tool are counted for a rule that names the kind or the tool', () => {
    const calls: readonly PastCall[] = [
      { tool: 'get_folding_ranges', kindOf: 'get_language_details', class: 'read', paths: ['src/a.ts'] },
      { tool: 'get_code_lenses', kindOf: 'get_language_details', class: 'read', paths: ['src/a.ts'] },
    ];
    expect(wouldMatch({ effect: 'deny', tools: ['get_folding_ranges'] }, calls)).toBe(1);
    expect(wouldMatch({ effect: 'deny', tools: ['get_language_details'] }, calls)).toBe(2);
  });

  it('are counted regardless of client and expiry of the rule', () => {
    const rule = { effect: 'allow', class: 'edit', client: 'ci', expires: '2020-01-01T00:00:00Z' } as const;
    expect(wouldMatch(rule, past)).toBe(2);
  });

  it('are matched by the path after the folder name when the window has several folders', () => {
    const calls: readonly PastCall[] = [
      { tool: 'apply_edit', class: 'edit', paths: ['web/src/a.ts'], severalFolders: true },
    ];
    expect(wouldMatch({ effect: 'allow', class: 'edit', paths: ['src/*'] }, calls)).toBe(1);
    expect(wouldMatch({ effect: 'allow', class: 'edit', paths: ['folder:web:src/*'] }, calls)).toBe(1);
    expect(wouldMatch({ effect: 'allow', class: 'edit', paths: ['folder:api:src/*'] }, calls)).toBe(0);
    expect(wouldMatch({ effect: 'allow', class: 'edit', paths: ['web/src/*'] }, calls)).toBe(0);
  });
});
