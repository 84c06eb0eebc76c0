import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeAll, openFile, setSetting, typeInto } from '../editor.ts';
import { type Drawbridge, startDrawbridge, until, type WindowRecord } from '../harness.ts';
import { connectListening, eras, type ListeningClient } from '../listeningClient.ts';
import { setMode } from '../quickPick.ts';

const cart = 'export class Cart {\n  add(qty: number) {\n    return qty;\n  }\n}\n';
const fixed = ['workspace', 'selection', 'diagnostics', 'changes'].map((name) => `drawbridge://${name}`);
const template = 'drawbridge://files/{+path}';

let drawbridge: Drawbridge;
let record: WindowRecord;
let client: ListeningClient;

beforeAll(async () => {
  drawbridge = await startDrawbridge({
    files: { 'src/cart.ts': cart, 'src/other.txt': 'other\n', 'sentinel.txt': '-\n', '.env': 'API_KEY=secret\n' },
  });
  record = await drawbridge.record();
  const { window } = drawbridge;
  await window.evaluate(async (vscode, path) => {
    // A language service that a test can rely on.
    const uri = vscode.Uri.file(path);
    vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: (query) =>
        'cart'.startsWith(query.toLowerCase())
          ? [
              new vscode.SymbolInformation(
                'Cart',
                vscode.SymbolKind.Class,
                '',
                new vscode.Location(uri, new vscode.Range(0, 0, 4, 1)),
              ),
            ]
          : [],
    });
  }, pathOf('src/cart.ts'));
});
afterAll(() => drawbridge?.stop());

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);
const uriOf = (name: string): string => pathToFileURL(pathOf(name)).href;

describe.each(eras)('a client of %s', (era) => {
  beforeEach(async () => {
    client = await connectListening(record, era);
  });
  afterEach(async () => {
    await client?.close();
    await closeAll(drawbridge.window);
  });

  test('lists files as they open and close, but no secrets', async () => {
    const { window } = drawbridge;
    expect(await client.resources()).toEqual(fixed);
    expect(await client.templates()).toEqual([template]);
    const opened = client.hears('resources');
    await openFile(window, pathOf('src/cart.ts'));
    await openFile(window, pathOf('.env'));
    await opened;
    await until(async () => (await client.resources()).length > fixed.length, 'the open file in the list');
    expect(await client.resources()).toEqual([...fixed, uriOf('src/cart.ts')]);
    expect(await client.read(uriOf('src/cart.ts'))).toBe(cart);
    await expect(client.read(uriOf('.env'))).rejects.toThrow('is never read');
    const closed = client.hears('resources');
    await closeAll(window);
    await closed;
    expect(await client.resources()).toEqual(fixed);
  });

  test('reads the workspace, the selection, the problems and the changes', async () => {
    const { window } = drawbridge;
    expect(await client.read('drawbridge://workspace')).toContain('workspace');
    expect(await client.read('drawbridge://changes')).toBeTypeOf('string');
    await select('src/cart.ts', 1, 2, 1, 5);
    expect(await client.read('drawbridge://selection')).toContain('add');
    await problem('src/cart.ts', `too cheap ${era}`);
    expect(await client.read('drawbridge://diagnostics')).toContain(`too cheap ${era}`);
    await openFile(window, pathOf('.env'));
    expect(await client.read('drawbridge://selection')).not.toContain('secret');
    expect(await client.read('drawbridge://files/src/other.txt')).toBe('other\n');
  });

  test('is notified of changes to a subscribed resource until it unsubscribes, and never of secrets', async () => {
    const { window } = drawbridge;
    const [file, sentinel] = [uriOf('src/other.txt'), uriOf('sentinel.txt')];
    for (const name of ['sentinel.txt', 'src/other.txt']) await openFile(window, pathOf(name));
    const watch = await client.watch(file, uriOf('.env'), 'drawbridge://selection', 'drawbridge://diagnostics');
    expect(watch.watched).toEqual([file, 'drawbridge://selection', 'drawbridge://diagnostics']);
    const other = await client.watch(sentinel);

    const typed = client.hears(file);
    await typeInto(window, pathOf('src/other.txt'), era);
    await typed;
    expect(await client.read(file)).toBe(`${era}other\n`);
    const selected = client.hears('drawbridge://selection');
    await select('src/cart.ts', 1, 2, 1, 5);
    await selected;
    const diagnosed = client.hears('drawbridge://diagnostics');
    await problem('src/cart.ts', 'too dear');
    await diagnosed;
    expect(await client.read('drawbridge://diagnostics')).toContain('too dear');

    await watch.end();
    const timesBefore = timesHeard(file);
    const last = client.hears(sentinel);
    await typeInto(window, pathOf('src/other.txt'), 'unheard');
    await typeInto(window, pathOf('sentinel.txt'), '!');
    await last;
    expect(timesHeard(file)).toBe(timesBefore);
    expect(timesHeard(uriOf('.env'))).toBe(0);
    await other.end();
  });

  test('gets many keystrokes in a few updates, including the last keystroke', async () => {
    const { window } = drawbridge;
    const [file, sentinel] = [uriOf('src/other.txt'), uriOf('sentinel.txt')];
    for (const name of ['sentinel.txt', 'src/other.txt']) await openFile(window, pathOf(name));
    const watch = await client.watch(file, sentinel);
    const keys = 50;
    const begun = performance.now();
    await window.page.keyboard.type('k'.repeat(keys));
    await until(async () => (await client.read(file)).includes('k'.repeat(keys)), 'the keystrokes');
    // The server gathers changes for 50 ms before it tells of them; a busy machine takes longer to type.
    const mostUpdates = 2 + (performance.now() - begun) / 50;
    const last = client.hears(sentinel);
    await typeInto(window, pathOf('sentinel.txt'), '!');
    await last;
    expect(timesHeard(file)).toBeGreaterThan(0);
    expect(timesHeard(file)).toBeLessThanOrEqual(mostUpdates);
    await watch.end();
  });

  test('is notified of changes on disk and of changes by assistants', async () => {
    const { window } = drawbridge;
    const watch = await client.watch(uriOf('src/other.txt'), 'drawbridge://changes');
    const written = client.hears(uriOf('src/other.txt'));
    writeFileSync(pathOf('src/other.txt'), 'other\n\n');
    await written;
    await setMode(window, 'Accept edits');
    const changed = client.hears('drawbridge://changes');
    await client.call('apply_edit', { edits: [{ path: 'src/other.txt', oldText: 'other\n\n', newText: 'other\n' }] });
    await changed;
    expect(await client.read('drawbridge://changes')).toContain('src/other.txt');
    await setMode(window, 'Manual');
    await watch.end();
  });

  test('completes paths, and gets prompts with open files', async () => {
    expect(await client.complete({ template }, 'path', 'ca')).toEqual(['src/cart.ts']);
    expect(await client.complete({ template }, 'path', '.env')).toEqual([]);
    expect(await client.prompts()).toEqual(['review_selection', 'fix_problems', 'explain_symbol', 'make_change']);
    await expect(client.prompt('review_selection')).rejects.toThrow('Nothing is selected');
    await select('src/cart.ts', 1, 2, 3, 3);
    expect(await client.prompt('review_selection')).toContain('add(qty: number)');
    await problem('src/cart.ts', 'too cheap');
    expect(await client.complete({ prompt: 'fix_problems' }, 'path', '')).toContain('src/cart.ts');
    expect(await client.prompt('fix_problems', { path: 'src/cart.ts' })).toContain('too cheap');
    expect(await client.complete({ prompt: 'explain_symbol' }, 'symbol', 'ca')).toContain('Cart');
    expect(await client.prompt('explain_symbol', { symbol: 'Cart' })).toContain('export class Cart');
    const goal = `Let nobody order less than nothing, ${era}.`;
    expect(await client.prompt('make_change', { goal, path: 'src/cart.ts' })).toContain(goal);
  });

  test('is notified of a changed tool list when the user turns tools off or chooses Read-only', async () => {
    const { window } = drawbridge;
    const every = await client.tools();
    const turnedOff = client.hears('tools');
    await setSetting(window, 'drawbridge.toolsets', { edit: false, list_changes: true, search_code: false });
    await turnedOff;
    const rest = await client.tools();
    expect(rest).toEqual(every.filter((name) => rest.includes(name)));
    expect(rest).toEqual(expect.arrayContaining(['get_workspace', 'read_file', 'list_changes']));
    for (const name of ['search_code', 'apply_edit', 'get_approval']) expect(rest).not.toContain(name);
    expect(await client.call('search_code', { query: 'qty' })).toContain('The user has turned this tool off.');
    const turnedOn = client.hears('tools');
    await setSetting(window, 'drawbridge.toolsets');
    await turnedOn;
    expect(await client.tools()).toEqual(every);

    const watch = await client.watch('drawbridge://workspace');
    const readOnly = Promise.all([client.hears('tools'), client.hears('drawbridge://workspace')]);
    await setMode(window, 'Read-only');
    await readOnly;
    expect(await client.read('drawbridge://workspace')).toContain('edits are not possible');
    await watch.end();
    expect(await client.tools()).not.toContain('apply_edit');
    expect(await client.tools()).toContain('get_approval');
    const manual = client.hears('tools');
    await setMode(window, 'Manual');
    await manual;
    expect(await client.tools()).toEqual(every);
  });
});

const timesHeard = (what: string): number => client.heard.filter((each) => each.what === what).length;

/** Opens a file and selects a part of it; 0-based, as the editor counts. */
async function select(name: string, ...place: readonly [number, number, number, number]): Promise<void> {
  await drawbridge.window.evaluate(
    async (vscode, path, [firstLine, firstColumn, lastLine, lastColumn]) => {
      const selection = new vscode.Range(firstLine, firstColumn, lastLine, lastColumn);
      await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false, selection });
    },
    pathOf(name),
    place,
  );
}

/** Has a language service find one thing wrong with the second line of a file. */
async function problem(name: string, message: string): Promise<void> {
  await drawbridge.window.evaluate(
    (vscode, path, text) => {
      const diagnostic = new vscode.Diagnostic(new vscode.Range(1, 0, 1, 5), text, vscode.DiagnosticSeverity.Error);
      vscode.languages.createDiagnosticCollection(text).set(vscode.Uri.file(path), [diagnostic]);
    },
    pathOf(name),
    message,
  );
}
