import type { Shades } from '#ui/page/messages.ts';
import type { PageTheme } from '#ui/page/fromPage.ts';

/** A colour without transparency: red, green and blue from 0 to 255. */
type Colour = readonly [number, number, number];

/** The least contrast of text, of WCAG 2 success criterion 1.4.3. */
const leastContrast = 4.5;

/**
 * Returns a colour of a theme for unchanged, added and removed lines. A colour that has too little contrast on the background of
 * a changed line or of its words is made darker or lighter; the colour of an unchanged line is the theme's. Returns undefined
 * when a colour cannot be understood.
 */
export function shadesOf(colour: string, backgrounds: PageTheme['backgrounds']): Shades | undefined {
  const editor = over(backgrounds.editor, [0, 0, 0]);
  const plain = editor && over(colour, editor);
  const added = editor && over(backgrounds.addedLine, editor);
  const removed = editor && over(backgrounds.removedLine, editor);
  const addedWord = added && over(backgrounds.addedWord, added);
  const removedWord = removed && over(backgrounds.removedWord, removed);
  if (!plain || !addedWord || !removedWord) return undefined;
  return {
    plain: hex(plain),
    added: hex(readable(plain, [added, addedWord])),
    removed: hex(readable(plain, [removed, removedWord])),
  };
}

/** Returns the contrast of two colours, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function readable(colour: Colour, backgrounds: readonly Colour[]): Colour {
  const least = (tried: Colour): number => Math.min(...backgrounds.map((background) => contrast(tried, background)));
  if (least(colour) >= leastContrast) return colour;
  const [white, black]: [Colour, Colour] = [
    [255, 255, 255],
    [0, 0, 0],
  ];
  const end = least(white) >= least(black) ? white : black;
  for (let part = 0.05; part < 1; part += 0.05) {
    const tried = mixed(end, colour, part);
    if (least(tried) >= leastContrast) return tried;
  }
  return end;
}

/** Returns a CSS colour as it is drawn over another one; undefined when it cannot be understood. */
function over(css: string, below: Colour): Colour | undefined {
  if (css.trim() === '' || css.trim() === 'transparent') return below;
  const [red, green, blue, alpha = 1] = parsed(css.trim()) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return mixed([red, green, blue], below, alpha);
}

function parsed(css: string): number[] | undefined {
  const digits = /^#([0-9a-f]+)$/i.exec(css)?.[1];
  if (digits !== undefined) {
    const long = digits.length <= 4 ? digits.replaceAll(/./g, '$&$&') : digits;
    const bytes = (long.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
    return long.length === 6 || long.length === 8 ? bytes.map((byte, at) => (at === 3 ? byte / 255 : byte)) : undefined;
  }
  const inside = /^rgba?\(([^)]+)\)$/i.exec(css)?.[1];
  const numbers = inside
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('%') ? Number(part.slice(0, -1)) / 100 : Number(part)));
  return numbers && numbers.length >= 3 && numbers.every(Number.isFinite) ? numbers : undefined;
}

/** @param part how much of the upper colour there is, 0 to 1 */
function mixed(upper: Colour, lower: Colour, part: number): Colour {
  const of = (index: 0 | 1 | 2): number => Math.round(upper[index] * part + lower[index] * (1 - part));
  return [of(0), of(1), of(2)];
}

/** The relative luminance of WCAG 2, 0 to 1. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function hex(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
