import { describe, expect, it } from 'vitest';
import { hunksBetween } from '#changes/hunks.ts';
import { sameChanges } from '#changes/sameChanges.ts';

const of = (base: string, result: string) => hunksBetween(base, result).hunks;

describe('sameChanges', () => {
  it('finds files in which the same words were replaced, whatever stands around them', () => {
    const files = [
      of('import { formatPrice } from "a";\n', 'import { formatMoney } from "a";\n'),
      of('x\nreturn formatPrice(1) + formatPrice(2);\n', 'x\nreturn formatMoney(1) + formatMoney(2);\n'),
      of('a\n', 'b\n'),
    ];
    expect(sameChanges(files)).toEqual([undefined, 0, undefined]);
  });

  it('keeps apart files of which one is changed in another place, too', () => {
    const files = [
      of('formatPrice();\n', 'formatMoney();\n'),
      of('formatPrice();\nlog();\n', 'formatMoney();\nevil();\n'),
      of('formatPrice(a);\n', 'formatMoney(b);\n'),
    ];
    expect(sameChanges(files)).toEqual([undefined, undefined, undefined]);
  });

  it('keeps apart files in which something besides words differs', () => {
    const files = [
      of('f(a);\n', 'g(a);\n'),
      of('f(a);\n', 'g(a)\n'),
      of('f(a);\n', 'g(a);;\n'),
      of('f(a);\n', 'g(a);\nh();\n'),
    ];
    expect(sameChanges(files)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('takes the same added and removed lines for the same change', () => {
    const files = [of('a\n', 'a\nnew line\n'), of('b\n', 'b\nnew line\n'), of('b\n', 'b\nother line\n')];
    expect(sameChanges(files)).toEqual([undefined, 0, undefined]);
  });

  it('finds no change like that of a file without hunks', () => {
    expect(sameChanges([[], []])).toEqual([undefined, undefined]);
  });
});
