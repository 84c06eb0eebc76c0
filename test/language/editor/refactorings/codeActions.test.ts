import { beforeEach, expect, test } from 'vitest';
import { Uri } from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { createCodeActions } from '#language/editor/refactorings/codeActions.ts';
import { FakeDocument } from '../../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../../fakes/editor/editor.ts';
import { FakeWorkspace, folderAt } from '../../../fakes/workspace.ts';

const path: ResolvedPath = {
  path: 'a.txt',
  uri: 'file:///w/a.txt',
  fsPath: '/w/a.txt',
  realPath: '/w/a.txt',
  folder: folderAt('/w'),
  kind: 'file',
  linked: false,
  dangling: false,
  size: 3,
  modified: 0,
  linkCount: 1,
};
const list = () =>
  createCodeActions(new FakeWorkspace())(path, { firstLine: 1, lastLine: 1 }, [], new AbortController().signal);

/** The state of an editor that may close its only document, and keeps it open or not when it is opened again. */
let held: { isOpen: boolean; asked: number; opened: number; keeps: boolean };

beforeEach(() => {
  resetEditor();
  held = { isOpen: true, asked: 0, opened: 0, keeps: true };
  editor.beforeOpen = () => {
    held.opened += 1;
    held.isOpen = held.keeps;
  };
  void new FakeDocument(Uri.file('/w/a.txt'), 'one');
  editor.commands.set('vscode.executeCodeActionProvider', () => {
    held.asked += 1;
    if (!held.isOpen) throw new Error('Illegal argument');
    return [{ title: 'Do it', kind: { value: 'refactor' } }];
  });
});

test('asks once about a document that the editor has open', async () => {
  expect((await list()).map(({ title }) => title)).toEqual(['Do it']);
  expect(held).toMatchObject({ asked: 1, opened: 0 });
});

test('reopens a document that the editor closed meanwhile and asks again', async () => {
  held.isOpen = false;
  expect((await list()).map(({ title }) => title)).toEqual(['Do it']);
  expect(held).toMatchObject({ asked: 2, opened: 1 });
});

test('throws `unavailable` when the editor closes the document again', async () => {
  Object.assign(held, { isOpen: false, keeps: false });
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
  expect(held).toMatchObject({ asked: 2, opened: 1 });
});
