import { beforeEach, expect, test, vi } from 'vitest';
import type { ResolvedPath } from '../../../src/ports/files.ts';
import { createCodeActions } from '../../../src/vscode/language/refactorings/codeActions.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

/** An editor that lets go of its only document now and then. */
const editor = vi.hoisted(() => ({ isOpen: true, asked: 0, opened: 0, keeps: true }));

vi.mock('vscode', async () => {
  const { Range, Position: Place } = await import('../../fakes/documents.ts');
  class Position extends Place {
    isBefore({ line, character }: Position): boolean {
      return this.line < line || (this.line === line && this.character < character);
    }
  }
  const firstLine = { lineNumber: 0, firstNonWhitespaceCharacterIndex: 0, text: 'one' };
  const document = {
    uri: { scheme: 'file', fsPath: '/w/a.txt', toString: () => 'file:///w/a.txt' },
    languageId: 'plaintext',
    lineCount: 1,
    lineAt: () => firstLine,
    isDirty: false,
    isClosed: false,
  };
  return {
    Range,
    Position,
    commands: {
      executeCommand: async () => {
        editor.asked += 1;
        if (!editor.isOpen) throw new Error('Illegal argument');
        return [{ title: 'Do it', kind: { value: 'refactor' } }];
      },
    },
    extensions: { all: [], getExtension: () => undefined },
    languages: { getDiagnostics: () => [] },
    workspace: {
      textDocuments: [document],
      openTextDocument: async () => {
        editor.opened += 1;
        editor.isOpen = editor.keeps;
        return document;
      },
    },
  };
});

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

beforeEach(() => Object.assign(editor, { isOpen: true, asked: 0, opened: 0, keeps: true }));

test('a document that the editor holds is asked about once', async () => {
  expect((await list()).map(({ title }) => title)).toEqual(['Do it']);
  expect(editor).toMatchObject({ asked: 1, opened: 0 });
});

test('one that the editor let go of meanwhile is opened and asked about again', async () => {
  editor.isOpen = false;
  expect((await list()).map(({ title }) => title)).toEqual(['Do it']);
  expect(editor).toMatchObject({ asked: 2, opened: 1 });
});

test('one that it does not keep is no bug of ours', async () => {
  Object.assign(editor, { isOpen: false, keeps: false });
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
  expect(editor).toMatchObject({ asked: 2, opened: 1 });
});
