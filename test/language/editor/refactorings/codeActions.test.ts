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

/** An editor that lets go of its only document now and then: it keeps the document, or opens it again when it is asked to. */
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

test('a document that the editor holds is asked about once', async () => {
  expect((await list()).map(({ title }) => title)).toEqual(['Do it']);
  expect(held).toMatchObject({ asked: 1, opened: 0 });
});

test('one that the editor let go of meanwhile is opened and asked about again', async () => {
  held.isOpen = false;
  expect((await list()).map(({ title }) => title)).toEqual(['Do it']);
  expect(held).toMatchObject({ asked: 2, opened: 1 });
});

test('one that it does not keep is no bug of ours', async () => {
  Object.assign(held, { isOpen: false, keeps: false });
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
  expect(held).toMatchObject({ asked: 2, opened: 1 });
});
