import { describe, expect, it } from 'vitest';
import { decidesBefore } from '#policy/lint.ts';
import type { Rule, ScopedRule } from '#policy/rules.ts';

function outer(rule: Partial<Rule>, where: Partial<ScopedRule> = {}): ScopedRule {
  return { scope: 'user', rule: { id: 'outer', effect: 'deny', ...rule }, ...where };
}

function inner(rule: Partial<Rule> = {}, where: Partial<ScopedRule> = {}): ScopedRule {
  return { scope: 'user', rule: { id: 'inner', effect: 'allow', ...rule }, ...where };
}

describe('F16: precedence of a rule over an allow rule', () => {
  it.each([
    ['for every client', outer({}), inner({ client: 'ci' })],
    ['for any client', outer({ client: 'any' }), inner({ client: 'ci' })],
    ['for the same client', outer({ client: 'ci' }), inner({ client: 'ci' })],
    ['in every folder', outer({}), inner({}, { scope: 'workspace', folder: '/w' })],
    [
      'in the same folder',
      outer({}, { scope: 'workspace', folder: '/w' }),
      inner({}, { scope: 'workspace', folder: '/w' }),
    ],
    ['for all its tools', outer({ tools: ['a', 'b', 'c'] }), inner({ tools: ['a', 'b'] })],
    [
      'of the same session',
      outer({}, { scope: 'session', principal: 'p' }),
      inner({}, { scope: 'session', principal: 'p' }),
    ],
    ['for all its paths', outer({ paths: ['src/**', 'lib/**'] }), inner({ paths: ['src/a/**', 'lib/b.ts'] })],
  ])('%s', (_, one, other) => {
    expect(decidesBefore(one, other)).toBe(true);
  });

  it.each([
    ['for another client', outer({ client: 'ci' }), inner({ client: 'other' })],
    ['for one client when the other is for every client', outer({ client: 'ci' }), inner()],
    [
      'in another folder',
      outer({}, { scope: 'workspace', folder: '/a' }),
      inner({}, { scope: 'workspace', folder: '/b' }),
    ],
    ['for some of its tools', outer({ tools: ['a'] }), inner({ tools: ['a', 'b'] })],
    ['for one tool when the other is for all', outer({ tools: ['a'] }), inner()],
    [
      'of another session',
      outer({}, { scope: 'session', principal: 'p' }),
      inner({}, { scope: 'session', principal: 'q' }),
    ],
    [
      'of a session when the other outlives the session',
      outer({}, { scope: 'session', principal: 'p' }),
      inner({}, { principal: 'p' }),
    ],
    ['for some of its paths', outer({ paths: ['src/**'] }), inner({ paths: ['src/a/**', 'lib/b.ts'] })],
    ['for some paths when the other is for all', outer({ paths: ['src/**'] }), inner()],
  ])('not %s', (_, one, other) => {
    expect(decidesBefore(one, other)).toBe(false);
  });
});
