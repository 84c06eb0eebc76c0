import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import type { Position } from '#base/language.ts';
import { messageOf } from '#base/messageOf.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { raceAbort } from '../raceAbort.ts';
import { waitForReload } from './documentReload.ts';
import { activateLanguageExtensions } from './languageExtensions.ts';
import { askWithProject } from './typescript.ts';

/** Asks the language services of this window as the editor does. */
interface ProviderCommands {
  readonly languageOf: (path: ResolvedPath) => Promise<string>;
  /** As the editor names the file. */
  readonly uriOf: (path: ResolvedPath) => vscode.Uri;
  /**
   * Undefined when nobody answered, or had nothing to say.
   * @param command takes the URI of the file, then the values
   * @throws ToolError `unavailable`
   */
  readonly execute: <T>(
    command: string,
    path: ResolvedPath,
    signal: AbortSignal,
    ...values: readonly unknown[]
  ) => Promise<T | undefined>;
  /** The same of a command that takes a position. */
  readonly executeAt: <T>(
    command: string,
    path: ResolvedPath,
    at: Position,
    signal: AbortSignal,
  ) => Promise<T | undefined>;
}

export function createProviderCommands(workspace: Workspace): ProviderCommands {
  const uriOf = (path: ResolvedPath): vscode.Uri => editorUri(path, workspace);
  const languageOf = (path: ResolvedPath): Promise<string> => languageIdOf(uriOf(path)).catch(throwUnavailable(path));
  const execute = async <T>(
    command: string,
    path: ResolvedPath,
    signal: AbortSignal,
    ...values: readonly unknown[]
  ): Promise<T | undefined> => {
    const answered = async (): Promise<T | undefined> => {
      await activateLanguageExtensions(await languageOf(path));
      await waitForReload(path, signal);
      const uri = uriOf(path);
      const question = () => vscode.commands.executeCommand<T | undefined>(command, uri, ...values);
      return askWithProject(uri.fsPath, question).catch(throwUnavailable(path));
    };
    return raceAbort(answered, signal);
  };
  return {
    languageOf,
    uriOf,
    execute,
    executeAt: (command, path, { line, column }, signal) =>
      execute(command, path, signal, new vscode.Position(line - 1, column - 1)),
  };
}

/** As the editor names the file already, or would name it: what a link leads to, when one does. */
function editorUri(path: ResolvedPath, workspace: Workspace): vscode.Uri {
  const open = openDocument(path);
  if (open !== undefined) return open.uri;
  const real = path.linked ? foundFile({ scheme: 'file', fsPath: path.realPath }, workspace.folders()) : undefined;
  return vscode.Uri.file(real?.fsPath ?? path.fsPath);
}

/** The editor rejects a question about a file that it cannot open; what a language service throws it keeps to itself. */
export function throwUnavailable({ path }: ResolvedPath): (error: unknown) => never {
  return (error) => {
    throw new ToolError(
      'unavailable',
      `The editor cannot show ${path} to its language services: ${messageOf(error)}`,
      'Only text files have symbols; read_file tells whether it is one.',
    );
  };
}

/** By file ending. */
const known = new Map<string, string>();

/** The editor's id of the language that a file is in, by the user's settings too. May open the file for a moment, in no tab. */
async function languageIdOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined && !open.isClosed) return open.languageId;
  const ending = extname(uri.path).toLowerCase();
  const before = known.get(ending);
  if (before !== undefined) return before;
  let found: string | undefined;
  const subscription = vscode.workspace.onDidOpenTextDocument((document) => {
    if (document.uri.toString() === uri.toString()) found = document.languageId;
  });
  try {
    // Any question opens the file for as long as it takes.
    await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
  } finally {
    subscription.dispose();
  }
  if (found === undefined) return 'plaintext';
  // The first line may decide for a file without one.
  if (ending !== '') known.set(ending, found);
  return found;
}
