import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hoverTexts } from '#language/editor/symbols/hoverText.ts';

type Contents = Parameters<typeof hoverTexts>[0][number]['contents'];

const text = (...contents: readonly (string | object)[]): string =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the editor hands over more than what is looked at
  hoverTexts([{ contents: contents as Contents }]).join('\n---\n');

test('joins the parts of one hover to a string and keeps code fences', () => {
  expect(text({ value: '\n```ts\nconst a: 1\n```\n' }, { value: '' }, { value: 'One.\r\n\r\n\r\nTwo.' })).toBe(
    '```ts\nconst a: 1\n```\n\nOne.\n\nTwo.',
  );
});

test('converts code in the old form to a block that its text cannot end', () => {
  expect(text({ language: 'md', value: 'a\n```\nb\n```' }, 'Documentation')).toBe(
    '````md\na\n```\nb\n```\n````\n\nDocumentation',
  );
});

test('puts the signature first and drops equal texts of several services', () => {
  const of = (value: string) => ({ contents: [{ value }] });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the editor hands over more than what is looked at
  const hovers = [of('Words.'), of('```c\nint a\n```'), of('Words.'), of(' ')] as unknown as Parameters<
    typeof hoverTexts
  >[0];
  expect(hoverTexts(hovers)).toEqual(['```c\nint a\n```', 'Words.']);
});

test.each([
  ['a <!-- hidden\nfrom people --> b', 'a  b'],
  ['a <!-- never closed', 'a'],
  ['see [Cart](command:_open?%5B%22a%22%5D "Open") now', 'see Cart now'],
  ['see [Cart](file:///home/somebody/cart.ts#L3)', 'see Cart'],
  ['see [Cart](<vscode://file/x>)', 'see Cart'],
  ['![logo](data:image/png;base64,AAAA) text', 'logo text'],
  [
    'see [the book](https://toy.example/book) and [below](#below)',
    'see [the book](https://toy.example/book) and [below](#below)',
  ],
  ['$(warning) Deprecated&nbsp;now $(sync~spin)', ' Deprecated now'.trim()],
])('%j is told as plain Markdown', (given, plain) => {
  expect(text({ value: given })).toBe(plain);
});

test('keeps what looks like a comment, a link or an icon inside code', () => {
  const code = '```html\n<!-- kept --> $(kept) [a](command:b)\n```';
  expect(text({ value: `${code}\n\n<!-- gone -->and \`$(kept) <!--\` $(gone)` })).toBe(
    `${code}\n\nand \`$(kept) <!--\``,
  );
});

test('converts any hover quickly and without links to commands outside code', () => {
  const piece = fc.constantFrom(
    '```',
    '~~~',
    '`',
    '\n',
    '<!--',
    '-->',
    '[a](',
    'command:x)',
    'text',
    ' ',
    '$(',
    ')',
    '![',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const plain = text({ value: pieces.join('') });
      expect(plain.includes('`') || plain.includes('~~~') || !plain.includes('](command:')).toBe(true);
    }),
  );
});
