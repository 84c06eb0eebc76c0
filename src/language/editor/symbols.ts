import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import type { Search } from '#search/search.ts';
import type { SymbolPlace, Symbols } from '../symbols.ts';
import { raceAbort } from '../raceAbort.ts';
import { activateLanguageExtensions, languageExtensions, languageFileEndings } from './languageExtensions.ts';
import { kindName } from './symbols/symbolKind.ts';
import { loadProject } from './typescript.ts';

/**
 * Creates the search for workspace symbols through the language services of this window.
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
      raceAbort(() => ask(query), signal).catch((error: unknown) => {
        if (signal.aborted) return [];
        throw error;
      }),
    served: (languages) =>
      new Set(languages.filter((id) => languageExtensions(id).some((each) => !withoutSymbols.has(each.id)))),
  };
}

function placeOf(
  { name, kind, containerName, location }: vscode.SymbolInformation,
  folders: readonly WorkspaceFolder[],
): SymbolPlace | undefined {
  // A service may give the range only when the symbol is resolved.
  const range: vscode.Range | undefined = location.range;
  const file = foundFile(location.uri, folders);
  if (file === undefined || range === undefined) return undefined;
  return {
    ...file,
    // The built-in TypeScript names a function `name()`.
    name: name.replace(/(?<=.)\(\)$/, ''),
    kind: kindName(kind),
    ...(containerName === '' ? {} : { container: containerName }),
    firstLine: range.start.line + 1,
    lastLine: range.end.line + 1,
  };
}

/**
 * Globs of scripts. The first script is opened for a moment, since tsserver loads a project only when one of its files is
 * opened.
 */
const scripts = ['**/*.{ts,tsx,mts,cts}', '**/*.{js,jsx,mjs,cjs}'];
/** Built-in extensions that need no activation: they serve one file at a time, or the first script activates them. */
const notStarted = new Set([
  'vscode.css-language-features',
  'vscode.html-language-features',
  'vscode.json-language-features',
  'vscode.typescript-language-features',
]);
/** Built-in extensions that complete and check a language, and know no symbols of it. */
const withoutSymbols = new Set(['vscode.php-language-features']);
/** Milliseconds for the search for files of languages. */
const patience = 5000;

interface SymbolServices {
  /** Waits until the language services for the workspace's files run and have loaded a first project. */
  ready(): Promise<void>;
}

/** Starts language services ahead of a symbol search, since the editor starts a service only when it shows a first file. */
function createSymbolServices(
  search: Pick<Search, 'files'>,
  roots: () => Promise<readonly ResolvedPath[]>,
): SymbolServices {
  let started: Promise<readonly string[]> | undefined;
  const start = async (): Promise<readonly string[]> => {
    const within = await roots();
    await Promise.all([...(await languagesIn(search, within))].map(activateLanguageExtensions));
    return firstScripts(search, within);
  };
  return {
    async ready() {
      started ??= start();
      started.catch(() => (started = undefined));
      // Load projects one by one and at every search: tsserver drops a project when a file of another one is opened.
      for (const script of await started) await loadProject(script);
    },
  };
}

/** Returns one script of each folder. */
async function firstScripts(search: Pick<Search, 'files'>, roots: readonly ResolvedPath[]): Promise<readonly string[]> {
  const found = await Promise.all(
    roots.map(async (root) => {
      for (const include of scripts) {
        for await (const fsPath of filesFound(search, [root], [include])) return [fsPath];
      }
      return [];
    }),
  );
  return found.flat();
}

/** Returns the languages with files in the workspace whose extension is not active. */
async function languagesIn(
  search: Pick<Search, 'files'>,
  within: readonly ResolvedPath[],
): Promise<ReadonlySet<string>> {
  const waiting = [...languageFileEndings()].flatMap(([id, endings]) => {
    const isWaiting = languageExtensions(id).some((each) => !each.isActive && !notStarted.has(each.id));
    return isWaiting ? endings.filter((ending) => /^\.[\w.+-]+$/.test(ending)).map((ending) => ({ id, ending })) : [];
  });
  const found = new Set<string>();
  if (waiting.length === 0) return found;
  const include = waiting.map(({ ending }) => `**/*${ending}`);
  const wanted = new Set(waiting.map(({ id }) => id)).size;
  for await (const fsPath of filesFound(search, within, include)) {
    for (const { id, ending } of waiting) if (fsPath.endsWith(ending)) found.add(id);
    if (found.size === wanted) break;
  }
  return found;
}

/** Yields the paths found within the time limit. */
async function* filesFound(
  search: Pick<Search, 'files'>,
  within: readonly ResolvedPath[],
  include: readonly string[],
): AsyncGenerator<string> {
  const timeLimit = AbortSignal.timeout(patience);
  try {
    const query = { within, include, exclude: [], includeIgnored: false };
    for await (const { fsPath } of search.files(query, timeLimit)) yield fsPath;
  } catch (error) {
    if (!timeLimit.aborted) throw error;
  }
}
