import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import type { Search } from '#search/search.ts';
import type { Imports } from '../imports.ts';
import { createMovedImports, type TextPosition } from '../imports/movedImports.ts';
import { currentText } from './currentText.ts';
import { loadProject } from './typescript.ts';
import { withTemporaryDocuments } from './temporaryDocuments.ts';

/**
 * Finds broken imports with the language services of this window.
 * @param search must leave out what may not be read
 * @param roots the workspace's folders
 */
export function createImports(search: Search, roots: () => Promise<readonly ResolvedPath[]>): Imports {
  return createMovedImports({ search, roots, readText, definitions });
}

/** Reads a file's text as the editor holds it; undefined when the file is not readable text. */
export async function readText(fsPath: string): Promise<string | undefined> {
  return (await currentText(fsPath))?.text;
}

/** Asks for definitions. The editor opens the file in no tab and closes it again. */
async function definitions(
  fsPath: string,
  positions: readonly TextPosition[],
): Promise<readonly (readonly string[])[]> {
  const uri = vscode.Uri.file(fsPath);
  const ask = async ({ line, character }: TextPosition): Promise<readonly string[]> => {
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(
      'vscode.executeDefinitionProvider',
      uri,
      new vscode.Position(line, character),
    );
    return (found ?? []).flatMap((place) => {
      const target = 'targetUri' in place ? place.targetUri : place.uri;
      return target.scheme === 'file' ? [target.fsPath] : [];
    });
  };
  return withTemporaryDocuments([fsPath], async () => {
    await loadProject(fsPath);
    return Promise.all(positions.map((position) => ask(position).catch(() => [])));
  });
}
