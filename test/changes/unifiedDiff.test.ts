import { applyPatch, createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from '#changes/unifiedDiff.ts';
import { keyPieces, privateKey } from '../fakes/secrets.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', 'once\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', 'end', '\r'))
  .map(([lines, end]) => lines.join('') + end);
const rows = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

it('turns the base into the result when it is applied', () => {
  fc.assert(
    fc.property(text, text, (base, result) => {
      const options = { autoConvertLineEndings: false };
      expect(applyPatch(base, unifiedDiff('a', base, result), options)).toBe(result);
    }),
  );
});

it('is written in the standard unified format', () => {
  const base = rows(40, 'line');
  const result = base.replace('line 3\n', 'three\n').replace('line 11\n', '').replace('line 30\n', 'line 30\nmore\n');
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  expect(unifiedDiff('src/a.ts', base, result)).toBe(
    createTwoFilesPatch('src/a.ts', 'src/a.ts', base, result, undefined, undefined, options),
  );
  expect(unifiedDiff('a', '', 'new')).toBe(createTwoFilesPatch('a', 'a', '', 'new', undefined, undefined, options));
});

it('says so when the diff is too long for a model', () => {
  expect(unifiedDiff('a', rows(5000, 'old'), rows(5000, 'new'))).toBe('The texts differ too much to show as a diff.');
});

it('A8: shows no lines of a private key around the change', () => {
  const base = `const key = \`${privateKey}\`;\nlet a = 1;\n`;
  const diff = unifiedDiff('a.ts', base, base.replace('let', 'const'));
  expect(diff).toContain('+const a = 1;');
  expect(diff).toContain('[redacted:private_key#');
  expect(keyPieces.filter((piece) => diff.includes(piece))).toEqual([]);
});
