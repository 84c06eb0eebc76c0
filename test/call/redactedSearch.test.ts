import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { redactedMatches } from '#call/redactedSearch.ts';
import type { FileMatches, TextQuery } from '#search/search.ts';
import { characters, githubToken, keyLines, privateKey } from '../fakes/secrets.ts';
import { collect, SearchedFolder } from '../search/editor/ripgrepFixture.ts';
import { size } from '../size.ts';

/** A folder that is searched as a tool searches it. */
class Searched extends SearchedFolder {
  override async find(pattern: string, facts: Partial<TextQuery> = {}): Promise<FileMatches[]> {
    const query = await this.textQuery(pattern, facts);
    const texts = new Map(this.unsaved.map(({ fsPath, text }) => [fsPath, text]));
    const readText = async (path: string): Promise<string> => texts.get(path) ?? readFileSync(path, 'utf8');
    const dependencies = { search: this.search, mayRead: () => true, readText };
    return collect(redactedMatches(query, dependencies, AbortSignal.timeout(20_000)));
  }

  regex(pattern: string, facts: Partial<TextQuery> = {}): Promise<string[]> {
    return this.hits(pattern, { isRegex: true, ...facts });
  }
}

const places: Searched[] = [];
const placeWith = (files: Readonly<Record<string, string>>): Searched => {
  const place = new Searched();
  places.push(place);
  return place.write(files);
};
let place: Searched;
beforeEach(() => {
  place = placeWith({
    'token.ts': `export const github = "${githubToken}";\nexport const next = 1;\n`,
    'key.pem.ts': `const key = \`${privateKey}\`;\n`,
    'plain.ts': 'export const plain = "needle";\n',
  });
});
afterEach(() => places.splice(0).forEach((each) => each.remove()));

describe('A28: a search in a file with a secret', () => {
  it.each([
    ['a regular expression that begins in front of the secret', '"ghp_[A-Za-z0-9]', {}],
    ['a regular expression that is bisected', 'ghp_[A-Ma-m]', {}],
    ['a part of the secret', characters(36).slice(5, 12), { isRegex: false }],
    ['a part of the secret as a whole word', githubToken, { isRegex: false, wholeWord: true }],
    ['a part of the secret in another case', characters(36).slice(5, 12).toUpperCase(), { caseSensitive: false }],
    ['a line of a key', keyLines[3]?.slice(0, 20) ?? '', { isRegex: false }],
    ['lines of a key', `${keyLines[3]?.slice(40)}\n${keyLines[4]?.slice(0, 9)}`, { isRegex: false, multiline: true }],
    ['the length of the secret', '"[^"]{40}"', {}],
    ['a match that begins in front of the secret and ends behind it', 'github = .*;', {}],
    ['an empty match in the secret', '\\B', { caseSensitive: true, include: ['nothing'] }],
    ['the marker itself', 'redacted:github_token', { isRegex: false }],
  ] as const)('finds nothing by %s', async (_, pattern, facts) => {
    expect(await place.hits(pattern, { isRegex: true, ...facts })).toEqual([]);
  });

  it('finds what is not in the secret, with the columns and the text of the redacted line', async () => {
    place.write({ 'b.ts': `f("${githubToken}", needle);\nneedle\n` });
    expect(await place.find('needle')).toMatchObject([
      {
        path: 'b.ts',
        matches: [
          {
            line: 1,
            column: 4 + '[redacted:github_token#1]", '.length,
            text: 'f("[redacted:github_token#1]", needle);',
          },
          { line: 2, column: 1 },
        ],
      },
      { path: 'plain.ts' },
    ]);
  });

  it('tells nothing by a query that matches the redacted text too', async () => {
    const alternatives = ['ghp_Ab', 'ghp_Zz', characters(36).slice(0, 3)];
    const answers = await Promise.all(alternatives.map((one) => place.regex(`const (${one}|next|github = "\\W)`)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await place.regex('^export const github = "')).toEqual(['token.ts:1']);
  });

  it('finds nothing of a secret whose name stands on the line above, or is followed by an unusual blank', async () => {
    place.write({
      'a.txt': `secret_key =\r\n  "${characters(40)}"\r\n`,
      'b.txt': `Authorization:\u3000Bearer ${characters(24)}\n`,
    });
    expect(await place.hits(characters(40).slice(0, 8))).toEqual([]);
    await expect(place.regex('(')).rejects.toThrow('query is not a valid regular expression: unclosed group.');
  });

  it('shows the lines around a match redacted, also in unsaved text', async () => {
    const [found] = await place.find('const next', { linesBefore: 1, linesAfter: 1 });
    expect(found?.matches[0]?.before).toEqual(['export const github = "[redacted:github_token#1]";']);
    place.unsaved = [{ fsPath: join(place.root, 'plain.ts'), text: `x = "${githubToken}" // needle\n` }];
    expect(await place.find('needle')).toMatchObject([
      { path: 'plain.ts', matches: [{ text: 'x = "[redacted:github_token#1]" // needle' }] },
    ]);
    expect(await place.hits('ghp_')).toEqual([]);
  });

  it('finds nothing in a file with a secret that cannot be read, and passes on what is a bug', async () => {
    const query = await place.textQuery('export');
    const found = (error: Error) => {
      const readText = async (): Promise<string> => {
        throw error;
      };
      const dependencies = { search: place.search, mayRead: () => true, readText };
      return collect(redactedMatches(query, dependencies, AbortSignal.timeout(9000)));
    };
    expect((await found(new ToolError('too_large', 'a', 'b'))).map(({ path }) => path)).toEqual(['plain.ts']);
    await expect(found(new Error('a bug'))).rejects.toThrow('a bug');
  });

  it('drops a file of which more lines match than are held, until it is searched on its own', async () => {
    place.write({ 'many.txt': `${'needle\n'.repeat(12_000)}ghp_${characters(36)}\n` });
    const found = await place.find('needle|ghp_', { isRegex: true, include: ['many.txt'] });
    expect(found.flatMap(({ matches }) => matches)).toHaveLength(12_000);
  });

  it('answers the same for workspaces that differ only in the secret, whatever is asked', async () => {
    const [one, other, longer] = [githubToken, `ghp_${characters(37).slice(1)}`, `ghp_${characters(61)}`].map(
      (secret) =>
        placeWith({
          'a.ts': `const a = "${secret}"; const b = 1;\nlast ${secret.slice(0, 9)} line\n`.replace(
            /last ghp_\w+/,
            'last',
          ),
          'b.ts': `url = "postgres://ann:${secret.slice(6, secret.length - 30)}@db.example.com/x"; b\n`,
          'c.ts': 'const plain = 1;\n',
        }),
    );
    if (one === undefined || other === undefined || longer === undefined) throw new Error('There are three folders');
    const atom = fc.oneof(
      fc.constantFrom(
        '.',
        '\\w',
        '\\W',
        '[^"]',
        '[a-m]',
        '[A-M]',
        '\\d',
        '"',
        'ghp_',
        'const',
        '@',
        ';',
        ' ',
        '$',
        '^',
        '\\b',
        '\\B',
      ),
      fc.nat(35).map((at) => githubToken.charAt(4 + at)),
    );
    const part = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{3}', '{36}'))
      .map(([text, times]) => (/^[$^]$|^\\[bB]$/.test(text) ? text : `(?:${text})${times}`));
    const facts = fc.record({
      caseSensitive: fc.boolean(),
      wholeWord: fc.boolean(),
      multiline: fc.boolean(),
      linesBefore: fc.constantFrom(0, 1),
      linesAfter: fc.constantFrom(0, 1),
    });
    const branch = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(branch, { minLength: 1, maxLength: 2 }), facts, async (branches, asked) => {
        const answers = await Promise.all(
          [one, other, longer].map((each) => each.find(branches.join('|'), { ...asked, isRegex: true })),
        );
        const [first, ...others] = answers.map((found) => found.map(({ path, matches }) => ({ path, matches })));
        for (const answer of others) expect(answer).toEqual(first);
      }),
      { numRuns: size({ quick: 10, full: 30 }) },
    );
  });
});
