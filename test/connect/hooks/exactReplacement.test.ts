import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactReplacement } from '#connect/hooks/exactReplacement.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', '', 'a b', '}'), { maxLength: 8 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));

test('law: the replaced text occurs once, and its replacement gives exactly the text after', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const { oldText, newText } = exactReplacement(before, after);
      const at = before.indexOf(oldText);
      expect(before.slice(0, at) + newText + before.slice(at + oldText.length)).toBe(after);
      if (before !== '') expect([oldText === '', before.lastIndexOf(oldText)]).toEqual([false, at]);
    }),
    { numRuns: 2000 },
  );
});

test('takes whole lines, and as few as identify the place', () => {
  expect(exactReplacement('a\nb\nc\n', 'a\nB\nc\n')).toEqual({ oldText: 'b', newText: 'B' });
  expect(exactReplacement('x\nb\ny\nb\n', 'x\nb\ny\nB\n')).toEqual({ oldText: 'y\nb\n', newText: 'y\nB\n' });
  expect(exactReplacement('', 'new\n')).toEqual({ oldText: '', newText: 'new\n' });
});

test('takes little time for a long text that repeats itself', () => {
  const block = Array.from({ length: 20_000 }, (_, line) => `${line}\n`).join('');
  const before = block.repeat(20);
  const { oldText, newText } = exactReplacement(before, before.replace('19999\n', 'x\n'));
  expect([oldText.length > block.length, newText.includes('x\n')]).toEqual([true, true]);
});
