import { describe, expect, test } from 'vitest';
import { diffRows } from '#changes/diffRows.ts';
import { hunksBetween } from '#changes/hunks.ts';
import { reviewOf } from '#changes/review.ts';
import { deletedSecrets, nameWarnings, warningsOf, type ChangeFacts, type Warning } from '#changes/warnings.ts';
import { githubToken } from '../fakes/secrets.ts';

function warned(base: string, result: string, facts: Partial<ChangeFacts> = {}): Warning[] {
  const baseLineCount = base.split('\n').length;
  const review = reviewOf(base, hunksBetween(base, result), result);
  return [...warningsOf(diffRows(base, review), { baseLineCount, unifiedLineEnds: 0, ...facts }).warnings];
}

const lines = (count: number, word: string): string => `${word}\n`.repeat(count);

describe('warnings', () => {
  test('are empty for an ordinary edit', () => {
    expect(warned('const a = 1;\nconst b = 2;\n', 'const a = 1;\nconst b = 3;\n')).toEqual([]);
  });

  test('A5 name added hidden characters, but not existing ones', () => {
    const expected = [{ kind: 'hidden_characters', characters: ['<U+202E>', '<U+E0041>'] }];
    expect(warned('a\n', 'b\u202E\u{E0041}\u202E\n')).toEqual(expected);
    expect(warned('a\u202E\n', 'b\n')).toEqual([]);
  });

  test.each([
    ['far to the right of other text', `const a = 1;${' '.repeat(81)}evil();\n`, [2]],
    ['far to the right of the margin', `${'\t'.repeat(21)}evil();\n`, [2]],
    ['far below other text', `one\n${'\n'.repeat(21)}evil();\n`, [24]],
    ['beside blanks that align it', `const a = 1;${' '.repeat(80)}// one\n`, []],
    ['before blanks at the end of its line', `const a = 1;${' '.repeat(300)}\n`, []],
    ['below a few empty lines', `one\n${'\n'.repeat(20)}two\n`, []],
  ])('A5: report text that stands %s', (_, text, expected) => {
    const found = warned('a\n', `a\n${text}`).filter(({ kind }) => kind === 'long_blanks');
    expect(found).toEqual(expected.length === 0 ? [] : [{ kind: 'long_blanks', lines: expected }]);
    // Such text that was there before is not reported.
    expect(warned(`a\n${text}`, `b\n${text}`).filter(({ kind }) => kind === 'long_blanks')).toEqual([]);
  });

  test('end for a line of a million blanks', () => {
    const long = [{ kind: 'long_lines', lines: [2] }];
    expect(warned('a\n', `a\n${`${' '.repeat(19)}x`.repeat(50_000)}${' '.repeat(1_000_000)}\n`)).toEqual(long);
  });

  test('A39 report a line that is longer than a view, but not one that was there before', () => {
    expect(warned('a\n', `a\n${'x'.repeat(1001)}\n`)).toEqual([{ kind: 'long_lines', lines: [2] }]);
    expect(warned('a\n', `a\n${'x'.repeat(1000)}\n`)).toEqual([]);
    expect(warned(`a\n${'x'.repeat(1001)}\n`, `b\n${'x'.repeat(1001)}\n`)).toEqual([]);
  });

  test('P8 name added words with letters that look like others, but not existing ones', () => {
    const line = 'if (isAdmin && is\u0410dmin) \u0441\u043E\u0440\u0443();\n';
    const words = ['is<U+0410>dmin', '<U+0441><U+043E><U+0440><U+0443>'];
    expect(warned('a\n', `a\n${line}`)).toEqual([{ kind: 'look_alikes', words }]);
    expect(warned(`a\n${line}`, `b\n${line}`)).toEqual([]);
  });

  test('A39 are about all lines that may hold a payload, also those that no sentence names', () => {
    const base = `x = "${githubToken}"\nkept\n`;
    const hidden = Array.from({ length: 7 }, (_, index) => `b${index}\u200B\n`).join('');
    const review = reviewOf(base, hunksBetween(base, `kept\n${hidden}plain\n`), `kept\n${hidden}plain\n`);
    const facts = { baseLineCount: 2, unifiedLineEnds: 0, deletedSecrets: ['github_token'] };
    const { lines: about } = warningsOf(diffRows(base, review), facts);
    expect(about.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      'removed 1',
      ...[2, 3, 4, 5, 6, 7, 8].map((line) => `added ${line}`),
    ]);
  });

  test.each([
    'password = "correct horse battery"'.replaceAll(' horse ', '-'),
    'API_KEY_PROD: "abcd1234"',
    'AWS_KEY=AKIAIOSFODNN7EXAMPLE',
    `token: 'ghp_${'a1B2'.repeat(9)}'`,
    '-----BEGIN RSA PRIVATE KEY-----',
    'url = postgres://admin:hunter22@db.internal/shop',
    `Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc`,
  ])('report an added secret: %s', (line) => {
    expect(warned('a\n', `a\n${line}\n`)).toEqual([{ kind: 'possible_secret', lines: [2] }]);
    expect(warned(`a\n${line}\n`, 'a\n')).toEqual([]);
  });

  test.each([
    'password: string',
    'const token = process.env["TOKEN"];',
    'https://example.org/a@b',
    'secret = "${SECRET_NAME}"',
  ])('report no secret: %s', (line) => expect(warned('a\n', `a\n${line}\n`)).toEqual([]));

  test('A30 report a deleted secret, and none that moves', () => {
    const [secret, other] = [`x = "${githubToken}"\n`, 'url = "postgres://ann:hunter2x@host/x"\n'];
    expect(deletedSecrets(`${secret}${other}a\n`, `a\n${other}`)).toEqual(['github_token']);
    expect(deletedSecrets(`${secret}${secret}`, secret)).toEqual(['github_token']);
    expect(deletedSecrets(`${secret}${other}`, `${other}a\n${secret}`)).toEqual([]);
    const types = ['github_token', 'password'];
    expect(warned('a\n', 'b\n', { deletedSecrets: types })).toEqual([{ kind: 'deleted_secret', types }]);
  });

  test('report a change of white space alone', () => {
    expect(warned('if (a) {\nb();\n}\n', 'if (a) {\n  b();\n}\n')).toEqual([{ kind: 'whitespace_only' }]);
    expect(warned('a\nb\n', 'a\n\nb\n')).toEqual([{ kind: 'whitespace_only' }]);
    expect(warned('a\nb\n', 'b\na\n')).toEqual([]);
  });

  test("report added lines whose line end differs from the file's", () => {
    expect(warned('a\r\nb\r\n', 'a\r\nnew\nb\r\n')).toEqual([{ kind: 'mixed_line_ends', usual: '\r\n', other: '\n' }]);
    expect(warned('a\r\nb\r\n', 'a\r\nnew\r\nb\r\n')).toEqual([]);
  });

  test('report removed lines whose line end differed, but not unchanged lines', () => {
    expect(warned('a\n', 'a\nnew\r\n')).toEqual([{ kind: 'mixed_line_ends', usual: '\n', other: '\r\n' }]);
    expect(warned('a\r\nb\r\nc\n', 'a\r\nb\r\n')).toEqual([{ kind: 'mixed_line_ends', usual: '\r\n', other: '\n' }]);
    expect(warned('a\r\nb\r\nc\n', 'a\r\nnew\r\nc\n')).toEqual([]);
  });

  test.each([
    ['a\n', 'a b\n'],
    ['a b\n', 'a\n'],
    ['a\n', 'b a\n'],
  ])('report no change of white space alone from %j to %j', (base, result) => {
    expect(warned(base, result)).toEqual([]);
  });

  test('A5 report a lone carriage return, unless lines of the file end with it', () => {
    const hidden = [{ kind: 'hidden_characters', characters: ['<U+000D>'] }];
    expect(warned('a\n', 'a\nb\rc\n')).toEqual(hidden);
    expect(warned('a\rb\n', 'a\rb\nc\rd\n')).toEqual([]);
    expect(warned('a\rb\n', 'c\rd\n')).toEqual([]);
    expect(warned('a\n', 'b\rc\n')).toEqual(hidden);
  });

  test('name the first few findings', () => {
    const hidden = ['\u200B', '\u200C', '\u200D', '\u200E', '\u200F', '\u202A', '\u202B'];
    expect(warned('a\n', `a\n${hidden.join('x')}\n`)).toEqual([
      { kind: 'hidden_characters', characters: ['<U+200B>', '<U+200C>', '<U+200D>', '<U+200E>', '<U+200F>'] },
    ]);
    const secrets = Array.from({ length: 7 }, (_, index) => `password${index} = "correct-horse-battery"\n`).join('');
    expect(warned('a\n', `a\n${secrets}`)).toEqual([{ kind: 'possible_secret', lines: [2, 3, 4, 5, 6] }]);
    expect(nameWarnings('\uFF41\uFF42\uFF43\uFF44\uFF45\uFF46')).toMatchObject([{ characters: { length: 5 } }]);
  });

  test('compare white space hunk by hunk', () => {
    const far = lines(9, 'same');
    expect(warned(`a\n${far}b\n`, `x\n${far} b\n`)).toEqual([]);
    expect(warned(`a\n${far}b\n`, `\ta\n${far} b\n`)).toEqual([{ kind: 'whitespace_only' }]);
    expect(warned(`moves\n${lines(9, '')}`, `${lines(9, '')}moves\n`)).toEqual([]);
    expect(warned('a', 'a \n')).toEqual([{ kind: 'whitespace_only' }]);
    expect(warned('a\n', 'a\n')).toEqual([]);
  });

  test('report line ends that saving unifies', () => {
    expect(warned('a\n', 'b\n', { unifiedLineEnds: 7 })).toEqual([{ kind: 'unified_line_ends', lines: 7 }]);
  });

  test('report a huge change: over 500 lines, or over 30 % of a file that is not tiny', () => {
    const base = lines(2000, 'same');
    expect(warned(base, `${base}${lines(500, 'more')}`)).toEqual([]);
    expect(warned(base, `${base}${lines(501, 'more')}`)).toEqual([{ kind: 'huge', changedLines: 501, percent: 25 }]);
    const small = lines(60, 'same');
    expect(warned(small, `${small}${lines(20, 'more')}`)).toEqual([{ kind: 'huge', changedLines: 20, percent: 33 }]);
    expect(warned(lines(4, 'same'), `${lines(3, 'same')}more\n`)).toEqual([]);
    expect(warned(base, lines(1499, 'same'))).toEqual([{ kind: 'huge', changedLines: 501, percent: 25 }]);
    expect(warned(lines(99, 'same'), `${lines(99, 'same')}${lines(30, 'more')}`)).toEqual([]);
    expect(warned('', lines(25, 'new'), { baseLineCount: 0 })).toEqual([]);
  });
});

describe('the warnings of a file name', () => {
  test.each([
    ['\uFF0Eenv', ['<U+FF0E>']],
    ['.\u0435nv', ['<U+0435>']],
    ['src/\u0421LAUDE.md', ['<U+0421>']],
    ['\u{1D41A}.ts', ['<U+1D41A>']],
    ['of\uFB01ce.ts', ['<U+FB01>']],
    ['src/\u0430.ts', ['<U+0430>']],
    ['\u0440\u0430\u0443.ts', ['<U+0440>', '<U+0430>', '<U+0443>']],
    ['\u0391\u03A4\u039C/a.ts', ['<U+0391>', '<U+03A4>', '<U+039C>']],
  ])('P8 report that %s looks like another name', (path, characters) => {
    expect(nameWarnings(path)).toEqual([{ kind: 'confusable_name', characters }]);
  });

  test.each([
    'src/a.ts',
    'Отчёт-v2.md',
    'папка/оса.md',
    'ελληνικά/a.md',
    '日本/é.md',
    'caf\u0065\u0301.txt',
    'app/[id]/(group)/@slot/page.tsx',
    'ﾃｽﾄ.txt',
    'col\u0140ecci\u00F3.md',
    '\u0149.md',
  ])('P8 are empty for %s', (path) => {
    expect(nameWarnings(path)).toEqual([]);
  });
});
