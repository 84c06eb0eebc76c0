import * as vscode from 'vscode';
import type { SymbolPlace, Symbols } from '../ports/symbols.ts';
import type { Workspace, WorkspaceFolder } from '../ports/workspace.ts';
import { foundFile } from './foundFile.ts';

/** The symbols that the language services of this window know. */
export function createSymbols(workspace: Workspace): Symbols {
  return {
    async find(query, signal) {
      if (signal.aborted) return [];
      const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
      const abort = (): void => resolve(undefined);
      signal.addEventListener('abort', abort, { once: true });
      try {
        // What was asked of language services cannot be taken back, only left.
        const found = await Promise.race([aborted, ask(query)]);
        if (found === undefined) return [];
        const folders = workspace.folders();
        return found.flatMap((symbol) => placeOf(symbol, folders) ?? []);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

function ask(query: string): Thenable<readonly vscode.SymbolInformation[] | undefined> {
  return vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query);
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
    name,
    kind: kindName(kind),
    ...(containerName === '' ? {} : { container: containerName }),
    firstLine: range.start.line + 1,
    lastLine: range.end.line + 1,
  };
}

/** For example "enum member". */
function kindName(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
