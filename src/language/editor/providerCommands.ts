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

/** Runs the editor's provider commands (`vscode.execute...Provider`), which ask the language services of this window. */
interface ProviderCommands {
  readonly languageOf: (path: ResolvedPath) => Promise<string>;
  /** Returns the URI under which the editor knows the file. */
  readonly uriOf: (path: ResolvedPath) => vscode.Uri;
  /**
   * Runs a provider command for a file. Resolves with undefined when no service answered or found anything.
   * @param command takes the URI of the file, then the values
   * @throws ToolError `unavailable`
   */
  readonly execute: <T>(
    command: string,
    path: ResolvedPath,
    signal: AbortSignal,
    ...values: readonly unknown[]
  ) => Promise<T | undefined>;
  /** Runs a provider command that takes a position. */
  readonly executeAt: <T>(
    command: string,
    path: ResolvedPath,
    at: Position,
    signal: AbortSignal,
  ) => Promise<T | undefined>;
}

/** Creates the provider commands for the files of a workspace. */
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

/**
 * Returns the URI of the open document; otherwise the URI that the editor would use, which for a link is that of its target.
 */
function editorUri(path: ResolvedPath, workspace: Workspace): vscode.Uri {
  const open = openDocument(path);
  if (open !== undefined) return open.uri;
  const real = path.linked ? foundFile({ scheme: 'file', fsPath: path.realPath }, workspace.folders()) : undefined;
  return vscode.Uri.file(real?.fsPath ?? path.fsPath);
}

/**
 * Turns the rejection of a provider command into a ToolError. Only files that the editor cannot open cause one: the editor
 * swallows errors of services.
 */
export function throwUnavailable({ path }: ResolvedPath): (error: unknown) => never {
  return (error) => {
    throw new ToolError(
      'unavailable',
      `The editor cannot show ${path} to its language services: ${messageOf(error)}`,
      'Only text files have symbols; read_file tells whether it is one.',
    );
  };
}

/** Language ids by file ending. */
const known = new Map<string, string>();

/**
 * Returns the editor's language id of a file, which the user's settings may define. May open the file for a moment, in no tab.
 */
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
    // Any provider command opens the file while it runs.
    await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
  } finally {
    subscription.dispose();
  }
  if (found === undefined) return 'plaintext';
  // The first line may decide the language of a file without an ending.
  if (ending !== '') known.set(ending, found);
  return found;
}
