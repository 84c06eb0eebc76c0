import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SearchedFolder } from './ripgrepFixture.ts';

let folder: SearchedFolder;
beforeEach(() => {
  folder = new SearchedFolder();
});
afterEach(() => folder.remove());

const latin = Buffer.from('un Caf\xe9 noir\n', 'latin1');

async function found(pattern: string, sorted = false) {
  const files = [];
  for await (const { path, encoding, matches } of folder.search.text(
    await folder.textQuery(pattern, { sorted }),
    new AbortController().signal,
  )) {
    files.push({ path, ...(encoding === undefined ? {} : { encoding }), lines: matches.map(({ text }) => text) });
  }
  return sorted ? files : files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

describe('F5: a search for letters that are not ASCII', () => {
  it('finds them in files that are not UTF-8, and marks those', async () => {
    folder.write({ 'a.txt': latin, 'b.txt': 'Café\n', 'c.txt': 'CafÃ©\n' });
    const expected = [
      { path: 'a.txt', encoding: 'windows1252', lines: ['un Café noir'] },
      { path: 'b.txt', lines: ['Café'] },
    ];
    expect(await found('Café')).toEqual(expected);
    expect(await found('Café', true)).toEqual(expected);
  });

  it('finds the same in UTF-8 files as without other files', async () => {
    folder.write({ 'b.txt': 'Café Ã©\n', 'c.txt': Buffer.from('\uFEFFCafé\n', 'utf16le') });
    const before = await found('é', true);
    folder.write({ 'a.txt': latin });
    expect((await found('é', true)).filter(({ encoding }) => encoding === undefined)).toEqual(before);
  });

  it('finds them in UTF-8 files of a folder whose setting names another encoding', async () => {
    folder.settings = { ...folder.settings, encoding: 'windows1252' };
    folder.write({ 'a.txt': latin, 'b.txt': 'Café\n' });
    expect(await found('Café')).toEqual([
      { path: 'a.txt', lines: ['un Café noir'] },
      { path: 'b.txt', encoding: 'utf8', lines: ['Café'] },
    ]);
  });

  it('shows lines that are not UTF-8 as they are read', async () => {
    folder.write({ 'a.txt': latin });
    expect(await found('noir')).toEqual([{ path: 'a.txt', lines: ['un Café noir'] }]);
  });
});
