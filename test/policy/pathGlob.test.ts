import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { GlobError } from '#policy/globSegments.ts';
import { fold } from '#policy/nameRules.ts';
import { escapeGlob, globCovers, globMatches, parseGlob, type GlobReach, type PathGlob } from '#policy/pathGlob.ts';

function matches(glob: string, path: string, reach: GlobReach = 'asWritten'): boolean {
  const spelled = reach === 'widened' ? fold(path) : path.normalize('NFC');
  return globMatches(parseGlob(glob, reach), spelled === '' ? [] : spelled.split('/'));
}

function problemOf(glob: string): string | undefined {
  try {
    parseGlob(glob, 'asWritten');
    return undefined;
  } catch (error) {
    if (error instanceof GlobError) return error.message;
    throw error;
  }
}

describe('a glob', () => {
  it.each([
    // A glob without a slash matches a name at any depth, with everything below it.
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['generated', 'src/generated/a/b.ts', true],
    ['generated', 'src/generated2/a.ts', false],
    // A glob with a slash is anchored to the folder.
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'lib/src/a.ts', false],
    ['./a.ts', 'a.ts', true],
    ['./a.ts', 'src/a.ts', false],
    ['src/*', 'src/a.ts', true],
    ['src/*', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['src/**', 'src', false],
    ['src/', 'src/deep/a.ts', true],
    ['src/', 'lib/src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['**/test/*.ts', 'a/test/b.ts', true],
    ['**', '.hidden/a', true],
    // Wildcards.
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'a\u{1f600}c', true],
    ['src/*.{ts,tsx}', 'src/a.tsx', true],
    ['{src,test/unit}/*.ts', 'test/unit/a.ts', true],
    ['a{,.min}.js', 'a.js', true],
    ['{a,{b,c}d}', 'cd', true],
    ['[a-c].ts', 'b.ts', true],
    ['[!a-c].ts', 'b.ts', false],
    ['[^a-c].ts', 'd.ts', true],
    ['[]x].ts', '].ts', true],
    // Every other character is literal.
    ['app/(group)/+page@2.ts', 'app/(group)/+page@2.ts', true],
    ['a"b|c$^.ts', 'a"b|c$^.ts', true],
    ['[[]id].ts', '[id].ts', true],
    ['a[*]b', 'a*b', true],
    ['a[*]b', 'axb', false],
    ['[{]a,b[}]', '{a,b}', true],
    // Case matters, the Unicode form does not.
    ['src/a.ts', 'src/A.ts', false],
    ['caf\u0065\u0301', 'caf\u00e9', true],
  ])('%s, as written, on %s: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each([
    ['src/Secret', 'SRC/secret/a/b', true],
    ['src/secret*', 'src/secrets/a', true],
    ['src/**', 'src', true],
    ['**', '', true],
    ['[A-C].ts', 'b.ts', true],
    ['src/a', 'src/ab', false],
  ])('%s, widened, on %s: %s', (glob, path, expected) => {
    expect(matches(glob, path, 'widened')).toBe(expected);
  });

  it.each([
    ['../a', 'contains ..'],
    ['src/../a', 'contains ..'],
    ['{..,a}/b', 'contains ..'],
    ['/etc/passwd', 'write ./etc/passwd'],
    ['C:/a', 'contains a colon'],
    ['other:a', 'contains a colon'],
    ['a\\b', 'backslash'],
    ['a//b', 'an empty name'],
    ['', 'an empty name'],
    ['!', 'an empty name'],
    ['home:', 'an empty name'],
    ['a/./b', 'contains . as a name'],
    ['[a', 'without its ]'],
    ['[]', 'an empty range'],
    ['[b-a]', 'an empty range'],
    ['{a', 'do not form a pair'],
    ['a}', 'do not form a pair'],
    ['{a}', 'do not form a pair'],
    ['{1..9}', 'do not form a pair'],
    ['a\u202eb', 'invisible'],
    ['a'.repeat(257), 'longer than 256'],
    ['*a'.repeat(17), 'more than 16 wildcards'],
    ['{a,b}'.repeat(7), 'too many paths'],
  ])('%j is refused: %s', (glob, reason) => {
    expect(problemOf(glob)).toContain(reason);
  });

  it('allows 16 wildcards, counting ** as one and an escaped one as none', () => {
    expect(problemOf('*a'.repeat(16))).toBeUndefined();
    expect(problemOf(`${'**/'.repeat(16)}a`)).toBeUndefined();
    expect(problemOf('[*]'.repeat(40))).toBeUndefined();
  });

  it('begins at the home directory or in a named folder', () => {
    expect(parseGlob('!home:notes/**', 'asWritten')).toMatchObject({ excludes: true, root: { in: 'home' } });
    expect(parseGlob('folder:Web App:src/**', 'asWritten').root).toEqual({ in: 'folder', name: 'Web App' });
    expect(parseGlob('folder:Web:src', 'widened').root).toEqual({ in: 'folder', name: 'web' });
  });

  it('matches the same paths as picomatch when both have the same grammar', () => {
    const letter = fc.constantFrom('a', 'b', '.');
    const part = fc.oneof(letter, letter, fc.constantFrom('*', '?', '[ab]', '[!a]', '{a,b}', '{a,*b}'));
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const names = fc.array(fc.oneof(name, name, fc.constant('**')), { minLength: 1, maxLength: 4 });
    const glob = fc.tuple(names, name).map(([start, end]) => [...start, end].join('/'));
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 1, maxLength: 4 });
    const isDots = (text: string): boolean => /^\.+$/.test(text);
    const path = fc.array(
      word.filter((text) => !isDots(text)),
      { minLength: 1, maxLength: 4 },
    );
    // Here two stars within a name equal one, names of dots only are refused, and `a/**` does not match `a`.
    const isShared = (text: string): boolean =>
      problemOf(text) === undefined &&
      !/\*\*[^/]|[^/]\*\*|\*\*$/.test(text) &&
      !/(^|\/)[.?*[\]{},!]*\.[.?*[\]{},!]*(\/|$)/.test(text);
    fc.assert(
      fc.property(glob.filter(isShared), path, (pattern, segments) => {
        const joined = segments.join('/');
        const expected = picomatch.isMatch(joined, pattern, { dot: true, windows: false, posix: true });
        expect(matches(pattern, joined), `${pattern} on ${joined}`).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('is parsed or refused with a GlobError, whatever its text', () => {
    const character = fc.constantFrom(
      'a',
      '/',
      '*',
      '?',
      '[',
      ']',
      '{',
      '}',
      ',',
      '!',
      '.',
      '-',
      ':',
      '(',
      '|',
      '\\',
      'É',
    );
    const text = fc.oneof(fc.string({ unit: character, maxLength: 40 }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, fc.constantFrom<GlobReach>('asWritten', 'widened'), text, (glob, reach, path) => {
        let parsed: PathGlob | undefined;
        try {
          parsed = parseGlob(glob, reach);
        } catch (error) {
          expect(error).toBeInstanceOf(GlobError);
        }
        if (parsed !== undefined) expect(typeof globMatches(parsed, path.split('/'))).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });

  it('H16: ends in time for names that are made to slow it down', () => {
    expect(matches(`${'*a'.repeat(15)}*b`, 'a'.repeat(4096))).toBe(false);
    expect(matches(`${'**/a*a*/'.repeat(5)}b`, `${'a'.repeat(60)}/`.repeat(60) + 'c')).toBe(false);
    expect(matches('a/**/'.repeat(15) + 'b', 'a/'.repeat(2000) + 'c')).toBe(false);
  });

  it('matches only one name when it is the escaped form of that name', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'A', '*', '?', '[', ']', '{', '}', ',', '!', '(', ')', '-'),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(matches(`./${escapeGlob(one)}`, one)).toBe(true);
        expect(matches(`./${escapeGlob(one)}`, other)).toBe(one === other);
      }),
    );
  });
});

describe('the coverage of one glob by another', () => {
  it.each([
    ['**', 'src/*.ts', true],
    ['*', 'src/*.ts', true],
    ['src/**', 'src/*.ts', true],
    ['gen', 'src/gen/*.ts', true],
    ['*.ts', 'src/a.ts', true],
    ['*.ts', 'src/*.ts', true],
    ['SRC/**', 'src/a', true],
    ['src/*', 'src/**', false],
    ['src/*.ts', 'src/**', false],
    ['src/*.ts', 'src/*', false],
    ['{src,lib}/**', '{lib,src}/a', true],
    ['src/**', '{lib,src}/a', false],
    ['folder:a:**', 'src/a', false],
    ['**', 'folder:a:src/a', true],
    ['folder:a:**', 'folder:b:a', false],
    ['home:**', '**', false],
    ['home:**', 'home:a', true],
  ])('%s and %s: %s', (outer, inner, expected) => {
    expect(globCovers(parseGlob(outer, 'widened'), parseGlob(inner, 'widened'))).toBe(expected);
  });

  it('is reported only when every path that the inner glob matches is matched by the outer one', () => {
    const glob = fc
      .array(fc.constantFrom('a', 'b', '*', '**', 'a*', '{a,b}', '?'), { minLength: 1, maxLength: 3 })
      .map((names) => names.join('/'));
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(glob, glob, path, (outer, inner, names) => {
        const [wide, narrow] = [parseGlob(outer, 'widened'), parseGlob(inner, 'widened')];
        fc.pre(globCovers(wide, narrow) && globMatches(narrow, names));
        expect(globMatches(wide, names)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
