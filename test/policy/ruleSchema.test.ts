import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule, ruleJsonSchema } from '#policy/ruleSchema.ts';
import type { Rule } from '#policy/rules.ts';

const known = { tools: ['apply_edit', 'create_file', 'delete_file', 'read_file'] };

function invalidOf(value: unknown): string | undefined {
  return parseRule(value, known).invalid;
}

const whole: Rule = {
  id: 'r-7f3a',
  effect: 'allow',
  class: 'edit',
  tools: ['apply_edit', 'create_file'],
  paths: ['src/**/*.ts', '!src/generated/**'],
  limits: { maxFiles: 5, maxChangedLines: 200 },
  client: 'any',
  expires: '2026-12-31T00:00:00Z',
  origin: { how: 'card', at: '2026-11-21T10:00:00.000Z', approvalId: 'a-19c2' },
  note: 'routine refactors',
};

describe('a rule as it is written', () => {
  it('is parsed unchanged when it is valid', () => {
    expect(parseRule(whole, known)).toEqual({ rule: whole });
    const short = { id: 'r-1', effect: 'deny', class: 'delete', paths: ['migrations/**'] };
    expect(parseRule(short, known)).toEqual({ rule: short });
  });

  it('is valid when it has expired, and gets an id when it has none', () => {
    const { rule, invalid } = parseRule({ effect: 'ask', class: 'edit', expires: '2020-01-01T00:00:00+02:00' }, known);
    expect(invalid).toBeUndefined();
    expect(rule).toMatchObject({ id: expect.stringMatching(/^r-[0-9a-f]{8}$/), expires: '2020-01-01T00:00:00+02:00' });
  });

  it.each([
    ['no object', 'allow', 'A rule is an object'],
    ['a list', [], 'A rule is an object'],
    ['no effect', { class: 'edit' }, '"effect" is missing'],
    ['an unknown effect', { effect: 'permit', class: 'edit' }, '"effect" is not valid. One of deny, ask and allow'],
    ['neither class nor tools', { effect: 'deny', paths: ['a'] }, 'add "class" or "tools"'],
    ['an unknown class', { effect: 'deny', class: 'write' }, '"class" is not valid. One of read'],
    [
      'a mistyped key',
      { effect: 'deny', class: 'edit', path: ['a'] },
      '"path" is not a key of a rule; did you mean "paths"?',
    ],
    [
      'an unknown key',
      { effect: 'deny', class: 'edit', regularExpression: 'a' },
      '"regularExpression" is not a key of a rule; remove it',
    ],
    [
      'a mistyped tool',
      { effect: 'deny', tools: ['aply_edit'] },
      'There is no tool "aply_edit"; did you mean "apply_edit"?',
    ],
    ['an unknown tool', { effect: 'deny', tools: ['Write'] }, 'There is no tool "Write"; remove it.'],
    ['no tool', { effect: 'deny', tools: [] }, '"tools" is not valid'],
    ['no path', { effect: 'deny', class: 'edit', paths: [] }, '"paths" is not valid'],
    ['a path that leads up', { effect: 'deny', class: 'edit', paths: ['../a'] }, 'The path "../a" contains ..'],
    ['an absolute path', { effect: 'deny', class: 'edit', paths: ['/a'] }, 'The path "/a" is absolute; write ./a'],
    ['H16: a long path', { effect: 'deny', class: 'edit', paths: ['a'.repeat(257)] }, '"paths" is not valid'],
    ['H16: many wildcards', { effect: 'deny', class: 'edit', paths: ['*a'.repeat(17)] }, 'more than 16 wildcards'],
    ['an unknown limit', { effect: 'allow', class: 'edit', limits: { maxLines: 1 } }, '"limits" is not valid'],
    [
      'a limit that is not a whole number',
      { effect: 'allow', class: 'edit', limits: { maxFiles: 0.5 } },
      '"limits" is not valid',
    ],
    [
      'a limit on a deny rule',
      { effect: 'deny', class: 'edit', limits: { maxFiles: 1 } },
      '"limits" counts only with allow',
    ],
    ['an expiry that is not a date', { effect: 'deny', class: 'edit', expires: 'tomorrow' }, '"expires" is not valid'],
    ['an id of another form', { id: 'a b', effect: 'deny', class: 'edit' }, '"id" is not valid'],
    ['a regular expression for a path', { effect: 'deny', class: 'edit', paths: ['a\\.ts'] }, 'contains a backslash'],
  ])('F16 is invalid and says why when it has %s', (_what, value, sentence) => {
    expect(invalidOf(value)).toContain(sentence);
  });

  it('F16 keeps every restriction that can be read when it is invalid', () => {
    const readable = { id: 'r-1', effect: 'allow', class: 'edit' } as const;
    const kept = (facts: object): Rule => {
      const { rule, invalid } = parseRule({ ...readable, ...facts }, known);
      expect(invalid).toBeDefined();
      return rule;
    };
    expect(kept({ path: ['a'] })).toEqual(readable);
    expect(kept({ paths: ['src/**'], tool: 'apply_edit' })).toEqual({ ...readable, paths: ['src/**'] });
    expect(kept({ class: 'write', paths: ['src/**'] })).toEqual({ id: 'r-1', effect: 'allow', paths: ['src/**'] });
    expect(kept({ effect: 'permit' })).toEqual({ ...readable, effect: 'ask' });
    // A path that is not valid counts as every path; an exclusion that is not valid is dropped.
    expect(kept({ paths: ['src/**', '[a'] })).toEqual(readable);
    expect(kept({ paths: ['src/**', '!src/b', '![a'] })).toEqual({ ...readable, paths: ['src/**', '!src/b'] });
    expect(kept({ paths: ['![a'] })).toEqual(readable);
    // An unknown tool counts as the known one that it resembles, or as any.
    expect(kept({ tools: ['read_file', 'aply_edit'] })).toEqual({ ...readable, tools: ['read_file', 'apply_edit'] });
    expect(kept({ tools: ['read_file', 'Write'] })).toEqual({ ...readable, tools: ['read_file'] });
    expect(kept({ tools: ['Write'] })).toEqual(readable);
  });

  it('does not report limits when its effect is unknown', () => {
    const invalid = invalidOf({ effect: 'permit', class: 'edit', limits: { maxFiles: 1 } });
    expect(invalid).not.toContain('"limits"');
  });

  it('names at most three problems', () => {
    const invalid = invalidOf({ a1: 1, b2: 2, c3: 3, d4: 4, effect: 'deny', class: 'edit' });
    expect(invalid).toContain('"c3"');
    expect(invalid).not.toContain('"d4"');
  });

  it.each(['config', 'execute'] as const)('cannot allow class %s', (kind) => {
    expect(invalidOf({ effect: 'allow', class: kind })).toBeDefined();
    expect(invalidOf({ effect: 'ask', class: kind })).toBeUndefined();
    expect(invalidOf({ effect: 'deny', class: kind })).toBeUndefined();
  });

  it.each([
    ['**/.vscode/**', 'needs approval each time'],
    ['.VSCODE', 'needs approval each time'],
    ['.github/workflows/*.yml', 'needs approval each time'],
    ['{.vscode,.idea}/**', 'needs approval each time'],
    ['.env', 'only an ask rule can open it'],
    ['**/*.pem', 'only an ask rule can open it'],
    ['config/secrets/**', 'only an ask rule can open it'],
    ['.git/**', 'never read or changed'],
    ['home:.ssh/**', 'never read or changed'],
    ['home:.config/thing', 'needs approval each time'],
  ])('cannot allow %s, because a built-in rule closes every match', (path, reason) => {
    const rule = { effect: 'allow', class: 'edit', paths: ['src/**', path] };
    expect(invalidOf(rule)).toContain(reason);
    expect(invalidOf({ ...rule, effect: 'deny' })).toBeUndefined();
    expect(invalidOf({ ...rule, effect: 'ask' })).toBeUndefined();
    expect(invalidOf({ ...rule, paths: ['src/**', `!${path}`] })).toBeUndefined();
  });

  it.each([
    '**',
    '*',
    '*.ts',
    '.env.*',
    '.env.example',
    'Makefile',
    'scripts/*.sh',
    '{.vscode,src}/**',
    'src/.gitignore',
    'home:projects/**',
    'home:*',
  ])('can allow %s, because some matches are open', (path) => {
    expect(invalidOf({ effect: 'allow', class: 'edit', paths: [path] })).toBeUndefined();
  });

  it('can allow reads of paths that are protected from changes', () => {
    expect(invalidOf({ effect: 'allow', class: 'read', paths: ['.vscode/**'] })).toBeUndefined();
    expect(invalidOf({ effect: 'allow', class: 'read', paths: ['.env'] })).toBeDefined();
  });

  it('F16 is parsed to a rule, whatever the value', () => {
    const key = fc.constantFrom(
      'id',
      'effect',
      'class',
      'tools',
      'paths',
      'limits',
      'client',
      'expires',
      'origin',
      'note',
      'x',
      '__proto__',
    );
    const like = fc.dictionary(
      key,
      fc.oneof(fc.anything(), fc.constantFrom('allow', 'edit', ['a/**'], ['apply_edit'])),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withBigInt: true }), like), (value) => {
        const { rule, invalid } = parseRule(value, known);
        expect(rule.id).not.toBe('');
        if (invalid === undefined) expect(rule.class !== undefined || rule.tools !== undefined).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is unchanged after a round trip through JSON', () => {
    const rule = fc.record(
      {
        id: fc.stringMatching(/^[\w-]{1,64}$/),
        effect: fc.constantFrom('deny', 'ask'),
        class: fc.constantFrom('read', 'edit', 'config'),
        tools: fc.subarray(known.tools, { minLength: 1 }),
        paths: fc.subarray(['src/**', '!a', '*.ts', 'home:x', 'folder:W:a/b'], { minLength: 1 }),
        client: fc.string({ minLength: 1, maxLength: 100 }),
        expires: fc
          .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString()),
        note: fc.string(),
      },
      { requiredKeys: ['id', 'effect', 'class'] },
    );
    fc.assert(
      fc.property(rule, (written) => {
        const { rule: read, invalid } = parseRule(written, known);
        expect(invalid).toBeUndefined();
        expect(parseRule(JSON.parse(JSON.stringify(read)), known)).toEqual({ rule: read });
        expect(read).toEqual({ ...written });
      }),
    );
  });
});

describe('the JSON Schema of a file of rules', () => {
  it('describes every key of a rule', () => {
    expect(ruleJsonSchema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      required: ['version', 'rules'],
      additionalProperties: false,
      properties: {
        version: { const: 1 },
        rules: { items: { additionalProperties: false, required: ['effect'], anyOf: expect.any(Array) } },
      },
    });
    const described = Object.keys(whole).map((key) => [key, { description: expect.any(String) }]);
    expect(ruleJsonSchema).toMatchObject({
      properties: { rules: { items: { properties: Object.fromEntries(described) } } },
    });
  });
});
