import { beforeEach, expect, test, vi } from 'vitest';
import { createSymbols } from '../../src/vscode/symbols.ts';
import { host, Position, Uri } from '../fakes/languages.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

vi.mock('vscode', async () => ({
  ...(await import('../fakes/languages.ts')),
  SymbolKind: { 4: 'Class', 21: 'EnumMember' },
}));

const command = 'vscode.executeWorkspaceSymbolProvider';
const range = { start: new Position(2, 0), end: new Position(8, 1) };
const symbols = createSymbols(new FakeWorkspace());

beforeEach(() => host.reset());

const find = (signal = new AbortController().signal) => symbols.find('Ca', signal);

test('finds the symbols of files of the workspace, in the order of the language services', async () => {
  const asked: string[] = [];
  host.commands.set(command, async (query: string) => {
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

test('finds nothing where no language service answers', async () => {
  host.commands.set(command, async () => undefined);
  expect(await find()).toEqual([]);
});

test('a call that is cancelled does not wait for a language service that hangs', async () => {
  host.commands.set(command, () => new Promise(() => undefined));
  const cancel = new AbortController();
  const found = find(cancel.signal);
  cancel.abort();
  expect(await found).toEqual([]);
  expect(await find(cancel.signal)).toEqual([]);
});
