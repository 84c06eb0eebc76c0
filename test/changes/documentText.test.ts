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

describe('line ends of a document', () => {
  test("returns an unedited text exactly, whatever the document's line end is", () => {
    fc.assert(
      fc.property(text, text, eol, (current, base, documentEnd) => {
        expect(fromDocument(toDocument(current, documentEnd), current, base)).toBe(current);
      }),
    );
  });

  test('keeps every line end when one line is edited', () => {
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

  test('returns what the editor shows, for any edit', () => {
    fc.assert(
      fc.property(text, text, text, eol, (shown, current, base, documentEnd) => {
        const document = toDocument(shown, documentEnd);
        expect(toDocument(fromDocument(document, current, base), documentEnd)).toBe(document);
      }),
    );
  });

  test("restores the base's line ends when a hunk is reverted in the diff editor", () => {
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
    ['gives a new line the CRLF of its file', 'a\nnew\nb\n', 'a\r\nb\r\n', 'a\r\nnew\r\nb\r\n'],
    [
      'gives a new line of a mixed file the more frequent line end',
      'a\nb\nnew\nc\n',
      'a\r\nb\r\nc\n',
      'a\r\nb\r\nnew\r\nc\n',
    ],
    ['adds a line end at the end of the text', 'a\nb\n', 'a\r\nb', 'a\r\nb\r\n'],
    ['removes the line end at the end of the text', 'a\nb', 'a\r\nb\n', 'a\r\nb'],
    ['returns an empty text when everything is removed', '', 'a\r\nb\n', ''],
    ["keeps the document's line end in a file that was empty", 'a\r\nb', '', 'a\r\nb'],
    ['takes a carriage return alone for a line end', 'a\nB\nc\n', 'a\rb\rc\n', 'a\rB\rc\n'],
  ])('%s', (_name, document, current, wanted) => {
    expect(fromDocument(document, current, current)).toBe(wanted);
  });
});
