import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { messageOf } from '#base/messageOf.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { LanguageEdits, Refactorings, TextEdit } from '../refactorings.ts';
import { OfferedActions } from '../refactorings/offeredActions.ts';
import { raceAbort } from '../raceAbort.ts';
import { throwUnavailable } from './providerCommands.ts';
import { currentText } from './currentText.ts';
import { documentForServices } from './documentForServices.ts';
import { createCodeActions } from './refactorings/codeActions.ts';
import { languageEditsOf, textEditsOf } from './refactorings/workspaceEdits.ts';
import { typescript } from './typescript.ts';

/** Creates the refactorings that the language services of this window offer. */
export function createRefactorings(workspace: Workspace): Refactorings {
  const offers = new OfferedActions();
  return {
    async rename(path, at, newName, signal) {
      const position = new vscode.Position(at.line - 1, at.column - 1);
      return raceAbort(() => rename(path, position, newName, workspace.folders()), signal);
    },
    codeActions: createCodeActions(workspace),
    async formatting(path, signal) {
      return raceAbort(() => formatting(path, workspace.folders()), signal);
    },
    offer: (offered) => offers.offer(offered),
    offered: (id) => offers.offered(id),
    withdraw: (id) => offers.withdraw(id),
  };
}

async function rename(
  path: ResolvedPath,
  position: vscode.Position,
  newName: string,
  folders: readonly WorkspaceFolder[],
): Promise<LanguageEdits> {
  // The rename command accepts only open documents.
  const document = await documentForServices(path);
  const edits = await askToRename(document, position, newName, folders);
  const nameRange = document.getWordRangeAtPosition(position);
  const name = nameRange === undefined ? undefined : document.getText(nameRange);
  if (name === undefined || (await renamesOnly(name, edits))) return edits;
  // tsserver may not have noticed recent changes of files that are not open.
  await typescript.reread([...new Set(edits.texts.map(({ address }) => address))]);
  return askToRename(document, position, newName, folders);
}

async function askToRename(
  { uri }: vscode.TextDocument,
  position: vscode.Position,
  newName: string,
  folders: readonly WorkspaceFolder[],
): Promise<LanguageEdits> {
  const edit = await vscode.commands
    .executeCommand<vscode.WorkspaceEdit | undefined>('vscode.executeDocumentRenameProvider', uri, position, newName)
    .then(undefined, (error: unknown) => {
      throw new ToolError(
        'unavailable',
        `The language service does not rename this: ${messageOf(error)}`,
        'Give a symbol of this workspace and a name that is valid there, or make the change with apply_edit.',
      );
    });
  return edit === undefined ? { texts: [], resources: [] } : languageEditsOf(edit, folders);
}

/** Tells whether every edit replaces the old name, in the files whose text can be read. */
async function renamesOnly(name: string, { texts }: LanguageEdits): Promise<boolean> {
  for (const [address, edits] of Map.groupBy(texts, (edit) => edit.address)) {
    const now = await currentText(address);
    if (now === undefined) continue;
    const replaced = edits.map(({ offset, length }) => now.text.slice(offset, offset + length));
    if (!replaced.every((text) => text === '' || text.replaceAll(/["'`]/g, '') === name)) return false;
  }
  return true;
}

async function formatting(path: ResolvedPath, folders: readonly WorkspaceFolder[]): Promise<readonly TextEdit[]> {
  const { uri } = await documentForServices(path);
  // Without options the editor detects the indentation from the text.
  const found = await vscode.commands
    .executeCommand<vscode.TextEdit[] | undefined>('vscode.executeFormatDocumentProvider', uri)
    .then(undefined, throwUnavailable(path));
  return textEditsOf(
    (found ?? []).map(({ range, newText }) => ({ uri, range, newText })),
    folders,
  );
}
