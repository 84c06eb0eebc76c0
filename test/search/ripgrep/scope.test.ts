import { describe, expect, it } from 'vitest';
import { scopeOf, type Scope, type SearchSettings } from '#search/ripgrep/scope.ts';
import { expectToEnd } from '../../expectToEnd.ts';

function scope(
  globs: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    readonly settings?: SearchSettings['exclude'];
  },
  includeIgnored = false,
): Scope {
  const settings: SearchSettings = {
    exclude: globs.settings ?? {},
    useIgnoreFiles: true,
    useGlobalIgnoreFiles: false,
    useParentIgnoreFiles: false,
    candidates: [],
    encoding: 'utf8',
  };
  const query = { within: [], include: globs.include ?? [], exclude: globs.exclude ?? [], includeIgnored };
  return scopeOf(query, settings, [], ['']);
}

/** Returns the globs of ripgrep's exclude arguments. */
function leftOut({ arguments: all }: Scope): readonly string[] {
  return all.filter((_, at) => all[at - 1] === '--glob');
}

describe('H16: slow globs and hostile names', () => {
  const stars = `${'*a'.repeat(15)}*b`;
  const name = 'a'.repeat(255);
  const path = Array.from({ length: 15 }, () => name).join('/');
  const deep = `${'a/'.repeat(2000)}c`;

  it.each([
    ['stars in a name', stars, name],
    ['stars in a long path', `**/${stars}`, path],
    ['names in a deep path', `${'**/a/'.repeat(15)}b`, deep],
    ['stars and braces', '{*a,*aa,*aaa}{*a,*aa,*aaa}{*a,*aa,*aaa}{*a,*aa,*aaa}b', name],
    ['question marks', `*${'?'.repeat(15)}b`, name],
    ['sets', `${'*[ab]'.repeat(15)}c`, name],
  ])('are matched in time for %s', (_, glob, hostile) => {
    expectToEnd(() => {
      expect(scope({ include: [glob] }).includes(hostile)).toBe(false);
      expect(scope({ exclude: [glob] }).excludes(hostile, '')).toBe(false);
      expect(scope({ settings: { [glob]: true } }).excludes(hostile, '')).toBe(false);
      expect(scope({ settings: { [glob]: { when: 'x' } } }).hiddenBeside(hostile)).toBeUndefined();
    });
  });

  it('are matched in time for 32 globs with many braces', () => {
    const globs = Array.from({ length: 32 }, (_, at) => `**/*{a,b}{a,b}{a,b}{a,b}*${at}`);
    expectToEnd(() => expect(scope({ include: globs, exclude: globs }).includes(deep)).toBe(false));
  });
});

describe('the excludes of the editor', () => {
  it('hide nothing when they are not valid, and do not stop the search', () => {
    const broken = scope({
      settings: { '[': true, '{a': true, '../x': true, '': true, '/': true, '[b-a]': true, ok: true },
    });
    expect(leftOut(broken)).toEqual(['!/ok']);
    expect(broken.excludes('ok', '')).toBe(true);
    expect(broken.excludes('../x', '')).toBe(false);
  });

  it('hide nothing when they are false or the query includes ignored files', () => {
    expect(leftOut(scope({ settings: { a: false, b: { when: 'x' } } }))).toEqual([]);
    const all = scope({ settings: { a: true, b: { when: 'x' } } }, true);
    expect([leftOut(all), all.excludes('a', ''), all.hiddenBeside('b')]).toEqual([[], false, undefined]);
  });

  it('hide a file beside a sibling by its name without the last extension', () => {
    const beside = scope({
      settings: { '**/*.js': { when: '$(basename).ts' }, '**/.*rc': { when: '$(basename).json' } },
    });
    expect(beside.hiddenBeside('src/a.test.js')).toBe('a.test.ts');
    expect(beside.hiddenBeside('src/.mocharc')).toBe('.mocharc.json');
    expect(beside.hiddenBeside('src/a.ts')).toBeUndefined();
  });
});

it('hides the content of an excluded folder, but not when the search begins in that folder', () => {
  const made = scope({ settings: { '**/gen': true, 'src/**': true } });
  expect(made.excludes('lib/gen/a/b.ts', '')).toBe(true);
  expect(made.excludes('lib/gen/a/b.ts', 'lib')).toBe(true);
  expect(made.excludes('lib/gen/a/b.ts', 'lib/gen')).toBe(false);
  expect(made.excludes('lib/gen/a/gen/b.ts', 'lib/gen')).toBe(true);
  expect(made.excludes('src/a.ts', 'src')).toBe(true);
  expect(made.excludes('src/a.ts', 'src/a.ts')).toBe(false);
});
