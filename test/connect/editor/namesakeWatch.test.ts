import { beforeEach, expect, test, vi } from 'vitest';
import { Uri } from 'vscode';
import type { Machine } from '#connect/assistant.ts';
import { NamesakeWatch } from '#connect/editor/namesakeWatch.ts';
import type { Namesake } from '#connect/namesakes.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

beforeEach(() => {
  resetEditor();
});

const file = '/home/ada/shop/.mcp.json';
const machine: Machine = { platform: 'linux', home: '/home/ada', environment: {}, launcher: '/l' };
const namesake = (id: string): Namesake => ({ assistant: 'Claude Code', file, id });

/** Watches a folder in which these servers are found. `told` keeps the servers that the user was warned of. */
function watchOf(found: { now: readonly Namesake[] }, told: Map<string, unknown>): NamesakeWatch {
  return new NamesakeWatch({
    configurations: { machine, namesakes: async () => found.now },
    workspace: new FakeWorkspace([folderAt('/home/ada/shop')]),
    memento: {
      get: (key: string, otherwise?: unknown) => told.get(key) ?? otherwise,
      update: async (key, value) => void told.set(key, value),
    },
  });
}

test('warns once of a folder that brings its own server, and again when that names another program', async () => {
  const found = { now: [namesake('1')] };
  const told = new Map<string, unknown>();
  watchOf(found, told).dispose();
  await vi.waitFor(() => expect(editor.shown).toHaveLength(1));
  expect(editor.shown[0]).toMatchObject({
    kind: 'warning',
    message: expect.stringContaining('its own server called "drawbridge": ~/shop/.mcp.json starts another program'),
  });
  const watch = watchOf(found, told);
  found.now = [namesake('1'), namesake('2')];
  editor.answers.push('Open File');
  editor.watchers.at(-1)?.changed.fire(Uri.file(file));
  await vi.waitFor(() => expect(editor.shownDocuments).toMatchObject([{ path: file }]));
  expect(editor.shown).toHaveLength(2);
  expect(editor.watchers.at(-1)?.pattern.pattern).toContain('.mcp.json');
  watch.dispose();
});

test('says nothing about a folder without such a server', async () => {
  watchOf({ now: [] }, new Map()).dispose();
  await Promise.resolve();
  expect(editor.shown).toEqual([]);
});
