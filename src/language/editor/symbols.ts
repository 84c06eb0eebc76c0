import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import type { Search } from '#search/search.ts';
import type { SymbolPlace, Symbols } from '../symbols.ts';
import { untilAborted } from '../raceAbort.ts';
import { kindName } from './symbols/symbolKind.ts';
import { createSymbolServices } from './symbols/symbolServices.ts';

/**
 * The symbols that the language services of this window know.
 * @param search must leave out what may not be read
 * @param roots the workspace's folders
 */
export function createSymbols(
  workspace: Workspace,
  search: Pick<Search, 'files'>,
  roots: () => Promise<readonly ResolvedPath[]>,
): Symbols {
  const services = createSymbolServices(search, roots);
  const ask = async (query: string): Promise<readonly SymbolPlace[]> => {
    await services.ready();
    const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    const folders = workspace.folders();
    return (found ?? []).flatMap((symbol) => placeOf(symbol, folders) ?? []);
  };
  return {
    find: (query, signal) =>
      untilAborted(() => ask(query), signal).catch((error: unknown) => {
        if (signal.aborted) return [];
        throw error;
      }),
  };
}

function placeOf(
  { name, kind, containerName, location }: vscode.SymbolInformation,
  folders: readonly WorkspaceFolder[],
): SymbolPlace | undefined {
  // A service may tell the range only when it is asked for that symbol.
  const range: vscode.Range | undefined = location.range;
  const file = foundFile(location.uri, folders);
  if (file === undefined || range === undefined) return undefined;
  return {
    ...file,
    // The built-in TypeScript calls a function by `name()`.
    name: name.replace(/(?<=.)\(\)$/, ''),
    kind: kindName(kind),
    ...(containerName === '' ? {} : { container: containerName }),
    firstLine: range.start.line + 1,
    lastLine: range.end.line + 1,
  };
}
