import { expect, test } from 'vitest';
import { syntaxErrors } from '#syntax/checkedFile.ts';

const { signal } = new AbortController();
const parser = {
  errors: async (language: string, text: string) => (text === 'slow' ? undefined : language === 'tsx' ? [3] : []),
};

test.each([
  ['src/a.ts', 'text', []],
  ['src/A.TSX', 'text', [3]],
  ['a.json', 'text', 'no_grammar'],
  ['a.cpp', 'text', 'no_grammar'],
  ['README.md', 'text', undefined],
  ['Makefile', 'text', undefined],
  ['a.constructor', 'text', undefined],
] as const)('checks %s with the grammar of its language', async (path, text, expected) => {
  expect(await syntaxErrors(parser, path, text, signal)).toEqual(expected);
});

test('throws when the text could not be parsed in time', async () => {
  await expect(syntaxErrors(parser, 'a.ts', 'slow', signal)).rejects.toThrow('in time');
});
