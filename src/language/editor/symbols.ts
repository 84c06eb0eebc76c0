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
      raceAbort(() => ask(query), signal).catch((error: unknown) => {
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

/** Scripts, of which the first is opened for a moment: the editor's TypeScript knows only projects of which a file was open. */
const scripts = ['**/*.{ts,tsx,mts,cts}', '**/*.{js,jsx,mjs,cjs}'];
/** Built-in ones that need not be started: they know a file at a time, or are started by the first script. */
const notStarted = new Set([
  'vscode.css-language-features',
  'vscode.html-language-features',
  'vscode.json-language-features',
  'vscode.typescript-language-features',
]);
/** Milliseconds that looking for files of languages takes at most. */
const patience = 5000;

interface SymbolServices {
  /** Waits until the language services of what the workspace holds run, and have loaded a first project. */
  ready(): Promise<void>;
}

/** The editor starts a language service with the first file that it shows, so that before it nobody knows the workspace's symbols. */
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
      // One after the other, and each time: a project is forgotten when a file of another one is opened.
      for (const script of await started) await loadProject(script);
    },
  };
}

/** One script of each folder. */
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

/** Languages that are served by an extension that does not run, and of which there is a file. */
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

/** As many as there is time for. */
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
