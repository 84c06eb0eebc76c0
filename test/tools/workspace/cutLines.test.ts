import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { printable } from '#call/sanitise.ts';
import { cutToBytes, joinLines, shownLines } from '#tools/workspace/cutLines.ts';

const forms = ['text', 'data', undefined] as const;

/** Lines with characters of every width in UTF-8 and in JSON. */
const line = fc.string({
  unit: fc.constantFrom('a', '"', '\\', 'é', '€', '😀', '\t', '\u0001', '\u009b'),
  maxLength: 12,
});
const linesOfFile = fc.array(line, { minLength: 1, maxLength: 30 });

function bytesOf(lines: readonly string[], firstLine: number, form: (typeof forms)[number]): number {
  const numbered = lines.map((each, at) => `${firstLine + at}\t${printable(each)}`).join('\n');
  const bytes = { text: Buffer.byteLength(numbered), data: Buffer.byteLength(JSON.stringify(lines.join('\n'))) };
  return form === undefined ? Math.max(bytes.text, bytes.data) : bytes[form];
}

it('shows the most lines that fit, as counted over the whole page', () => {
  fc.assert(
    fc.property(linesOfFile, fc.nat(120), fc.nat(400), fc.constantFrom(...forms), (lines, before, maxBytes, form) => {
      const firstLine = before + 1;
      const counts = lines.map((_, at) => at + 1);
      const fitting = counts.findLast((count) => bytesOf(lines.slice(0, count), firstLine, form) <= maxBytes);
      fc.pre(fitting !== undefined);
      const page = cutToBytes(joinLines(lines), firstLine, maxBytes, form);
      expect(page).toEqual({ text: lines.slice(0, fitting).join('\n'), lastLine: firstLine + (fitting ?? 0) - 1 });
    }),
  );
});

it('shows a line that is too long with a note where it was cut, and the lines around it whole', () => {
  const text = `first\n${'x'.repeat(3000)}\nthird\nfourth`;
  const shown = shownLines(text, { start: 0, firstLine: 7, count: 3, room: 10_000 });
  const [first, long = '', third, ...others] = shown.text.split('\n');
  expect([first, third, others]).toEqual(['first', 'third', []]);
  expect(long).toBe(
    `${'x'.repeat(2000)}… [cut: line 8 has 3000 characters; read on with firstLine 8, firstColumn 2001]`,
  );
  expect(shown).toEqual(joinLines(['first', long, 'third']));
});

it('begins no line after the room is used up', () => {
  expect(shownLines('aa\nbb\ncc', { start: 3, firstLine: 2, count: 9, room: 1 })).toEqual(joinLines(['bb']));
});
