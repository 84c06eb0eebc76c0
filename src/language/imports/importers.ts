import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { FileUses, UsedFile } from '#base/language.ts';
import type { Search, TextQuery } from '#search/search.ts';
import { importerFiles, importerName, patternFor, slashed } from './movedImports.ts';
import { isAtOrBelow, isRelative, mayLeadTo } from './movedSpecifier.ts';
import { importSpecifiers } from './specifiers.ts';

export interface ImporterFacts {
  readonly search: Search;
  /** Resolves with the workspace folders. */
  readonly roots: () => Promise<readonly ResolvedPath[]>;
  /** Reads a file's text as the editor holds it; undefined when the file is not readable text. */
  readonly readText: (fsPath: string) => Promise<string | undefined>;
}

/** Files that are named. */
const mostFiles = 200;
/** Milliseconds for one file or folder. */
const patience = 2000;
/** A shorter name is a part of too many other words. */
const shortestName = 3;

/**
 * Finds the files that use a file or folder, by the search that a move uses, but without asking a language service: it is told to a
 * person before a decision, and must be there within two seconds. Returns undefined when there is nothing to look for.
 */
export async function filesThatUse(
  used: UsedFile,
  facts: ImporterFacts,
  signal: AbortSignal,
): Promise<FileUses | undefined> {
  const timeLimit = AbortSignal.timeout(patience);
  const path = slashed(used.fsPath);
  const kind = used.isFolder || importerName.test(path) ? 'imports' : 'mentions';
  const query = kind === 'imports' ? await importing(path, facts) : await naming(path, facts);
  if (query === undefined) return undefined;
  const found: FoundFile[] = [];
  let [total, isPartial] = [0, false];
  try {
    for await (const file of facts.search.text(query, AbortSignal.any([signal, timeLimit]))) {
      const other = slashed(file.fsPath);
      if (isAtOrBelow(other, path)) continue;
      if (kind === 'imports' && !(await imports(file.fsPath, path, facts))) continue;
      total += 1;
      if (found.length < mostFiles)
        found.push({ uri: file.uri, path: file.path, fsPath: file.fsPath, folder: file.folder });
    }
  } catch (error) {
    if (!timeLimit.aborted || signal.aborted) throw error;
    isPartial = true;
  }
  return { kind, files: found, total, isPartial };
}

const whole = {
  exclude: [],
  includeIgnored: false,
  multiline: false,
  linesBefore: 0,
  linesAfter: 0,
  sorted: false,
} satisfies Partial<TextQuery>;

async function importing(path: string, { roots }: ImporterFacts): Promise<TextQuery> {
  const within = await roots();
  const pattern = patternFor(path);
  return { ...whole, within, include: [importerFiles], pattern, isRegex: true, caseSensitive: true, wholeWord: false };
}

async function naming(path: string, { roots }: ImporterFacts): Promise<TextQuery | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.length < shortestName) return undefined;
  const within = await roots();
  return { ...whole, within, include: [], pattern: name, isRegex: false, caseSensitive: true, wholeWord: true };
}

/** Tells from the text whether a file imports another one: by a relative path, or by the last part of an alias. */
async function imports(fsPath: string, path: string, { readText }: ImporterFacts): Promise<boolean> {
  const text = await readText(fsPath);
  if (text === undefined) return false;
  return importSpecifiers(text).some(
    (specifier) =>
      (isRelative(specifier.text) || isAlias.test(specifier.text)) && mayLeadTo(specifier.text, slashed(fsPath), path),
  );
}

/** The beginnings of paths that projects map to folders of their own. The name of a package alone is none. */
const isAlias = /^(?:[@~#]\/|#\w|src\/)/;
