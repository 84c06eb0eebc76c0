import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { Use, WorkspaceLocation } from '#base/language.ts';
import type { NamedLanguage } from '#base/syntaxTree.ts';
import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import { type CodeLanguage, codeLanguageOf, familyOf, globsOf } from '#language/codeLanguages.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { declarationsIn } from './declarations.ts';
import { humpsOf, matchRank } from './nameMatch.ts';
import { linesOf } from './sourceLines.ts';
import type { ResolvedSymbol } from './symbolAddress.ts';
import { wordOf } from './symbolInFile.ts';
import { readable } from './symbolInWorkspace.ts';

/** The most files that one call parses, and the milliseconds that it takes for them. */
const maximumFiles = 200;
const timeLimit = 8000;
/** The most uses of one symbol. */
const maximumUses = 5000;

type Context = Pick<ToolContext<'files' | 'search' | 'syntax'>, 'files' | 'search' | 'syntax' | 'resolve'>;

/** The names that the syntax of the files shows. */
export interface SyntaxAnswer<Found> {
  readonly found: readonly Found[];
  /** True when not all files with the name were looked at. */
  readonly isPartial: boolean;
}

/** Finds declarations by a part of their name, in the files of languages with a grammar. */
export async function symbolsBySyntax(
  query: string,
  languages: readonly CodeLanguage[],
  within: readonly ResolvedPath[],
  context: Context,
  signal: AbortSignal,
): Promise<SyntaxAnswer<SymbolPlace>> {
  const humps = humpsOf(wordOf(query)).map((hump) => hump.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'));
  const pattern = humps.length === 0 ? '\\w' : humps.join('\\w*');
  const asked = { pattern, isRegex: true, caseSensitive: false, wholeWord: false };
  return inCandidates(asked, languages, within, context, signal, async (file, grammar, text, until) => {
    const outline = (await context.syntax.declarations(grammar, text, until)) ?? [];
    return declarationsIn(outline)
      .filter(({ symbol }) => matchRank(query, symbol.name) !== undefined)
      .map(({ symbol: { name, kind, firstLine, lastLine }, containers }) => ({
        ...file,
        name,
        kind,
        ...(containers.length > 0 && { container: containers.join('.') }),
        firstLine,
        lastLine,
      }));
  });
}

/** Finds the identifiers with the name of a symbol in the files of its language. */
export function usesBySyntax(
  symbol: Pick<ResolvedSymbol, 'path' | 'name'>,
  within: readonly ResolvedPath[],
  context: Context,
  signal: AbortSignal,
): Promise<SyntaxAnswer<Use> | undefined> {
  return inFilesWithName(symbol, within, context, signal, async (word, file, grammar, text, until) => {
    const places = (await context.syntax.uses(grammar, text, word, until)) ?? [];
    return places.map(({ line, column }) => rangeIn(file, line, column, word.length));
  });
}

/** Finds the declarations with the name of a symbol in the files of its language, by their names. */
export function definitionsBySyntax(
  symbol: Pick<ResolvedSymbol, 'path' | 'name'>,
  within: readonly ResolvedPath[],
  context: Context,
  signal: AbortSignal,
): Promise<SyntaxAnswer<WorkspaceLocation> | undefined> {
  return inFilesWithName(symbol, within, context, signal, async (word, file, grammar, text, until) => {
    const outline = (await context.syntax.declarations(grammar, text, until)) ?? [];
    return declarationsIn(outline)
      .filter((declaration) => wordOf(declaration.symbol.name) === word)
      .map(({ symbol: { nameLine, nameColumn } }) => rangeIn(file, nameLine, nameColumn, word.length));
  });
}

/** Looks into the files that may use the names of a symbol's language and hold its name; undefined for a language without a grammar. */
async function inFilesWithName<Found>(
  { path, name }: Pick<ResolvedSymbol, 'path' | 'name'>,
  within: readonly ResolvedPath[],
  context: Context,
  signal: AbortSignal,
  look: (word: string, ...file: Parameters<Look<Found>>) => ReturnType<Look<Found>>,
): Promise<SyntaxAnswer<Found> | undefined> {
  const language = codeLanguageOf(path.path);
  if (language?.grammar === undefined) return undefined;
  const word = wordOf(name);
  const asked = { pattern: word, isRegex: false, caseSensitive: true, wholeWord: true };
  return inCandidates(asked, familyOf(language), within, context, signal, (...file) => look(word, ...file));
}

function rangeIn(file: FoundFile, line: number, column: number, length: number): WorkspaceLocation {
  return { ...file, firstLine: line, firstColumn: column, lastLine: line, lastColumn: column + length };
}

/** Returns what one file holds. Its text is as the assistant may see it. */
type Look<Found> = (
  file: FoundFile,
  grammar: NamedLanguage,
  text: string,
  signal: AbortSignal,
) => Promise<readonly Found[]>;

/** Searches for files with a text, and looks into each as the assistant may see it. */
async function inCandidates<Found>(
  asked: {
    readonly pattern: string;
    readonly isRegex: boolean;
    readonly caseSensitive: boolean;
    readonly wholeWord: boolean;
  },
  languages: readonly CodeLanguage[],
  within: readonly ResolvedPath[],
  context: Context,
  signal: AbortSignal,
  look: Look<Found>,
): Promise<SyntaxAnswer<Found>> {
  const query = {
    ...asked,
    within,
    include: globsOf(languages),
    exclude: [],
    includeIgnored: false,
    multiline: false,
    linesBefore: 0,
    linesAfter: 0,
    sorted: true,
  };
  const expired = AbortSignal.timeout(timeLimit);
  const until = AbortSignal.any([signal, expired]);
  const found: Found[] = [];
  let count = 0;
  for await (const { matches: _matches, ...file } of context.search.text(query, signal)) {
    count += 1;
    if (count > maximumFiles || expired.aborted || found.length >= maximumUses) return { found, isPartial: true };
    const grammar = codeLanguageOf(file.path)?.grammar;
    const text = grammar === undefined ? undefined : await shownText(file, context);
    if (grammar !== undefined && text !== undefined) found.push(...(await look(file, grammar, text, until)));
  }
  return { found, isPartial: false };
}

async function shownText({ fsPath }: FoundFile, context: Context): Promise<string | undefined> {
  const path = await readable(fsPath, context);
  if (path === undefined) return undefined;
  try {
    return (await linesOf(path, context)).join('\n');
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
