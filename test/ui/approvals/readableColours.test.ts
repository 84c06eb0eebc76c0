import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, shadesOf } from '#ui/approvals/readableColours.ts';

const none = { editor: '#1f1f1f', addedLine: '', addedWord: '', removedLine: '', removedWord: '' };
const rgb = (hex: string): [number, number, number] => {
  const [red = 0, green = 0, blue = 0] = (hex.match(/[0-9a-f]{2}/g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
};
const byte = fc.integer({ min: 0, max: 255 });
const opaque = fc.tuple(byte, byte, byte).map((parts) => `rgb(${parts.join(', ')})`);
const hex = (css: string): [number, number, number] => {
  const [red = 0, green = 0, blue = 0] = (css.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
};

describe('the shades of a colour', () => {
  it('are the colour itself where it has enough contrast', () => {
    expect(shadesOf('#ffffff', none)).toEqual({ plain: '#ffffff', added: '#ffffff', removed: '#ffffff' });
    expect(shadesOf('#444', { ...none, editor: '#fff' })?.added).toBe('#444444');
  });

  it('have a contrast of at least 4.5 on changed lines and words, or as much as there can be', () => {
    fc.assert(
      fc.property(opaque, opaque, opaque, opaque, (colour, editor, line, word) => {
        const shades = shadesOf(colour, {
          editor,
          addedLine: line,
          addedWord: word,
          removedLine: word,
          removedWord: '',
        });
        const least = (tried: [number, number, number]): number =>
          Math.min(contrast(tried, hex(line)), contrast(tried, hex(word)));
        const best = Math.max(least([0, 0, 0]), least([255, 255, 255]));
        expect(least(rgb(shades?.added ?? ''))).toBeGreaterThanOrEqual(Math.min(4.5, best) - 1e-9);
        expect(contrast(rgb(shades?.removed ?? ''), hex(word))).toBeGreaterThanOrEqual(4.5);
        expect(rgb(shades?.plain ?? '')).toEqual(hex(colour));
      }),
    );
  });

  it.each(['#12345', 'red', 'url(x)', 'rgb(1, 2)', 'rgb(a, b, c)', '#ggg'])('are not made of %s', (colour) => {
    expect(shadesOf(colour, none)).toBeUndefined();
  });

  it('blend transparent colours with what lies below them', () => {
    expect(shadesOf('#ffffff80', { ...none, editor: '#000000' })?.plain).toBe('#808080');
    expect(shadesOf('rgb(255 255 255 / 50%)', { ...none, editor: '#000000' })?.plain).toBe('#808080');
    expect(shadesOf('rgba(255, 255, 255, 0.5)', { ...none, editor: '#000' })?.plain).toBe('#808080');
  });
});
