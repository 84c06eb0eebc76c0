import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Location, Position, Range, Uri } from 'vscode';
import { createCommands } from '#editor/commands.ts';
import { builtinCommands } from '#editor/commands/builtinCommands.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { FakeClock } from '../fakes/clock.ts';
import { editor, events, resetEditor } from '../fakes/editor/editor.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { at } from '../policy/changes.ts';

const clock = new FakeClock();
let allowed: readonly string[] = [];
const commands = createCommands({ workspace: new FakeWorkspace(), clock, allowed: () => allowed });
const never = new AbortController().signal;

beforeEach(() => {
  resetEditor();
  events.extensionsChanged.fire();
  allowed = [];
});

/** Adds an extension and fires the event of the editor. */
function install(id: string, packageJSON: unknown): void {
  editor.extensions.set(id, { isActive: true, packageJSON });
  events.extensionsChanged.fire();
}

describe('the list of commands', () => {
  test('has the commands of manifests, in the language of the editor or of the extension', async () => {
    editor.files.set(
      '/extensions/toy.one/package.nls.json',
      Buffer.from(JSON.stringify({ count: 'Count Words', group: { message: 'Toy', comment: ['x'] } })),
    );
    install('toy.one', {
      contributes: {
        commands: [
          { command: 'toy.count', title: '%count%', category: '%group%' },
          { command: 'toy.plain', title: { value: 'Zählen', original: 'Count' } },
          { command: 'toy.unknown', title: '%nobody%' },
          { command: 'toy.hidden', title: 'Hidden' },
          { command: 5 },
          'nonsense',
        ],
        keybindings: { command: 'toy.count', key: 'ctrl+alt+c' },
        menus: {
          commandPalette: [
            { command: 'toy.hidden', when: 'false' },
            { command: 'toy.plain', when: 'x' },
          ],
        },
      },
    });
    install('vscode.git', {
      isBuiltin: true,
      contributes: { commands: { command: 'git.fetch', title: 'Fetch', category: 'Git' } },
    });
    install('no.manifest', undefined);
    expect(await commands.list()).toEqual([
      { id: 'git.fetch', title: 'Fetch', category: 'Git' },
      { id: 'toy.count', title: 'Count Words', category: 'Toy', keybinding: 'ctrl+alt+c', extension: 'toy.one' },
      { id: 'toy.plain', title: 'Zählen', extension: 'toy.one' },
      { id: 'toy.unknown', extension: 'toy.one' },
    ]);
  });

  test("has the editor's own commands that the editor registered", async () => {
    editor.commands.set('editor.action.organizeImports', () => undefined);
    editor.commands.set('nobody.knows', () => undefined);
    expect(await commands.list()).toEqual([expect.objectContaining({ title: 'Organize Imports' })]);
  });

  test('has existing commands that the user allows, even hidden ones and ones without a title', async () => {
    editor.commands.set('nobody.knows', () => undefined);
    install('toy.one', {
      contributes: {
        commands: [{ command: 'toy.hidden', title: 'Hidden' }],
        menus: { commandPalette: [{ command: 'toy.hidden', when: 'false' }] },
      },
    });
    allowed = ['nobody.knows', 'toy.hidden', 'not.there'];
    expect(await commands.list()).toEqual([
      { id: 'nobody.knows' },
      { id: 'toy.hidden', title: 'Hidden', extension: 'toy.one' },
    ]);
  });

  test('has the commands of an extension that is installed later', async () => {
    expect(await commands.list()).toEqual([]);
    install('toy.one', { contributes: { commands: [{ command: 'toy.count', title: 'Count' }] } });
    expect(await commands.list()).toHaveLength(1);
  });

  test('A2: leaves out commands that no assistant may run, and does not allow them', async () => {
    editor.commands.set('drawbridge.setMode', () => undefined);
    editor.commands.set('vscode.open', () => undefined);
    install('toy.one', { contributes: { commands: [{ command: 'toy.approve', title: 'Approve' }] } });
    allowed = ['drawbridge.setMode', 'vscode.open', 'toy.approve'];
    expect(await commands.list()).toEqual([]);
    for (const id of allowed) {
      expect(commands.isAllowed(id)).toBe(false);
      expect(await commands.find(id)).toBeUndefined();
    }
    expect(builtinCommands.filter(({ id }) => deniedCommand(id) !== undefined)).toEqual([]);
  });

  test('names each command of the editor once', () => {
    expect(new Set(builtinCommands.map(({ id }) => id)).size).toBe(builtinCommands.length);
    expect(builtinCommands.length).toBeGreaterThan(140);
  });
});

test('finds a command by its id before its extension runs, even a hidden one', async () => {
  editor.commands.set('nobody.knows', () => undefined);
  install('toy.one', {
    contributes: {
      commands: [{ command: 'toy.hidden', title: 'Hidden' }],
      menus: { commandPalette: [{ command: 'toy.hidden', when: 'false' }] },
    },
  });
  expect(await commands.find('toy.hidden')).toEqual({ id: 'toy.hidden', title: 'Hidden', extension: 'toy.one' });
  expect(await commands.find('nobody.knows')).toEqual({ id: 'nobody.knows' });
  expect(await commands.find('not.there')).toBeUndefined();
});

test('allows a command only by its exact id', () => {
  allowed = ['toy.count', 'toy.*'];
  expect(['toy.count', 'toy.Count', 'toy.count2', 'toy', 'toy.other'].filter((id) => commands.isAllowed(id))).toEqual([
    'toy.count',
  ]);
});

describe('running a command', () => {
  test('passes values of the VS Code API, and returns the result', async () => {
    const got: unknown[] = [];
    editor.commands.set('toy.count', (...given) => {
      got.push(...given);
      return { at: new Position(2, 0), in: Uri.file('/w/src/a.ts') };
    });
    const path = at('src/a.ts');
    const range = { firstLine: 1, firstColumn: 1, lastLine: 3, lastColumn: 1 };
    const text = await commands.run(
      'toy.count',
      [
        'a',
        [1, null, true],
        new Map([['file', { kind: 'uri' as const, path }]]),
        { kind: 'position', line: 3, column: 2 },
        { kind: 'range', ...range },
        { kind: 'location', path, range },
      ],
      never,
    );
    const uri = Uri.file('/w/src/a.ts');
    expect(got).toEqual([
      'a',
      [1, null, true],
      { file: uri },
      new Position(2, 1),
      new Range(0, 0, 2, 0),
      new Location(uri, new Range(0, 0, 2, 0)),
    ]);
    expect(JSON.parse(text)).toEqual({ at: { $position: { line: 3, column: 1 } }, in: { $uri: 'src/a.ts' } });
  });

  test('A2: refuses a command that no assistant may run, for every caller', async () => {
    const ran = vi.fn<() => void>();
    editor.commands.set('drawbridge.setMode', ran);
    await expect(commands.run('drawbridge.setMode', [], never)).rejects.toMatchObject({ code: 'denied' });
    expect(ran).not.toHaveBeenCalled();
  });

  test('throws the message of a command that fails', async () => {
    editor.commands.set('toy.fails', () => {
      throw new Error('no such word');
    });
    const failed = commands.run('toy.fails', [], never);
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', message: '"toy.fails" failed: no such word' });
  });

  test('stops waiting after a minute, and when the call is cancelled', async () => {
    editor.commands.set('toy.hangs', () => new Promise(() => undefined));
    const hanging = expect(commands.run('toy.hangs', [], never)).rejects.toMatchObject({ code: 'timeout' });
    clock.advance(60_000);
    await hanging;
    const cancel = new AbortController();
    const left = expect(commands.run('toy.hangs', [], cancel.signal)).rejects.toMatchObject({ code: 'cancelled' });
    cancel.abort();
    await left;
    const late = commands.run('toy.hangs', [], cancel.signal);
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
  });
});
