import { beforeEach, expect, test } from 'vitest';
import { type Position, Uri } from 'vscode';
import { resolveAddress } from '#call/resolve.ts';
import { createImports } from '#language/editor/imports.ts';
import { FakeDocument } from '../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { FakeSearch } from '../../fakes/search.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

beforeEach(() => resetEditor());

const open = (): FakeDocument => new FakeDocument(Uri.file('/w/main.ts'), main);
const main = "// first line\nimport { a } from './a';\n";

async function move() {
  const workspace = new FakeWorkspace();
  const files = new FakeFiles({ '/w/main.ts': main, '/w/a.ts': 'export const a = 1;\n' });
  const search = new FakeSearch();
  const file = { fsPath: '/w/main.ts', path: 'main.ts', uri: 'file:///w/main.ts', folder: folderAt('/w') };
  search.add(file, main);
  const resolve = (address: string) =>
    resolveAddress(address, { workspace, files, pathRules: { home: '/h', privateFolders: [] }, purpose: 'change' });
  const imports = createImports(search, async () => [await resolve('/w')]);
  return imports.editsForMove(await resolve('a.ts'), await resolve('b/c.ts'), new AbortController().signal);
}

const edit = { fsPath: '/w/main.ts', offset: main.indexOf('./a'), length: 3, newText: './b/c' };

test.each([
  ['a location', { uri: Uri.file('/w/a.ts') }],
  ['a link', { targetUri: Uri.file('/w/a.ts') }],
])('edits the import when a language service answers with %s', async (_what, place) => {
  const asked: unknown[] = [];
  open();
  editor.commands.set('vscode.executeDefinitionProvider', (uri: { fsPath: string }, position: Position) => {
    asked.push([uri.fsPath, position.line, position.character]);
    return [{ uri: Uri.file('/w/a.ts').with({ scheme: 'untitled' }) }, place];
  });
  expect(await move()).toEqual([edit]);
  expect(asked).toEqual([['/w/main.ts', 1, 19]]);
});

test('edits nothing without a language service', async () => {
  open();
  expect(await move()).toEqual([]);
  editor.commands.set('vscode.executeDefinitionProvider', () => undefined);
  expect(await move()).toEqual([]);
});
