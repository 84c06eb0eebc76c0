import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import type { Position } from '#base/language.ts';
import { messageOf } from '#base/messageOf.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import { untilAborted } from '../raceAbort.ts';
import { untilReloaded } from './documentReload.ts';
import { languageIdOf } from './languageId.ts';
import { startServing } from './languageExtensions.ts';
import { withProject } from './typescript.ts';

/** Asks the language services of this window as the editor does. */
interface Asker {
  readonly languageOf: (path: ResolvedPath) => Promise<string>;
  /** As the editor names the file. */
  readonly uriOf: (path: ResolvedPath) => vscode.Uri;
  /**
   * Undefined when nobody answered, or had nothing to say.
   * @param command takes the URI of the file, then the values
   * @throws ToolError `unavailable`
   */
  readonly ask: <T>(
    command: string,
    path: ResolvedPath,
    signal: AbortSignal,
    ...values: readonly unknown[]
  ) => Promise<T | undefined>;
  /** The same of a command that takes a position. */
  readonly askAt: <T>(command: string, path: ResolvedPath, at: Position, signal: AbortSignal) => Promise<T | undefined>;
}

export function askerOf(workspace: Workspace): Asker {
  const uriOf = (path: ResolvedPath): vscode.Uri => editorUri(path, workspace);
  const languageOf = (path: ResolvedPath): Promise<string> => languageIdOf(uriOf(path)).catch(refusal(path));
  const ask = async <T>(
    command: string,
    path: ResolvedPath,
    signal: AbortSignal,
    ...values: readonly unknown[]
  ): Promise<T | undefined> => {
    const answered = async (): Promise<T | undefined> => {
      await startServing(await languageOf(path));
      await untilReloaded(path, signal);
      const uri = uriOf(path);
      const question = () => vscode.commands.executeCommand<T | undefined>(command, uri, ...values);
      return withProject(uri.fsPath, question).catch(refusal(path));
    };
    return untilAborted(answered, signal);
  };
  return {
    languageOf,
    uriOf,
    ask,
    askAt: (command, path, { line, column }, signal) =>
      ask(command, path, signal, new vscode.Position(line - 1, column - 1)),
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
export function refusal({ path }: ResolvedPath): (error: unknown) => never {
  return (error) => {
    throw new ToolError(
      'unavailable',
      `The editor cannot show ${path} to its language services: ${messageOf(error)}`,
      'Only text files have symbols; read_file tells whether it is one.',
    );
  };
}
