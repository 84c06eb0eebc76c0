import { describe, expect, it, test } from 'vitest';
import { alikeWords, sameLooks, skeleton } from '#changes/lookAlikes.ts';
import { create, edit, move, remove } from './queueSetUp.ts';

describe('P22 words that look like others', () => {
  const lettersOf = (line: string): string[] =>
    alikeWords(line).map(({ letters }) => letters.map(({ start, end }) => line.slice(start, end)).join(''));

  test.each([
    ['a Cyrillic letter among Latin ones', 'if (is\u0410dmin)', ['\u0410']],
    ['a Greek letter among Latin ones', 'let c\u03BFunt = 1;', ['\u03BF']],
    ['a full-width letter', 'let \uFF41bc = 1;', ['\uFF41']],
    ['a word of such letters alone', '\u0441\u043E\u0440\u0443(a);', ['\u0441\u043E\u0440\u0443']],
    [
      'such a word before a comment in its script',
      '\u0441\u043E\u0440\u0443(); // \u043F\u0440\u0438\u0432\u0435\u0442',
      ['\u0441\u043E\u0440\u0443'],
    ],
    ['a word after an emoji', '\u{1F600}is\u0410dmin', ['\u0410']],
  ])('are found for %s', (_, line, letters) => expect(lettersOf(line)).toEqual(letters));

  test.each([
    ['plain code', 'const a = isAdmin(1);'],
    ['a word with a letter of no other script', '// \u043F\u0440\u0438\u0432\u0435\u0442'],
    [
      'a short word in a sentence of its script',
      '// \u043F\u0440\u0438\u0432\u0435\u0442, \u0430 \u043F\u043E\u0442\u043E\u043C',
    ],
    ['Latin letters with accents', 'na\u00EFve caf\u00E9 \u0131'],
    ['other scripts', '\u65E5\u672C\u8A9E 1\u00BA \u0394x'],
  ])('are not found in %s', (_, line) => expect(lettersOf(line)).toEqual([]));
});

describe('P22 names that look the same', () => {
  it('have one skeleton', () => {
    expect(skeleton('\u0430.ts')).toBe(skeleton('a.ts'));
    expect(skeleton('file1.ts')).toBe(skeleton('fileI.ts'));
    expect(skeleton('rnodel.ts')).toBe(skeleton('model.ts'));
    expect(skeleton('b.ts')).not.toBe(skeleton('d.ts'));
  });

  const inFolder =
    (folders: Record<string, string[]>) =>
    (folder: string): readonly string[] =>
      folders[folder] ?? [];

  it('are found beside a new, an edited or a moved file, and above a new folder', () => {
    const names = inFolder({ '/w': ['src', 'a.ts'], '/w/src': ['a.ts', 'b.ts'] });
    const sameLook = (...files: Parameters<typeof sameLooks>[0]): string | undefined => sameLooks(files, names)[0];
    expect(sameLook(create('src/\u0430.ts', ''))).toBe('a.ts');
    expect(sameLook(edit('src/\u0430.ts', '', 'x'))).toBe('a.ts');
    expect(sameLook(move('c.ts', 'src/\u0430.ts', ''))).toBe('a.ts');
    expect(sameLook(create('\u0455r\u0441/new.ts', ''))).toBe('src');
    expect(sameLook(create('c.ts', ''), create('\u0441.ts', ''))).toBe('\u0441.ts');
  });

  it('are not found for the file itself, for a delete, or for the old name of a moved file', () => {
    const names = inFolder({ '/w/src': ['a.ts', '\u0435.ts', 'caf\u00E9.ts'] });
    expect(sameLooks([edit('src/a.ts', '', 'x')], names)).toEqual([undefined]);
    expect(sameLooks([edit('src/cafe\u0301.ts', '', 'x')], names)).toEqual([undefined]);
    expect(sameLooks([remove('src/\u0430.ts', '')], names)).toEqual([undefined]);
    expect(sameLooks([move('src/\u0435.ts', 'src/e.ts', '')], names)).toEqual([undefined]);
    expect(sameLooks([create('b.ts', '')], names)).toEqual([undefined]);
  });
});
