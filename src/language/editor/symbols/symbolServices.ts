import type { ResolvedPath } from '#base/files.ts';
import type { Search } from '#search/search.ts';
import { languageEndings, servingExtensions, startServing } from '../languageExtensions.ts';
import { loadProject } from '../typescript.ts';

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

export interface SymbolServices {
  /** Waits until the language services of what the workspace holds run, and have loaded a first project. */
  ready(): Promise<void>;
}

/** The editor starts a language service with the first file that it shows, so that before it nobody knows the workspace's symbols. */
export function createSymbolServices(
  search: Pick<Search, 'files'>,
  roots: () => Promise<readonly ResolvedPath[]>,
): SymbolServices {
  let started: Promise<readonly string[]> | undefined;
  const start = async (): Promise<readonly string[]> => {
    const within = await roots();
    await Promise.all([...(await languagesIn(search, within))].map(startServing));
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
  const waiting = [...languageEndings()].flatMap(([id, endings]) => {
    const isWaiting = servingExtensions(id).some((each) => !each.isActive && !notStarted.has(each.id));
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
