import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { principalKey } from '#base/principal.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { matchesRule, type RuleRequest, type RuleTarget } from '#policy/matching.ts';
import type { Rule, RuleClass, RuleEffect, ScopedRule } from '#policy/rules.ts';
import { folderAt } from '../fakes/workspace.ts';

const folder = folderAt('/w');
const principal = { credential: 'window', connectionId: 'one' };

function target(
  path: string,
  facts: { class?: RuleClass; realPath?: string; folder?: WorkspaceFolder } = {},
): RuleTarget {
  const { class: kind = 'edit', folder: home = folder, ...rest } = facts;
  const fsPath = path === '' ? home.fsPath : `${home.fsPath}/${path}`;
  return { place: { folder: home, fsPath, realPath: fsPath, ...rest }, class: kind };
}

function request(targets: readonly RuleTarget[], facts: Partial<RuleRequest> = {}): RuleRequest {
  return {
    tool: 'apply_edit',
    principal,
    class: 'edit',
    targets,
    files: targets.length,
    changedLines: 10,
    now: Date.parse('2026-06-01T00:00:00Z'),
    home: '/home/u',
    ...facts,
  };
}

function scoped(rule: Partial<Rule>, facts: Partial<ScopedRule> = {}): ScopedRule {
  return { scope: 'user', rule: { id: 'r-1', effect: 'allow', ...rule }, ...facts };
}

function matches(rule: Partial<Rule>, ...paths: readonly (string | RuleTarget)[]): boolean {
  return matchesRule(scoped(rule), request(paths.map((path) => (typeof path === 'string' ? target(path) : path))));
}

const restricting = ['deny', 'ask'] as const;

describe("a rule and an assistant's own edit", () => {
  const own = request([target('a')], { tool: 'native_edit' });

  it('G2: allows it only when it names it, so that no rule from before begins to allow it', () => {
    expect(matchesRule(scoped({ class: 'edit' }), own)).toBe(false);
    expect(matchesRule(scoped({ class: 'edit', tools: ['native_edit'] }), own)).toBe(true);
    expect(matchesRule(scoped({ tools: ['apply_edit'] }), own)).toBe(false);
  });

  it.each(restricting)('restricts it by class and path when the effect is %s', (effect) => {
    expect(matchesRule(scoped({ effect, class: 'edit', paths: ['/a'] }), own)).toBe(true);
  });
});

describe('a rule', () => {
  it('matches by class, by tools, or by both', () => {
    expect(matches({ class: 'edit' }, 'a')).toBe(true);
    expect(matches({ class: 'delete' }, 'a')).toBe(false);
    expect(matches({ tools: ['move_file', 'apply_edit'] }, 'a')).toBe(true);
    expect(matches({ tools: ['move_file'] }, 'a')).toBe(false);
    expect(matches({ class: 'delete', tools: ['apply_edit'] }, 'a')).toBe(false);
  });

  it('matches when any target matches if it denies or asks, and when every target matches if it allows', () => {
    const paths = ['src/**'];
    for (const effect of restricting) {
      expect(matches({ effect, paths }, 'a', 'src/a')).toBe(true);
      expect(matches({ effect, paths }, 'a', 'b')).toBe(false);
    }
    expect(matches({ paths }, 'a', 'src/a')).toBe(false);
    expect(matches({ paths }, 'src/b', 'src/a')).toBe(true);
  });

  it('matches only when class and path belong to the same target', () => {
    const rule = { effect: 'deny', class: 'delete', paths: ['src/**'] } as const;
    expect(matches(rule, target('src/a'), target('b', { class: 'delete' }))).toBe(false);
    expect(matches(rule, target('src/a', { class: 'delete' }), target('b'))).toBe(true);
    expect(matches({ class: 'edit' }, target('a'), target('a', { class: 'config' }))).toBe(false);
  });

  it('matches a call without targets only when it has no paths', () => {
    const without = request([], { class: 'read' });
    for (const effect of ['deny', 'ask', 'allow'] as const) {
      expect(matchesRule(scoped({ effect, class: 'read' }), without)).toBe(true);
      expect(matchesRule(scoped({ effect, class: 'delete' }), without)).toBe(false);
      expect(matchesRule(scoped({ effect, tools: ['apply_edit'] }), without)).toBe(true);
      expect(matchesRule(scoped({ effect, class: 'read', paths: ['**'] }), without)).toBe(false);
      expect(matchesRule(scoped({ effect, class: 'read' }, { scope: 'workspace', folder: '/w' }), without)).toBe(
        effect !== 'allow',
      );
    }
  });

  it('applies its limits only when it allows', () => {
    const rule = scoped({ limits: { maxFiles: 2, maxChangedLines: 10 } });
    const targets = [target('a')];
    expect(matchesRule(rule, request(targets, { files: 2, changedLines: 10 }))).toBe(true);
    expect(matchesRule(rule, request(targets, { files: 3, changedLines: 10 }))).toBe(false);
    expect(matchesRule(rule, request(targets, { files: 2, changedLines: 11 }))).toBe(false);
    expect(matchesRule(rule, request([], { files: 3 }))).toBe(false);
    expect(matchesRule(scoped({ effect: 'deny', limits: { maxFiles: 1 } }), request(targets, { files: 9 }))).toBe(true);
  });

  it('counts changed lines only when a rule limits them', () => {
    const counted = request([target('a')]);
    Object.defineProperty(counted, 'changedLines', {
      get: () => {
        throw new Error('counted');
      },
    });
    expect(matchesRule(scoped({ limits: { maxFiles: 1 } }), counted)).toBe(true);
  });

  it('does not match from its expiry on', () => {
    const at = Date.parse('2026-06-01T00:00:00Z');
    for (const effect of ['deny', 'allow'] as const) {
      const rule = scoped({ effect, expires: '2026-06-01T00:00:00Z' });
      expect(matchesRule(rule, request([target('a')], { now: at - 1 }))).toBe(true);
      expect(matchesRule(rule, request([target('a')], { now: at }))).toBe(false);
    }
  });

  it('restricts for ever and allows nothing when its expiry is not a date', () => {
    expect(matches({ effect: 'deny', expires: 'soon' }, 'a')).toBe(true);
    expect(matches({ effect: 'allow', expires: 'soon' }, 'a')).toBe(false);
  });

  it('matches the access token that it names, or any', () => {
    expect(matches({ client: 'any' }, 'a')).toBe(true);
    expect(matches({ client: 'window' }, 'a')).toBe(true);
    expect(matches({ client: 'ci' }, 'a')).toBe(false);
    expect(matches({ effect: 'deny', client: 'ci' }, 'a')).toBe(false);
  });

  it('F3 matches only its own principal when it is a session rule', () => {
    const own = scoped({}, { scope: 'session', principal: principalKey(principal) });
    const other = scoped({}, { scope: 'session', principal: principalKey({ ...principal, connectionId: 'two' }) });
    expect(matchesRule(own, request([target('a')]))).toBe(true);
    expect(matchesRule(other, request([target('a')]))).toBe(false);
    expect(matchesRule(scoped({}, { scope: 'session' }), request([target('a')]))).toBe(false);
  });

  it('F16 matches like an ask rule when it is not valid, whatever its effect', () => {
    const invalid = scoped({ paths: ['src/**'], limits: { maxFiles: 1 } }, { invalid: 'why' });
    expect(matchesRule(invalid, request([target('SRC/a'), target('b')], { files: 9 }))).toBe(true);
    expect(matchesRule(invalid, request([target('b')]))).toBe(false);
  });

  it('F16 restricts everything or allows nothing when one of its globs is not valid', () => {
    expect(matches({ effect: 'deny', paths: ['src/**', '[a'] }, 'b')).toBe(true);
    expect(matches({ effect: 'allow', paths: ['**', '[a'] }, 'b')).toBe(false);
    expect(matches({ effect: 'allow', paths: ['**', '![a'] }, 'b')).toBe(false);
  });
});

describe('the paths of a rule', () => {
  it('match case-sensitively for allow, and in any case for deny and ask', () => {
    expect(matches({ paths: ['src/a.ts'] }, 'src/a.ts')).toBe(true);
    expect(matches({ paths: ['src/a.ts'] }, 'SRC/a.ts')).toBe(false);
    expect(matches({ effect: 'deny', paths: ['src/a.ts'] }, 'SRC/A.ts')).toBe(true);
    expect(matches({ effect: 'ask', paths: ['caf\u0065\u0301'] }, 'CAF\u00c9')).toBe(true);
  });

  it('restrict everything below a named folder, and allow it only when the name has no /', () => {
    expect(matches({ effect: 'deny', paths: ['a/secret-stuff'] }, 'a/secret-stuff/b/c')).toBe(true);
    expect(matches({ effect: 'deny', paths: ['secret-*'] }, 'a/secret-stuff/b/c')).toBe(true);
    expect(matches({ paths: ['a/generated'] }, 'a/generated/b')).toBe(false);
    expect(matches({ paths: ['generated'] }, 'a/generated/b')).toBe(true);
    expect(matches({ paths: ['src/**'] }, 'src')).toBe(false);
    expect(matches({ effect: 'deny', paths: ['src/**'] }, 'src')).toBe(true);
  });

  it('P3 restrict by the lexical or the real path, and allow only by both', () => {
    const link = target('notes/a', { realPath: '/w/private/a' });
    for (const path of ['notes/**', 'private/**']) {
      expect(matches({ effect: 'deny', paths: [path] }, link)).toBe(true);
      expect(matches({ paths: [path] }, link)).toBe(false);
    }
    expect(matches({ paths: ['{notes,private}/**'] }, link)).toBe(true);
  });

  it('P3 match the files of a folder that is a link', () => {
    const linked = folderAt('/w', { realPath: '/data/w' });
    const file = target('src/a', { folder: linked, realPath: '/data/w/src/a' });
    expect(matches({ paths: ['src/*'] }, file)).toBe(true);
    expect(matches({ paths: ['src/*'] }, target('src/a', { folder: linked, realPath: '/data/w/lib/a' }))).toBe(false);
  });

  it('P3 restrict the target of a link in another folder of the window', () => {
    const link = target('notes/a', { realPath: '/other/src/private/a' });
    expect(matches({ effect: 'deny', paths: ['src/private/**'] }, link)).toBe(true);
    expect(matches({ effect: 'deny', paths: ['folder:other:src/private/**'] }, link)).toBe(true);
    expect(matches({ effect: 'deny', paths: ['lib/**'] }, link)).toBe(false);
    expect(matches({ paths: ['**'] }, link)).toBe(false);
  });

  it('exclude paths from this rule only', () => {
    const paths = ['src/**', '!src/generated/**'];
    expect(matches({ paths }, 'src/a')).toBe(true);
    expect(matches({ paths }, 'src/generated/a')).toBe(false);
    expect(matches({ effect: 'deny', paths }, 'src/generated/a')).toBe(false);
    expect(matches({ effect: 'deny', paths }, 'src/generated/a', 'src/b')).toBe(true);
    expect(matches({ paths: ['!src/**'] }, 'a')).toBe(true);
    expect(matches({ paths: ['!src/**'] }, 'src/a')).toBe(false);
  });

  it('exclude in any case by either path when the rule allows', () => {
    const paths = ['**', '!src/secret'];
    expect(matches({ paths }, 'src/SECRET/a')).toBe(false);
    expect(matches({ paths }, target('a', { realPath: '/w/src/secret/a' }))).toBe(false);
    expect(matches({ paths }, target('src/secret/a', { realPath: '/w/a' }))).toBe(false);
  });

  it('exclude only by both paths when the rule restricts', () => {
    const rule = { effect: 'deny', paths: ['**', '!docs'] } as const;
    expect(matches(rule, target('docs/a', { realPath: '/w/src/a' }))).toBe(true);
    expect(matches(rule, target('docs/a', { realPath: '/w/docs/b' }))).toBe(false);
  });

  it('may begin at the home directory', () => {
    const inHome = folderAt('/home/u/projects/web');
    const rule = { effect: 'deny', paths: ['home:projects/*/src/**'] } as const;
    expect(matches(rule, target('src/a', { folder: inHome }))).toBe(true);
    expect(matches(rule, target('lib/a', { folder: inHome }))).toBe(false);
    expect(matches(rule, 'projects/web/src/a')).toBe(false);
    expect(matches({ paths: ['home:projects/**'] }, target('src/a', { folder: inHome }))).toBe(true);
    expect(matches({ paths: ['home:Projects/**'] }, target('src/a', { folder: inHome }))).toBe(false);
    expect(matches({ effect: 'deny', paths: ['home:Projects/**'] }, target('src/a', { folder: inHome }))).toBe(true);
  });

  it('may begin in a named folder', () => {
    const web = folderAt('/p/web', { name: 'Web' });
    expect(matches({ paths: ['folder:Web:src/**'] }, target('src/a', { folder: web }))).toBe(true);
    expect(matches({ paths: ['folder:Web:src/**'] }, 'src/a')).toBe(false);
    expect(matches({ paths: ['folder:web:src/**'] }, target('src/a', { folder: web }))).toBe(false);
    expect(matches({ effect: 'deny', paths: ['folder:web:src/**'] }, target('src/a', { folder: web }))).toBe(true);
  });

  it('match Windows paths too', () => {
    const windows = folderAt('C:\\work');
    const place = { folder: windows, fsPath: 'C:\\work\\src\\a.ts', realPath: 'c:\\work\\src\\a.ts' };
    expect(matches({ paths: ['src/*.ts'] }, { place, class: 'edit' })).toBe(true);
    expect(matches({ effect: 'deny', paths: ['SRC'] }, { place, class: 'edit' })).toBe(true);
  });
});

describe('a workspace rule', () => {
  const other = folderAt('/other');
  function inFolder(rule: Partial<Rule>, ...targets: readonly RuleTarget[]): boolean {
    return matchesRule(scoped(rule, { scope: 'workspace', folder: '/w' }), request(targets));
  }

  it('matches only files in its folder', () => {
    expect(inFolder({}, target('a'))).toBe(true);
    expect(inFolder({}, target('a', { folder: other }))).toBe(false);
    expect(inFolder({}, target('a'), target('a', { folder: other }))).toBe(false);
    expect(inFolder({ effect: 'deny' }, target('a'), target('a', { folder: other }))).toBe(true);
    expect(inFolder({ effect: 'deny' }, target('a', { folder: other }))).toBe(false);
    expect(inFolder({ effect: 'deny', paths: ['!a'] }, target('a', { folder: other }))).toBe(false);
  });

  it('P3 judges both ends of a link that leads out of its folder or into it', () => {
    const out = target('a', { realPath: '/other/a' });
    const into = target('a', { folder: other, realPath: '/w/a' });
    for (const link of [out, into]) {
      expect(inFolder({}, link)).toBe(false);
      expect(inFolder({ effect: 'deny' }, link)).toBe(true);
    }
  });

  it('anchors its paths at its folder, also for files of a nested folder of the window', () => {
    const nested = folderAt('/w/packages/web');
    expect(inFolder({ paths: ['packages/web/src/*'] }, target('src/a', { folder: nested }))).toBe(true);
    expect(inFolder({ paths: ['src/*'] }, target('src/a', { folder: nested }))).toBe(false);
    expect(inFolder({ effect: 'deny', paths: ['packages/*/src'] }, target('src/a', { folder: nested }))).toBe(true);
  });
});

describe('properties of matching', () => {
  const name = fc.constantFrom('a', 'b', 'Src', 'x.ts', 'é', 'e\u0301', '[id]');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const part = fc.constantFrom('a', 'src', '*', '**', '*.ts', '{a,b}', 'É', '[[]id]', '?');
  const glob = fc
    .tuple(fc.constantFrom('', '', '!', './'), fc.array(part, { minLength: 1, maxLength: 3 }))
    .map(([start, names]) => start + names.join('/'));
  const paths = fc.array(glob, { minLength: 1, maxLength: 3 });
  const effect = fc.constantFrom<RuleEffect>('deny', 'ask');

  it('restricts in any case and Unicode form, by lexical and by real path', () => {
    fc.assert(
      fc.property(effect, paths, path, path, (kind, globs, one, other) => {
        const isMatch = matches({ effect: kind, paths: globs }, one);
        expect(matches({ effect: kind, paths: globs }, one.toUpperCase())).toBe(isMatch);
        expect(matches({ effect: kind, paths: globs }, one.toLowerCase().normalize('NFD'))).toBe(isMatch);
        if (!isMatch) return;
        expect(matches({ effect: kind, paths: globs }, target(one, { realPath: `/w/${other}` }))).toBe(true);
        expect(matches({ effect: kind, paths: globs }, target(other, { realPath: `/w/${one}` }))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('restricts everything in a restricted folder when nothing is excluded', () => {
    fc.assert(
      fc.property(effect, paths, path, path, (kind, globs, above, below) => {
        const included = globs.filter((each) => !each.startsWith('!'));
        fc.pre(included.length > 0 && matches({ effect: kind, paths: included }, above));
        expect(matches({ effect: kind, paths: included }, `${above}/${below}`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never starts to allow and never stops to restrict when a target is added', () => {
    fc.assert(
      fc.property(paths, fc.array(path, { minLength: 1, maxLength: 3 }), path, (globs, before, added) => {
        const after = [...before, added];
        expect(matches({ paths: globs }, ...after) && !matches({ paths: globs }, ...before)).toBe(false);
        expect(
          matches({ effect: 'deny', paths: globs }, ...before) && !matches({ effect: 'deny', paths: globs }, ...after),
        ).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('matches with deny whatever it matches with allow when nothing is excluded', () => {
    fc.assert(
      fc.property(paths, path, (globs, one) => {
        const included = globs.filter((each) => !each.startsWith('!'));
        fc.pre(included.length > 0 && matches({ paths: included }, one));
        expect(matches({ effect: 'deny', paths: included }, one)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
