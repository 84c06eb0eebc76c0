import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromDocument, toDocument } from '#changes/documentText.ts';
import { compose, hunksBetween } from '#changes/hunks.ts';

const eol = fc.constantFrom('\n', '\r\n');
const end = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.constantFrom('', 'a', 'b', '}', '  c', 'long line');
/** Few different lines, so that many are the same, with any mixture of line ends, with and without one at the end. */
const text = fc
  .tuple(fc.array(fc.tuple(line, end), { maxLength: 12 }), line)
  .map(([lines, last]) => lines.flat().join('') + last);

const linesOf = (whole: string): string[] => whole.match(/[^\r\n]*(\r\n|\r|\n)|[^\r\n]+$/g) ?? [];

describe('line ends between a file and its document', () => {
  test('a text that nobody edited comes back exactly, whatever the line end of the document', () => {
    fc.assert(
      fc.property(text, text, eol, (current, base, documentEnd) => {
        expect(fromDocument(toDocument(current, documentEnd), current, base)).toBe(current);
      }),
    );
  });

  test('editing one line changes only this line, and not how it ends', () => {
    fc.assert(
      fc.property(text, eol, fc.nat(), fc.constantFrom('', 'a', 'new'), (current, documentEnd, at, word) => {
        const lines = linesOf(current);
        if (lines.length === 0) return;
        const index = at % lines.length;
        const edited = lines.with(
          index,
          (lines[index] ?? '').replace(/^[^\r\n]*/, () => word),
        );
        // A line that is emptied between a carriage return and a line feed makes one line end of them.
        fc.pre(linesOf(edited.join('')).length === lines.length);
        const document = toDocument(edited.join(''), documentEnd);
        expect(fromDocument(document, current, current)).toBe(edited.join(''));
      }),
    );
  });

  test('what comes out is always what the editor shows', () => {
    fc.assert(
      fc.property(text, text, text, eol, (shown, current, base, documentEnd) => {
        const document = toDocument(shown, documentEnd);
        expect(toDocument(fromDocument(document, current, base), documentEnd)).toBe(document);
      }),
    );
  });

  test('taking a hunk back by the arrow of the editor brings back the line ends of the base', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 2 }), { minLength: 3 }),
        fc.infiniteStream(eol),
        fc.infiniteStream(fc.boolean()),
        eol,
        fc.nat(),
        (words, ends, flags, documentEnd, at) => {
          const base = words.map((word) => word + ends.next().value).join('');
          // Changed lines get an end of their own; each is a hunk by itself, for its neighbours stay.
          const proposed = words
            .map((word, index) =>
              index % 2 === 0 && flags.next().value ? `${word}!${ends.next().value}` : linesOf(base)[index],
            )
            .join('');
          const { hunks } = hunksBetween(base, proposed);
          fc.pre(hunks.length > 0);
          const left = hunks.filter((_hunk, index) => index !== at % hunks.length);
          const wanted = compose(base, left);
          expect(fromDocument(toDocument(wanted, documentEnd), proposed, base)).toBe(wanted);
        },
      ),
    );
  });

  test.each([
    ['a new line of a file that ends its lines with CRLF', 'a\nnew\nb\n', 'a\r\nb\r\n', 'a\r\nnew\r\nb\r\n'],
    ['a new line of a mixed file ends as most do', 'a\nb\nnew\nc\n', 'a\r\nb\r\nc\n', 'a\r\nb\r\nnew\r\nc\n'],
    ['a line end at the end is added', 'a\nb\n', 'a\r\nb', 'a\r\nb\r\n'],
    ['a line end at the end is removed', 'a\nb', 'a\r\nb\n', 'a\r\nb'],
    ['everything is removed', '', 'a\r\nb\n', ''],
    ['the first line of an empty file', 'a\r\nb', '', 'a\r\nb'],
    ['a carriage return alone is a line end too', 'a\nB\nc\n', 'a\rb\rc\n', 'a\rB\rc\n'],
  ])('%s', (_name, document, current, wanted) => {
    expect(fromDocument(document, current, current)).toBe(wanted);
  });
});
