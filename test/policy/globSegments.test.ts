import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyDepth,
  expandBraces,
  GlobError,
  matchSegments,
  parseSegment,
  parseSegments,
  segmentsMatch,
  type GlobSegment,
} from '#policy/globSegments.ts';
import { nameMatches } from '#policy/namePattern.ts';
import { expectToEnd } from '../expectToEnd.ts';

const segmentText = fc.constantFrom('**', '**', '*', 'a', 'b', 'a*', '*b', '?');
const segments = fc.array(segmentText, { minLength: 1, maxLength: 6 }).map((all) => parseSegments(all.join('/')));
const names = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { maxLength: 6 });

/** Returns the expected result for segments by trying everything. */
function matchesByTrial([first, ...rest]: readonly GlobSegment[], [name, ...others]: readonly string[]): boolean {
  if (first === undefined) return name === undefined;
  if (first === anyDepth)
    return (
      matchesByTrial(rest, name === undefined ? [] : [name, ...others]) ||
      (name !== undefined && matchesByTrial([first, ...rest], others))
    );
  return name !== undefined && nameMatches(first, name) && matchesByTrial(rest, others);
}

/** Returns the expected result for one name by trying everything. */
function nameMatchesByTrial(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob.startsWith('*'))
    return nameMatchesByTrial(glob.slice(1), name) || (name !== '' && nameMatchesByTrial(glob, name.slice(1)));
  return (
    name !== '' && (glob.startsWith('?') || glob[0] === name[0]) && nameMatchesByTrial(glob.slice(1), name.slice(1))
  );
}

describe('segments', () => {
  it('match the same names as a search that tries everything', () => {
    fc.assert(
      fc.property(segments, names, fc.nat(6), (all, path, atLeast) => {
        expect(segmentsMatch(all, path)).toBe(matchesByTrial(all, path));
        const starts = path.map((_, at) => path.slice(0, at + 1)).concat([[]]);
        const expected = starts.some((start) => start.length >= atLeast && matchesByTrial(all, start));
        expect(matchSegments(all, path.length, (one, at) => nameMatches(one, path[at] ?? ''), atLeast)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('H16: compare at most the number of segments times the number of names', () => {
    const long = fc.array(segmentText, { minLength: 1, maxLength: 60 }).map((all) => parseSegments(all.join('/')));
    const path = fc.array(fc.constantFrom('a', 'b'), { maxLength: 60 });
    fc.assert(
      fc.property(long, path, (all, tried) => {
        let asked = 0;
        matchSegments(all, tried.length, (one, at) => ((asked += 1), nameMatches(one, tried[at] ?? '')));
        expect(asked).toBeLessThanOrEqual(all.length * Math.max(1, tried.length));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a pattern for a name', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('matches the same names as a search that tries everything', () => {
    fc.assert(
      fc.property(text, name, (glob, tried) => {
        expect(nameMatches(parseSegment(glob), tried), `${glob} on ${tried}`).toBe(nameMatchesByTrial(glob, tried));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes every character literally except wildcards', () => {
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => !/[*?[/]/.test(one));
    fc.assert(
      fc.property(fc.array(character, { minLength: 1, maxLength: 6 }), (characters) => {
        const whole = characters.join('');
        expect(nameMatches(parseSegment(`*${whole}`), `x${whole}`)).toBe(true);
        expect(nameMatches(parseSegment(`?${whole}*`), `x${whole}`)).toBe(true);
        expect(nameMatches(parseSegment(`${whole}*`), `x${whole}`)).toBe(whole === `x${whole}`.slice(0, whole.length));
      }),
      { numRuns: 1000 },
    );
  });

  it('H16: is compiled to expressions without repetition', () => {
    const character = fc.constantFrom(
      'a',
      '*',
      '?',
      '[ab]',
      '[!a-c]',
      '+',
      '{',
      '}',
      '(',
      ')',
      '|',
      '\\',
      '.',
      '^',
      '$',
      '-',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (parts) => {
        for (const { source } of parseSegment(parts.join('')).runs)
          expect(source.replace(/\\u\{\w+\}|\\./g, '')).not.toMatch(/[*+?{|(]/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('braces', () => {
  const limits = { maximum: 64, allowsOneChoice: false };

  it.each([
    ['a', ['a']],
    ['a,b', ['a,b']],
    ['{a,b}c{d,e}', ['acd', 'ace', 'bcd', 'bce']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['{,a}', ['', 'a']],
    ['[{,}]{a,b}', ['[{,}]a', '[{,}]b']],
    ['[]{]{a,b}', ['[]{]a', '[]{]b']],
  ])('%s stands for %j', (text, expected) => {
    expect(expandBraces(text, limits)).toEqual(expected);
  });

  it('with one choice stand for that choice when one choice is allowed', () => {
    expect(expandBraces('{a}{{b,c}}', { ...limits, allowsOneChoice: true })).toEqual(['ab', 'ac']);
    expect(() => expandBraces('{a}', limits)).toThrow(GlobError);
  });

  it.each(['{a,b}'.repeat(400), '{'.repeat(2000), '['.repeat(2_000_000), `${'{a,'.repeat(600)}b${'}'.repeat(600)}`])(
    'H16: are refused when they stand for too many texts',
    (text) => {
      expectToEnd(() => expect(() => expandBraces(text, limits)).toThrow(GlobError));
    },
  );
});
