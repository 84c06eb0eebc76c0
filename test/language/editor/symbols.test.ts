import { beforeEach, describe, expect, test } from 'vitest';
import { Position, Uri } from 'vscode';
import { resolveAddress } from '#call/resolve.ts';
import { createSymbols } from '#language/editor/symbols.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { FakeSearch } from '../../fakes/search.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

const command = 'vscode.executeWorkspaceSymbolProvider';
const range = { start: new Position(2, 0), end: new Position(8, 1) };
const symbols = createSymbols(new FakeWorkspace(), new FakeSearch(), async () => []);

beforeEach(() => resetEditor());

const find = (signal = new AbortController().signal) => symbols.find('Ca', signal);

test('finds the symbols of files of the workspace, in the order of the language services', async () => {
  const asked: string[] = [];
  editor.commands.set(command, async (query: string) => {
    asked.push(query);
    return [
      { name: 'Cart', kind: 4, containerName: '', location: { uri: Uri.file('/w/cart.ts'), range } },
      { name: 'Card', kind: 21, containerName: 'Payment', location: { uri: Uri.file('/w/pay.ts'), range } },
      { name: 'Cat', kind: 4, containerName: '', location: { uri: Uri.file('/lib/cat.d.ts'), range } },
      { name: 'Cab', kind: 4, containerName: '', location: { uri: Uri.file('/w/cab.ts') } },
    ];
  });
  expect(await find()).toEqual([
    expect.objectContaining({ name: 'Cart', kind: 'class', path: 'cart.ts', firstLine: 3, lastLine: 9 }),
    expect.objectContaining({ name: 'Card', kind: 'enum member', container: 'Payment', path: 'pay.ts' }),
  ]);
  expect((await find())[0]).not.toHaveProperty('container');
  expect(asked).toEqual(['Ca', 'Ca']);
});

test('finds nothing when no language service answers', async () => {
  editor.commands.set(command, async () => undefined);
  expect(await find()).toEqual([]);
});

test('does not wait for a hanging language service when the call is cancelled', async () => {
  editor.commands.set(command, () => new Promise(() => undefined));
  const cancel = new AbortController();
  const found = find(cancel.signal);
  cancel.abort();
  expect(await found).toEqual([]);
  expect(await find(cancel.signal)).toEqual([]);
});

test('counts the languages that an extension serves, and not the one of which the built-in extension knows no symbols', () => {
  const serving = (language: string) => ({
    isActive: true,
    exports: undefined,
    activate: async () => undefined,
    packageJSON: { main: './main.js', activationEvents: [`onLanguage:${language}`] },
  });
  editor.extensions.set('toy.snake', serving('snake'));
  editor.extensions.set('vscode.php-language-features', serving('php'));
  expect([...symbols.served(['snake', 'php', 'whale'])]).toEqual(['snake']);
});

test('removes the parentheses from the name of a function', async () => {
  const symbol = (name: string) => ({
    name,
    kind: 4,
    containerName: '',
    location: { uri: Uri.file('/w/a.ts'), range },
  });
  editor.commands.set(command, async () => [symbol('total()'), symbol('()')]);
  expect((await find()).map(({ name }) => name)).toEqual(['total', '()']);
});

describe('symbols in a window that has not shown a file yet', () => {
  const workspace = new FakeWorkspace();
  const folder = folderAt('/w');
  const roots = async () => [
    await resolveAddress('/w', {
      workspace,
      files: new FakeFiles({ '/w/a.snake': '', '/w/a.ts': '' }),
      pathRules: { home: '/home/u', privateFolders: [] },
      purpose: 'read',
    }),
  ];
  const searchOf = (...paths: readonly string[]): FakeSearch => {
    const search = new FakeSearch();
    for (const path of paths) search.add({ path, fsPath: `/w/${path}`, uri: `file:///w/${path}`, folder }, '');
    return search;
  };
  const serving = (id: string, ending: string, order: string[]) => ({
    isActive: false,
    exports: undefined,
    activate: async () => order.push(id),
    packageJSON: { main: './main.js', contributes: { languages: [{ id, extensions: [ending] }] } },
  });

  test('activates only the extensions of languages in the workspace, before the first request', async () => {
    const order: string[] = [];
    editor.extensions.set('toy.snake', serving('snake', '.snake', order));
    editor.extensions.set('toy.whale', serving('whale', '.whale', order));
    editor.commands.set(command, async () => {
      order.push('asked');
      return [];
    });
    const services = createSymbols(workspace, searchOf('a.snake'), roots);
    for (let time = 0; time < 2; time += 1) await services.find('a', new AbortController().signal);
    expect(order).toEqual(['snake', 'asked', 'asked']);
  });

  test('loads the project of a first script, and again when tsserver dropped it', async () => {
    const order: string[] = [];
    let isLoaded = false;
    const typescript = { isActive: true, exports: undefined, activate: async () => undefined };
    editor.extensions.set('vscode.typescript-language-features', typescript);
    editor.commands.set('typescript.tsserverRequest', async () => {
      if (!isLoaded) throw new Error('No Project.');
      return {};
    });
    editor.commands.set('vscode.executeDefinitionProvider', (uri: { fsPath: string }) => {
      isLoaded = true;
      order.push(uri.fsPath);
    });
    editor.commands.set(command, async () => {
      order.push('asked');
      return [];
    });
    const services = createSymbols(workspace, searchOf('lib/b.js', 'src/a.ts'), roots);
    const ask = () => services.find('a', new AbortController().signal);
    await ask();
    await ask();
    isLoaded = false;
    await ask();
    expect(order).toEqual(['/w/src/a.ts', 'asked', 'asked', '/w/src/a.ts', 'asked']);
  });
});
