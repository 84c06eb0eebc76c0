import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editsBetween } from '#changes/textEdits.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', 'once\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', 'end', '\r'))
  .map(([lines, end]) => lines.join('') + end);
const rows = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

it('turns one text into the other, with edits in order and apart', () => {
  fc.assert(
    fc.property(text, text, (base, result) => {
      let [made, end] = ['', 0];
      for (const { offset, length, text: by } of editsBetween(base, result)) {
        expect(offset).toBeGreaterThanOrEqual(end);
        made += base.slice(end, offset) + by;
        end = offset + length;
      }
      expect(made + base.slice(end)).toBe(result);
    }),
  );
});

it('leaves unchanged lines alone', () => {
  expect(editsBetween('a\nb\nc\n', 'a\nB\nc\n')).toEqual([{ offset: 2, length: 2, text: 'B\n' }]);
});

it('F6 replaces a rewritten file in one edit, without a time limit', () => {
  const [base, result] = [rows(3000, 'old'), rows(3000, 'new')];
  expect(editsBetween(base, result)).toEqual([{ offset: 0, length: base.length, text: result }]);
});
