import { describe, expect, it } from 'vitest';
import { isOption, parseWords } from '#policy/shell/options.ts';
import { readSimpleCommands } from '#policy/shell/simpleReading.ts';
import { decodeWord, type Word } from '#policy/shell/words.ts';

describe('decodeWord', () => {
  it.each([
    ['ls', 'ls'],
    ['r\\m', 'rm'],
    ['\'a b\'"c d"e', 'a bc de'],
    ['"a\\"b\\\\c\\d"', 'a"b\\c\\d'],
    ['"foo$"', 'foo$'],
    ['a\\\nb', 'ab'],
    ['HEAD~1', 'HEAD~1'],
    ['HEAD@{1}', 'HEAD@{1}'],
    ["''", ''],
    ["'$x `y` *'", '$x `y` *'],
    ['\\*', '*'],
    ['!', '!'],
  ])('removes quotes and escapes when the word is %s', (raw, value) => {
    expect(decodeWord(raw)).toBe(value);
  });

  it.each([
    '$x',
    '"$x"',
    '"`ls`"',
    '`ls`',
    '"$(ls)"',
    "$'a'",
    '$"a"',
    '*',
    'a?',
    '[ab]',
    '{a,b}',
    '{1..3}',
    '~',
    '~/a',
    'x=~/a',
    '=ls',
    '!x',
    '"a!x"',
    "'a",
    '"a',
    'a\\',
    'a b',
    'a;b',
    'a>b',
    '<(a)',
    '@(a)',
    'a\u00a0b',
    'a\rb',
    'a\u200bb',
  ])('does not know the word %s', (raw) => {
    expect(decodeWord(raw)).toBeUndefined();
  });
});

describe('readSimpleCommands', () => {
  const read = (text: string): readonly (readonly string[])[] | undefined =>
    readSimpleCommands(text)?.map((command) => command.map(([start, end]) => text.slice(start, end)));

  it('returns the words of each command when the text joins them', () => {
    expect(read("if ls 'a b'; then (cat x | wc) & fi # rm\n! ls 2>&1 >/dev/null")).toEqual([
      ['ls', "'a b'"],
      ['cat', 'x'],
      ['wc'],
      ['ls'],
    ]);
    expect(read('ls a\\ b;\\rm')).toEqual([['ls', 'a\\ b'], ['\\rm']]);
  });

  it.each([
    'ls $x',
    'ls `x`',
    'ls *',
    'f() { ls; }',
    'ls > a',
    'ls < a',
    'cat <<A\nA',
    "ls 'a",
    'for i in a; do ls; done',
    '[[ a ]]',
    'coproc ls',
    'ls >/dev/nullx',
    '> /dev/null',
    'a(b)',
  ])('does not read %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('parseWords', () => {
  const words = (...values: readonly (string | undefined)[]): readonly Word[] =>
    values.map((value) => ({ raw: value ?? '$x', value }));
  const table = { short: 'an:c::#', long: 'all name: color::' };

  it('splits options, values and operands as getopt does', () => {
    const { options, operands, unknown } = parseWords(
      words('-an', 'x', '-nx', '-cx', '-5', '--name', 'y', '--name=z', '--color=w', '-', 'f', '--', '-a'),
      table,
    );
    expect(options.map(({ name, value }) => [name, value?.value])).toEqual([
      ['a', undefined],
      ['n', 'x'],
      ['n', 'x'],
      ['c', 'x'],
      ['#', undefined],
      ['name', 'y'],
      ['name', 'z'],
      ['color', 'w'],
    ]);
    expect(operands.map(({ value }) => value)).toEqual(['-', 'f', '-a']);
    expect(unknown).toBeUndefined();
  });

  it.each([[['-x']], [['-ax']], [['--other']], [['--all=1']], [['-n']], [['--name']], [['--na', 'x']]])(
    'does not know the option when the words are %j',
    (given) => {
      expect(parseWords(words(...given), table).unknown).toBeDefined();
    },
  );

  it('ends the options at the first operand when the program starts another one', () => {
    expect(parseWords(words('-a', 'ls', '-x'), table, true).operands.map(({ value }) => value)).toEqual(['ls', '-x']);
    expect(parseWords(words(undefined, '-a'), table).operands).toHaveLength(1);
  });

  it('takes a shortened long option as one that writes', () => {
    expect(isOption('outp', 'o output')).toBe(true);
    expect(isOption('o', 'o output')).toBe(true);
    expect(isOption('output-x', 'o output')).toBe(false);
    expect(isOption('u', 'o output')).toBe(false);
  });
});
