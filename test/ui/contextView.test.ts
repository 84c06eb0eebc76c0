import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { AssistantContext } from '#editor/markedContext.ts';
import { createContextView } from '#ui/contextView.ts';
import { LateTree } from '#ui/lateTree.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';
import { FakeTextEditor } from '../fakes/editor/textEditors.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'view-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  for (const name of ['a.ts', 'b.ts', 'src/a.ts']) writeFileSync(join(folder, name), '');
  resetEditor();
  editor.folders = [{ uri: vscode.Uri.file(folder), name: 'view', index: 0 }];
});

function start() {
  const memento = { keys: () => [], get: () => undefined, update: async () => undefined };
  const context = new AssistantContext(memento, new FakeWorkspace([folderAt(folder)]));
  const tree = new LateTree();
  const view = createContextView(context, { tree });
  onTestFinished(() => context.dispose());
  const rows = () => tree.getChildren();
  return { context, commands: view.commands, rows };
}

const uriOf = (name: string): vscode.Uri => vscode.Uri.parse(`file://${folder}/${name}`);

function select(name: string, firstLine: number, lastLine: number, lastColumn: number): void {
  editor.activeEditor = new FakeTextEditor(new FakeDocument(uriOf(name), ''));
  editor.activeEditor.selection = new vscode.Selection(firstLine, 0, lastLine, lastColumn);
}

/** Returns the values that the view gave to its context key, oldest first. */
const hasContext = () => editor.executed.map((command) => command.at(-1));

const spans = (context: AssistantContext) => context.all.map(({ span }) => span);

test('adds the selected lines of the editor, or its file when nothing is selected', () => {
  const { context, commands } = start();
  select('a.ts', 2, 4, 0);
  commands.addToContext(uriOf('a.ts'));
  select('a.ts', 3, 3, 0);
  commands.addToContext();
  expect(spans(context)).toEqual([{ first: 2, last: 3 }, undefined]);
  expect(editor.statusMessages).toEqual([
    'Added to Assistant Context: a.ts, lines 3 to 4',
    'Added to Assistant Context: a.ts',
  ]);
  expect(hasContext()).toEqual([false, true, true]);
});

test('adds everything that is selected in the Explorer, and the whole file of a tab', () => {
  const { context, commands } = start();
  select('a.ts', 2, 4, 1);
  commands.addToContext(uriOf('a.ts'), { groupId: 1, editorIndex: 0 });
  commands.addToContext(uriOf('a.ts'), [uriOf('a.ts'), uriOf('b.ts')]);
  expect(spans(context)).toEqual([undefined, undefined]);
  expect(editor.statusMessages.at(-1)).toBe('Added to Assistant Context: 2 files');
});

test('explains why nothing was added', () => {
  const { context, commands } = start();
  commands.addToContext(vscode.Uri.parse(`file://${folder}`), []);
  commands.addToContext(vscode.Uri.parse('untitled:Untitled-1'));
  commands.addToContext();
  expect(context.all).toEqual([]);
  expect([editor.shown.length, editor.statusMessages]).toEqual([3, []]);
  expect(editor.shown[0]?.message).toContain('Nothing was added');
});

test('lists what was added, also for screen readers, and removes single items', () => {
  const { context, commands, rows } = start();
  select('a.ts', 2, 2, 5);
  commands.addToContext();
  commands.addToContext(uriOf('b.ts'));
  expect(rows()).toMatchObject([
    { description: 'line 3', contextValue: 'marked', accessibilityInformation: { label: 'a.ts, line 3' } },
    { description: true, contextValue: 'marked', accessibilityInformation: { label: 'b.ts' } },
  ]);
  select('src/a.ts', 0, 0, 5);
  commands.addToContext();
  const nested = rows()[2];
  expect(nested).toMatchObject({
    description: 'src · line 1',
    accessibilityInformation: { label: 'src/a.ts, line 1' },
  });
  commands.removeFromContext(nested);
  commands.removeFromContext(rows()[0]);
  commands.removeFromContext('no row');
  expect(rows()).toHaveLength(1);
  commands.clearContext();
  expect([rows(), context.all]).toEqual([[], []]);
  expect(hasContext().at(-1)).toBe(false);
});
