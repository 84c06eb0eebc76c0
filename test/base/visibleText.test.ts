import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenCharacters, plain, visibleText } from '#base/visibleText.ts';

/** One character of each kind that threat row A5 names. */
const invisible = {
  NUL: 0x00,
  'carriage return': 0x0d,
  escape: 0x1b,
  delete: 0x7f,
  'a C1 control': 0x9b,
  'no-break space': 0xa0,
  'soft hyphen': 0xad,
  'grapheme joiner': 0x34f,
  'Arabic letter mark': 0x61c,
  'Hangul filler': 0x3164,
  'Ogham space': 0x1680,
  'en quad': 0x2000,
  'zero-width space': 0x200b,
  'zero-width joiner': 0x200d,
  'left-to-right mark': 0x200e,
  'right-to-left mark': 0x200f,
  'line separator': 0x2028,
  'paragraph separator': 0x2029,
  'left-to-right embedding': 0x202a,
  'right-to-left override': 0x202e,
  'word joiner': 0x2060,
  'left-to-right isolate': 0x2066,
  'pop isolate': 0x2069,
  'blank Braille': 0x2800,
  'ideographic space': 0x3000,
  'variation selector 1': 0xfe00,
  'variation selector 16': 0xfe0f,
  'byte-order mark': 0xfeff,
  'interlinear anchor': 0xfff9,
  'language tag': 0xe0001,
  'tag A': 0xe0041,
  'cancel tag': 0xe007f,
  'variation selector 256': 0xe01ef,
  'a lone surrogate': 0xd800,
};

describe('A5 hidden characters', () => {
  test.each(Object.entries(invisible))('shows %s as an escape in a part of its own', (_, code) => {
    const escape = `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    const text = `a${String.fromCodePoint(code)}b`;
    expect(visibleText(text)).toEqual([{ text: 'a' }, { text: escape, escaped: true }, { text: 'b' }]);
    expect(plain(text)).toBe(`a${escape}b`);
  });

  test('keeps visible characters: letters of all scripts, emoji, tab and line feed', () => {
    const text = 'ä שלום 日本 😀\t\n#';
    expect(visibleText(text)).toEqual([{ text }]);
    expect(plain(text)).toBe('ä שלום 日本 😀  #');
  });

  test('loses no character: undoing the escapes gives the text back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x10_ff_ff)), (codes) => {
        const text = String.fromCodePoint(...codes);
        const unescaped = visibleText(text).map((part) =>
          part.escaped
            ? part.text.replaceAll(/<U\+([0-9A-F]+)>/g, (_, hex: string) =>
                String.fromCodePoint(Number.parseInt(hex, 16)),
              )
            : part.text,
        );
        expect(unescaped.join('')).toBe(text);
      }),
    );
  });

  test('does not mark text that only looks like an escape', () => {
    expect(visibleText('<U+202E>')).toEqual([{ text: '<U+202E>' }]);
  });

  test('handles 100,000 hidden characters in a row', () => {
    const parts = visibleText('\u200B'.repeat(100_000));
    expect(parts.every((part) => part.escaped)).toBe(true);
    expect(parts.map((part) => part.text).join('')).toHaveLength(100_000 * '<U+200B>'.length);
  });

  test('escapes the joiners of an emoji, but does not warn of them', () => {
    expect(visibleText('❤\uFE0F')).toHaveLength(2);
    expect(hiddenCharacters('❤\uFE0F 👩🏽\u200D💻')).toEqual([]);
    expect(hiddenCharacters('a\uFE0F b\u200Dc \u202E\u202E')).toEqual(['<U+FE0F>', '<U+200D>', '<U+202E>']);
  });
});
