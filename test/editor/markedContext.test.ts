import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { AssistantContext } from '#editor/markedContext.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { events, resetEditor } from '../fakes/editor/editor.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

let folder: string;
let kept: Map<string, unknown>;

beforeEach(() => {
  resetEditor();
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'context-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['a.ts', 'b.ts']) writeFileSync(join(folder, name), 'one\ntwo\nthree\n');
  kept = new Map();
});

function start(): AssistantContext {
  const memento = {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const made = new AssistantContext(memento, new FakeWorkspace([folderAt(folder)]));
  onTestFinished(() => made.dispose());
  return made;
}

const uriOf = (name: string): vscode.Uri => vscode.Uri.parse(`file://${folder}/${name}`);
const list = (context: AssistantContext) =>
  context.list().map(({ path, firstLine, lastLine }) => [path, firstLine, lastLine]);

test('keeps files and lines, each once, in their order and over a reload', () => {
  const context = start();
  let told = 0;
  context.onDidChange(() => (told += 1));
  expect(context.add(uriOf('b.ts'))).toBe(true);
  expect(context.add(uriOf('a.ts'), { first: 1, last: 2 })).toBe(true);
  expect(context.add(uriOf('b.ts'))).toBe(true);
  expect(told).toBe(2);
  const wanted = [
    ['b.ts', undefined, undefined],
    ['a.ts', 2, 3],
  ];
  expect(list(context)).toEqual(wanted);
  expect(list(start())).toEqual(wanted);
});

test('rejects files outside the workspace and leaves out deleted files', () => {
  const context = start();
  expect(context.add(vscode.Uri.parse('file:///etc/hosts'))).toBe(false);
  context.add(uriOf('a.ts'));
  rmSync(join(folder, 'a.ts'));
  expect(list(context)).toEqual([]);
});

test('moves lines with the edits of their file and drops deleted lines, but keeps a file', () => {
  const context = start();
  context.add(uriOf('a.ts'), { first: 1, last: 1 });
  context.add(uriOf('a.ts'));
  const document = new FakeDocument(vscode.Uri.parse(`file://${folder}/a.ts`), 'one\ntwo\nthree\n');
  document.edit(new vscode.Range(0, 0, 0, 0), 'zero\n');
  expect(list(context)[0]).toEqual(['a.ts', 3, 3]);
  document.edit(new vscode.Range(2, 0, 3, 0), '');
  expect(list(context)).toEqual([['a.ts', undefined, undefined]]);
});

test('keeps a renamed file marked', () => {
  const context = start();
  context.add(uriOf('a.ts'), { first: 0, last: 0 });
  writeFileSync(join(folder, 'c.ts'), 'one\n');
  events.filesRenamed.fire({ files: [{ oldUri: uriOf('a.ts'), newUri: uriOf('c.ts') }] });
  expect(list(context)).toEqual([['c.ts', 1, 1]]);
});

test('removes marked places one by one or all at once', () => {
  const context = start();
  context.add(uriOf('a.ts'));
  context.add(uriOf('b.ts'));
  const [first] = context.all;
  if (first !== undefined) context.remove(first);
  expect(list(context)).toEqual([['b.ts', undefined, undefined]]);
  context.clear();
  expect(context.list()).toEqual([]);
});

test('starts empty when the stored list is malformed', () => {
  kept.set('drawbridge.context', [{ uri: 3 }]);
  expect(start().list()).toEqual([]);
});
