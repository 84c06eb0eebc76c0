import { beforeEach, describe, expect, test } from 'vitest';
import { Position, Uri } from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { resolveAddress } from '#call/resolve.ts';
import { createLanguage } from '#language/editor/language.ts';
import { FakeDocument } from '../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { FakeWorkspace } from '../../fakes/workspace.ts';

const workspace = new FakeWorkspace();
const unaborted = new AbortController().signal;
const range = (line: number) => ({ start: new Position(line, 4), end: new Position(line, 8) });
const place = (path: string, line: number) => ({ uri: Uri.file(path), range: range(line) });

beforeEach(() => resetEditor());

/** The file is open, with this text. */
const open = (text: string): FakeDocument => {
  for (const document of editor.documents) document.close();
  return new FakeDocument(Uri.file('/w/a.py'), text, 'python');
};

const resolve = (path: string): Promise<ResolvedPath> =>
  resolveAddress(path, {
    workspace,
    files: new FakeFiles({ [`/w/${path}`]: '' }),
    pathRules: { home: '/home/u', privateFolders: [] },
    purpose: 'read',
  });

/** An extension that serves Python, which all open files of the fake are in. */
function install(activate: () => Promise<unknown> = async () => undefined): { isActive: boolean } {
  const packageJSON = {
    main: './main.js',
    activationEvents: ['onLanguage:python'],
    contributes: { languages: 'none' },
  };
  const extension = { isActive: false, exports: undefined, activate, packageJSON };
  editor.extensions.set('toy.snake', extension);
  return extension;
}

const functionSymbol = {
  name: 'area',
  kind: 11,
  detail: '',
  range: { start: new Position(0, 0), end: new Position(1, 0) },
  selectionRange: { start: new Position(0, 4), end: new Position(0, 8) },
  children: [],
};

test('activates an extension of the language before the request', async () => {
  open('def area():\n');
  const order: string[] = [];
  install(async () => order.push('activated'));
  editor.commands.set('vscode.executeDefinitionProvider', () => {
    order.push('asked');
    return [place('/w/a.py', 0)];
  });
  const language = createLanguage(workspace);
  await language.explain(await resolve('a.py'), 'definition');
  await language.places('definition', await resolve('a.py'), { line: 3, column: 5 }, unaborted);
  expect(order).toEqual(['activated', 'asked']);
});

test('returns the answers of other extensions when one cannot start', async () => {
  open('def area():\n');
  install(() => Promise.reject(new Error('broken')));
  editor.commands.set('vscode.executeReferenceProvider', () => [place('/w/a.py', 2), place('/w/a.py', 0)]);
  const language = createLanguage(workspace);
  await language.explain(await resolve('a.py'), 'references');
  const found = await language.places('references', await resolve('a.py'), { line: 1, column: 5 }, unaborted);
  expect(found.map(({ path, firstLine }) => `${path}:${firstLine}`)).toEqual(['a.py:1', 'a.py:3']);
});

test('converts 1-based positions of tools to 0-based positions of the editor', async () => {
  open('def area():\n');
  const asked: unknown[] = [];
  editor.commands.set('vscode.executeHoverProvider', (...values: readonly unknown[]) => {
    asked.push(...values);
    return [{ contents: ['Words.'] }];
  });
  const hover = await createLanguage(workspace).hover(await resolve('a.py'), { line: 3, column: 5 }, unaborted);
  expect(hover).toEqual(['Words.']);
  expect(asked).toEqual([expect.objectContaining({ fsPath: '/w/a.py' }), new Position(2, 4)]);
});

describe('an outline', () => {
  test('is requested once while the text is unchanged', async () => {
    let count = 0;
    editor.commands.set('vscode.executeDocumentSymbolProvider', () => {
      count += 1;
      return [functionSymbol];
    });
    const language = createLanguage(workspace);
    const file = await resolve('a.py');
    open('def area():\n');
    for (let time = 0; time < 2; time += 1) expect(await language.outline(file, unaborted)).toHaveLength(1);
    expect(count).toBe(1);
    open('def area(a):\n');
    await language.outline(file, unaborted);
    expect(count).toBe(2);
  });

  test('is requested again when it was empty, since the service may not have been ready', async () => {
    let count = 0;
    open('def area():\n');
    install();
    editor.commands.set('vscode.executeDocumentSymbolProvider', () => {
      count += 1;
      return undefined;
    });
    const language = createLanguage(workspace);
    expect(await language.outline(await resolve('a.py'), unaborted)).toEqual([]);
    expect(await language.outline(await resolve('a.py'), unaborted)).toEqual([]);
    expect(count).toBe(2);
  });

  test('is undefined when no extension serves the language', async () => {
    open('def area():\n');
    editor.commands.set('vscode.executeDocumentSymbolProvider', () => undefined);
    expect(await createLanguage(workspace).outline(await resolve('a.py'), unaborted)).toBeUndefined();
  });
});

test('explains an empty answer with the language and its extensions', async () => {
  open('def area():\n');
  const language = createLanguage(workspace);
  const file = await resolve('a.py');
  expect(await language.explain(file, 'outline')).toBe(
    'No extension of this window serves the language "python", so there is no outline for a.py.',
  );
  install();
  expect(await language.explain(file, 'outline')).toContain('toy.snake returned no outline');
});

test('does not wait for a hanging language service when the call is cancelled', async () => {
  open('def area():\n');
  editor.commands.set('vscode.executeHoverProvider', () => new Promise(() => undefined));
  const cancel = new AbortController();
  const hover = createLanguage(workspace).hover(await resolve('a.py'), { line: 1, column: 1 }, cancel.signal);
  cancel.abort(new Error('enough'));
  await expect(hover).rejects.toThrow('enough');
});

test('refuses a file that the editor cannot open, with the message of the editor', async () => {
  open('def area():\n');
  editor.commands.set('vscode.executeHoverProvider', () => Promise.reject(new Error('File seems to be binary')));
  const hover = createLanguage(workspace).hover(await resolve('a.py'), { line: 1, column: 1 }, unaborted);
  await expect(hover).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('binary') });
});

test('follows a call hierarchy item by item, with 1-based lines, each once', async () => {
  open('def area():\n');
  const item = (name: string, line: number) => ({
    name,
    kind: 11,
    ...place('/w/a.py', line),
    selectionRange: range(line),
  });
  editor.commands.set('vscode.prepareCallHierarchy', () => [item('area', 0)]);
  editor.commands.set('vscode.provideIncomingCalls', ({ name }: { name: string }) => [
    { from: item(`caller of ${name}`, 6), fromRanges: [range(9), range(7), range(9)] },
  ]);
  editor.commands.set('vscode.provideOutgoingCalls', () => undefined);
  const [area] = await createLanguage(workspace).callItems(await resolve('a.py'), { line: 1, column: 5 }, unaborted);
  expect(await area?.calls('outgoing', unaborted)).toEqual([]);
  const [call] = (await area?.calls('incoming', unaborted)) ?? [];
  expect(call).toMatchObject({ item: { name: 'caller of area', kind: 'function', nameLine: 7 }, lines: [8, 10] });
  expect(await call?.item.calls('incoming', unaborted)).toMatchObject([{ item: { name: 'caller of caller of area' } }]);
});

test('distinguishes writes from reads by highlights, with one request a file', async () => {
  const asked: string[] = [];
  editor.commands.set('vscode.executeDocumentHighlights', (uri: { path: string }, { line }: Position) => {
    asked.push(`${uri.path}:${line}`);
    if (uri.path.endsWith('b.py')) throw new Error('broken');
    return [
      { range: range(2), kind: 2 },
      { range: range(5), kind: 1 },
      { range: range(7), kind: 0 },
    ];
  });
  open('def area():\n');
  editor.commands.set('vscode.executeReferenceProvider', () => [
    ...[2, 5, 7, 9].map((line) => place('/w/a.py', line)),
    place('/w/b.py', 2),
    place('/lib/c.py', 2),
  ]);
  const language = createLanguage(workspace);
  const uses = await language.places('references', await resolve('a.py'), { line: 1, column: 5 }, unaborted);
  const told = await language.withAccess(uses, unaborted);
  expect(told.map(({ path, firstLine, access }) => `${path}:${firstLine} ${access}`)).toEqual([
    'a.py:3 write',
    'a.py:6 read',
    'a.py:8 undefined',
    'a.py:10 undefined',
    'b.py:3 undefined',
    'c.py:3 undefined',
  ]);
  expect(asked).toEqual(['/w/a.py:2', '/w/b.py:2']);
});
