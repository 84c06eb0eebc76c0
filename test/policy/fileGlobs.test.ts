import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { anyMatches, anyMatchesBelow, callerGlobs, settingsGlobs, withContents } from '#policy/fileGlobs.ts';

const ofCaller = (glob: string, path: string): boolean => anyMatches(callerGlobs([glob]), path);
const ofSettings = (glob: string, path: string): boolean => anyMatches(settingsGlobs([glob]), path);

describe('a glob of a caller', () => {
  it.each([
    // A glob without a slash matches at any depth; a glob with one is anchored to the folder.
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['./*.ts', 'src/a.ts', false],
    ['/*.ts', 'src/a.ts', false],
    ['/*.ts', 'a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'lib/src/a.ts', false],
    ['src\\*.ts', 'src/a.ts', true],
    ['src/', 'lib/src', true],
    ['src/', 'src/a.ts', false],
    ['**.ts', 'src/a.ts', true],
    ['**/**/**/src/**/**/*.ts', 'src/a.ts', true],
    ['src/**', 'src', false],
    ['packages/*/**', 'packages/a.ts', false],
    ['packages/*/**', 'packages/a/b.ts', true],
    ['src/**', 'src/.a/b', true],
    ['**', 'a/b', true],
    // Choices, also of whole paths.
    ['{src,lib/deep}/*.{ts,tsx}', 'lib/deep/a.tsx', true],
    ['src/{,sub/}a.ts', 'src/a.ts', true],
    ['src/{,sub/}a.ts', 'src/sub/a.ts', true],
    ['{./src/,lib}', 'src', true],
    ['{a,{b,c}d}.ts', 'cd.ts', true],
    ['a,b', 'a,b', true],
    // Sets.
    ['[a-c]x[!d-f]', 'bxg', true],
    ['[a-c]x[^d-f]', 'bxe', false],
    ['[a-c]x[!d-f]', 'bx/', false],
    ['[]-]', '-', true],
    ['[[]id[]].ts', '[id].ts', true],
    ['[{]a,b[}]', '{a,b}', true],
    ['a?c', 'a\u{1f600}c', true],
    ['a[\u{1f600}-\u{1f602}]c', 'a\u{1f601}c', true],
    ['*[!\u{1f600}]', '\u{1f600}', false],
    ['*?', '\n', true],
    // Every other character is literal, as in ripgrep.
    ['app/(group)/@modal/[[]id].tsx', 'app/(group)/@modal/[id].tsx', true],
    ['a"b.$^+|.ts', 'a"b.$^+|.ts', true],
    ['a:b', 'a:b', true],
    ['a.ts', 'abts', false],
    ['A.ts', 'a.ts', false],
  ])('%s on %s: %s', (glob, path, expected) => {
    expect(ofCaller(glob, path)).toBe(expected);
  });

  it.each([
    ['src/../../x', 'contains ..'],
    ['{..,x}/a', 'contains ..'],
    ['..\\x', 'contains ..'],
    ['a/./b', 'contains . as a name'],
    ['a//b', 'an empty name'],
    ['/', 'write ** for all'],
    ['./', 'write ** for all'],
    ['[a', 'without its ]'],
    ['[b-a]', 'an empty range'],
    ['{a', 'do not form a pair'],
    ['a}', 'do not form a pair'],
    ['{1..9}', 'do not form a pair'],
    ['src/+(a|b).ts', 'write {a,b}'],
    ['src/!(a).ts', 'use exclude'],
    ['a'.repeat(2049), 'longer than 2048'],
    ['{a,b}'.repeat(10), 'write fewer choices'],
  ])('%s is refused: %s', (glob, reason) => {
    expect(() => callerGlobs(['ok', glob])).toThrow(InvalidArgumentsError);
    expect(() => callerGlobs([glob])).toThrow(reason);
  });

  it('H16: is refused when all globs together stand for more than 512 paths', () => {
    const eight = '{a,b}{a,b}{a,b}';
    const all = Array.from({ length: 64 }, () => eight);
    expect(callerGlobs(all)).toHaveLength(64);
    expect(() => callerGlobs([...all, 'a'])).toThrow('write fewer choices');
    expect(() => callerGlobs([`{${'a,'.repeat(600)}a}`])).toThrow('write fewer choices');
  });
});

describe('a glob of the settings', () => {
  it.each([
    ['*.log', 'a.log', true],
    ['*.log', 'src/a.log', false],
    ['src', 'lib/src', false],
    ['**/.DS_Store', 'src/.DS_Store', true],
    ['**.log', 'src/a.log', true],
    ['/src/', 'src', true],
    ['{a}', 'a', true],
    ['out/**', 'out', true],
    ['!src', 'lib', false],
  ])('%s on %s: %s', (glob, path, expected) => {
    expect(ofSettings(glob, path)).toBe(expected);
  });

  it('is ignored when it is not valid, without affecting the others', () => {
    const globs = settingsGlobs(['[', '{a', 'a}', '../x', '', '/', 'a'.repeat(2049), '{a,b}'.repeat(10), 'ok']);
    expect(globs.map(({ written }) => written)).toEqual(['ok']);
  });
});

describe('globs of the grammar shared with picomatch', () => {
  const letter = fc.constantFrom('a', 'b', '.a');
  const part = fc.oneof(
    letter,
    letter,
    fc.constantFrom('*', '?', '[ab]', '[!a]', '[^a-b]', '{a,b}', '{a,*b}', 'a{,b}'),
  );
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  const names = fc.array(fc.oneof(name, name, fc.constantFrom('**', '{a,b/a}')), { minLength: 1, maxLength: 4 });
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 1, maxLength: 4 });
  const path = fc
    .array(
      word.filter((text) => !/^\.+$/.test(text)),
      { minLength: 1, maxLength: 4 },
    )
    .map((words) => words.join('/'));
  // Here two stars within a name equal one. In picomatch `*/**` does not match a folder, although `?/**` does.
  const glob = names
    .map((all) => all.join('/'))
    .filter((text) => !/\*\*[^/]|[^/]\*\*|\*\/\*\*(\/|$)/.test(text.replace(/^(\*\*\/)+/, '')));
  const reference = (text: string, tried: string): boolean =>
    picomatch.isMatch(tried, text, { dot: true, windows: false, posix: true });

  it('match the same paths as picomatch', () => {
    fc.assert(
      fc.property(glob, path, (text, tried) => {
        expect(ofSettings(text, tried), `${text} on ${tried}`).toBe(reference(text, tried));
        const anywhere = text.includes('/') || text === '**' ? text : `**/${text}`;
        const below = text.endsWith('**') ? `${anywhere}/*` : anywhere;
        expect(ofCaller(text, tried), `${text} of a caller on ${tried}`).toBe(reference(below, tried));
      }),
      { numRuns: 3000 },
    );
  });

  it('match the same folders on the way to a path as picomatch', () => {
    fc.assert(
      fc.property(glob, path, fc.nat(3), (text, tried, depth) => {
        const all = tried.split('/');
        const root = all.slice(0, depth).join('/');
        const below = all.map((_, at) => all.slice(0, at + 1).join('/')).slice(depth);
        expect(anyMatchesBelow(settingsGlobs([text]), root, tried), `${text} on ${tried} below ${root}`).toBe(
          below.some((one) => reference(text, one)),
        );
        const contents = settingsGlobs([text]).map(withContents);
        expect(anyMatches(contents, tried)).toBe(reference(text, tried) || reference(`${text}/**`, tried));
      }),
      { numRuns: 3000 },
    );
  });
});
