import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { foundFile } from '#files/editor/foundFile.ts';
import { folderAt } from '../../fakes/workspace.ts';

let root: string;
beforeAll(() => {
  root = realpathSync.native(mkdtempSync(join(tmpdir(), 'found-')));
  for (const folder of ['one', 'two', 'elsewhere']) mkdirSync(join(root, folder));
  for (const name of ['one/a b.ts', 'one/.env', 'two/c.ts', 'elsewhere/secret']) writeFileSync(join(root, name), '');
  symlinkSync(join(root, 'one/.env'), join(root, 'one/notes.txt'));
  symlinkSync(join(root, 'elsewhere/secret'), join(root, 'one/outside.txt'));
  symlinkSync(join(root, 'one'), join(root, 'linked'));
});

function find(path: string, folders: readonly string[], scheme = 'file') {
  const opened = folders.map((name) => folderAt(join(root, name), { realPath: realpathSync(join(root, name)) }));
  const found = foundFile({ scheme, fsPath: join(root, path) }, opened);
  return found && { path: found.path, uri: found.uri, fsPath: found.fsPath, folder: found.folder.name };
}

const as = (path: string, shown: string, folder: string) => ({
  path: shown,
  uri: pathToFileURL(join(root, path)).href,
  fsPath: join(root, path),
  folder,
});

test('returns the path that results use, in a window with one folder and with several', () => {
  expect(find('one/a b.ts', ['one'])).toEqual(as('one/a b.ts', 'a b.ts', 'one'));
  expect(find('two/c.ts', ['one', 'two'])).toEqual(as('two/c.ts', 'two/c.ts', 'two'));
});

test('P4 returns the target of a link', () => {
  expect(find('one/notes.txt', ['one'])).toEqual(as('one/.env', '.env', 'one'));
  expect(find('one/outside.txt', ['one'])).toBeUndefined();
});

test('uses the opened path of a folder that is a link, for the path of a file below either', () => {
  const expected = as('linked/a b.ts', 'a b.ts', 'linked');
  expect(find('linked/a b.ts', ['linked'])).toEqual(expected);
  expect(find('one/a b.ts', ['linked'])).toEqual(expected);
});

test('returns the path of a file that is gone', () => {
  expect(find('linked/gone/d.ts', ['one'])).toEqual(as('one/gone/d.ts', 'gone/d.ts', 'one'));
});

test('returns undefined when the URI is not a file of the workspace', () => {
  expect(find('elsewhere/secret', ['one', 'two'])).toBeUndefined();
  expect(find('one/a b.ts', ['one'], 'git')).toBeUndefined();
  expect(find('one/a b.ts', [])).toBeUndefined();
});
