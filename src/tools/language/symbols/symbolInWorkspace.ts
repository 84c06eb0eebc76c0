import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { OutlineSymbol } from '#base/language.ts';
import { ToolError } from '#base/toolError.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { visible } from '#policy/unsafeNames.ts';
import { searchRoots } from '../../workspace/pathInput.ts';
import { declarationsLike, declarationsNamed, nearestTo, topLevelFirst } from './declarations.ts';
import { columnsOf } from './identifiers.ts';
import { linesOf } from './sourceLines.ts';
import type { ResolvedSymbol, SymbolContext, SymbolMatches } from './symbolAddress.ts';
import { atMostOne, unknownSymbol } from './symbolCandidates.ts';
import { asResolved, isNear, wordOf } from './symbolInFile.ts';
import { isNamed, mayBeNamed, nameParts } from './symbolName.ts';
import { placesOfWord, type WordPlace } from './wordSearch.ts';

/** The most files whose outline is read to find one name. */
const maximumFiles = 12;
/** Milliseconds for language services to list symbols; one that is still loading would take up all the time of a call. */
const patience = 8000;
/** The most similar names that an error offers. */
const maximumNear = 5;

/** The symbols that language services know. */
export interface KnownSymbols {
  readonly places: readonly SymbolPlace[];
  /** True when the services did not answer in time, because they are still loading. */
  readonly isLate: boolean;
}

/** Asks the language services for symbols, and waits for them for a part of the time of a call. */
export async function knownSymbols(
  query: string,
  { symbols }: Pick<SymbolContext, 'symbols'>,
  signal: AbortSignal,
): Promise<KnownSymbols> {
  const expired = AbortSignal.timeout(patience);
  const places = await symbols.find(query, AbortSignal.any([signal, expired]));
  signal.throwIfAborted();
  return { places, isLate: places.length === 0 && expired.aborted };
}

/**
 * Resolves a symbol by its name alone: asks the language services of the workspace and refines the answer by the outline
 * of the file; when they know nothing, searches for the word.
 * @param folder limits the search; undefined for the whole workspace
 * @throws ToolError `ambiguous_match`, `not_found`
 */
export async function symbolInWorkspace(
  symbol: string,
  folder: ResolvedPath | undefined,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<SymbolMatches> {
  const known = await knownSymbols(wordOf(symbol), context, signal);
  const places = known.places.filter((place) => folder === undefined || isWithin(place, folder));
  const named = places.filter(({ name, container }) => mayBeNamed(symbol, containersOf(container), name));
  const byFile = [...Map.groupBy(named, ({ fsPath }) => fsPath)];
  const exact = await exactly(symbol, byFile.slice(0, maximumFiles), context, signal);
  const found = exact.length > 0 || known.isLate ? exact : await inContainer(symbol, folder, context, signal);
  const others = byFile.slice(maximumFiles).flatMap(([, inFile]) => inFile);
  if (found.length === 0) return byWord(symbol, places, folder, context, signal);
  const first = topLevelFirst(found);
  return { found: first, count: first.length + (first.length < found.length ? 0 : others.length) };
}

/** Finds a member through its container, because services list only some of the members with a common name. */
async function inContainer(
  symbol: string,
  folder: ResolvedPath | undefined,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const container = nameParts(symbol).at(-2);
  if (container === undefined) return [];
  const known = await context.symbols.find(container, signal);
  const files = known
    .filter((place) => wordOf(place.name) === container && (folder === undefined || isWithin(place, folder)))
    .map(({ fsPath }) => fsPath);
  const looked = await declaredIn([...new Set(files)], symbol, context, signal);
  return looked.flatMap(({ declared }) => declared);
}

/** Returns true when a file is the addressed file or lies in the addressed folder. */
export function isWithin({ fsPath }: FoundFile, { fsPath: addressed, realPath }: ResolvedPath): boolean {
  const path = fsPath.replaceAll('\\', '/');
  return [addressed, realPath].some((each) => `${path}/`.startsWith(`${each.replaceAll('\\', '/')}/`));
}

function containersOf(container: string | undefined): readonly string[] {
  return container === undefined || container === '' ? [] : [container];
}

type Found = Omit<ResolvedSymbol, 'path'> & { readonly path: ResolvedPath };

/** Refines places of workspace symbols by the outlines of their files, each once. */
async function exactly(
  symbol: string,
  byFile: readonly (readonly [fsPath: string, named: readonly SymbolPlace[]])[],
  context: SymbolContext,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const found = await Promise.all(
    byFile.map(async ([fsPath, places]) => {
      const path = await readable(fsPath, context);
      if (path === undefined) return [];
      const outline = await outlineIn(path, context, signal);
      const declared = declarationsNamed(symbol, outline ?? []);
      return Promise.all(
        places.map(async (place) => {
          const nearest = nearestTo(place.firstLine, undefined, declared);
          if (nearest !== undefined) return asResolved(path, nearest);
          const isSure = isNamed(symbol, containersOf(place.container), place.name);
          return isSure ? placeAsResolved(path, place, context) : undefined;
        }),
      );
    }),
  );
  const all = found.flat().filter((each) => each !== undefined);
  return [...new Map(all.map((each) => [`${each.path.realPath}:${each.at.line}:${each.at.column}`, each])).values()];
}

/** Returns every workspace folder, to search in. */
export function everyFolder({
  workspace,
  resolve,
}: Pick<SymbolContext, 'workspace' | 'resolve'>): Promise<readonly ResolvedPath[]> {
  return searchRoots({ workspace, targets: [], resolve: (address) => resolve(address, 'read') });
}

/** Resolves a readable file; undefined for a file that is denied or gone, which results omit. */
export async function readable(
  fsPath: string,
  { resolve }: Pick<SymbolContext, 'resolve'>,
): Promise<ResolvedPath | undefined> {
  try {
    const path = await resolve(fsPath);
    return path.kind === 'file' ? path : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Returns the outline of one file among many; undefined when the editor cannot open it. */
async function outlineIn(
  path: ResolvedPath,
  { language }: Pick<SymbolContext, 'language'>,
  signal: AbortSignal,
): Promise<readonly OutlineSymbol[] | undefined> {
  try {
    return await language.outline(path, signal);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

async function placeAsResolved(path: ResolvedPath, place: SymbolPlace, context: SymbolContext): Promise<Found> {
  const { name, kind, container, firstLine, lastLine } = place;
  const word = wordOf(name);
  const lines = await linesOf(path, context);
  for (const [at, text] of lines.slice(firstLine - 1, lastLine).entries()) {
    const [column] = columnsOf(word, text);
    if (column !== undefined) return { ...named(), at: { line: firstLine + at, column } };
  }
  return { ...named(), at: { line: firstLine, column: 1 } };

  function named() {
    return { path, name: word, kind, ...(container === undefined ? {} : { container }), foundBy: 'language' as const };
  }
}

async function byWord(
  symbol: string,
  near: readonly SymbolPlace[],
  folder: ResolvedPath | undefined,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<SymbolMatches> {
  const word = wordOf(symbol);
  const roots = folder === undefined ? await everyFolder(context) : [folder];
  const { declarations, others } = await placesOfWord(word, roots, context, signal);
  const members = near.filter(({ name }) => wordOf(name) === word);
  const files = new Set([...declarations, ...members, ...others].map(({ fsPath }) => fsPath));
  const looked = await declaredIn([...files], symbol, context, signal);
  const declared = topLevelFirst(looked.flatMap(({ declared: found }) => found));
  if (declared.length > 0) return { found: declared, count: declared.length };
  const alike = atMostOne(
    symbol,
    looked.flatMap(({ like }) => like),
  );
  if (alike !== undefined) return { found: [alike], count: 1 };
  // A file whose outline lacks a qualified name does not declare it, whatever its text is.
  const denied = new Set(symbol === word ? [] : looked.flatMap(({ fsPath, isKnown }) => (isKnown ? [fsPath] : [])));
  const candidates = [declarations, others]
    .map((places) => places.filter(({ fsPath }) => !denied.has(fsPath)))
    .find(({ length }) => length > 0);
  const only = atMostOne(symbol, (candidates ?? []).map(asCandidate(word)));
  const path = only === undefined ? undefined : await readable(only.fsPath, context);
  if (only !== undefined && path !== undefined) {
    return { found: [{ path, name: word, at: only.at, foundBy: 'text' }], count: 1 };
  }
  const offered = near.filter(({ name }) => isNear(word, name)).slice(0, maximumNear);
  const where = folder === undefined ? 'the workspace' : visible(folder.path);
  throw unknownSymbol(
    symbol,
    where,
    offered.map((place) => ({ ...place, path: { path: place.path }, at: { line: place.firstLine } })),
  );
}

function asCandidate(name: string) {
  return ({ path, fsPath, line, column, text }: WordPlace) => ({
    name,
    path: { path },
    fsPath,
    at: { line, column },
    text,
  });
}

interface LookedAt {
  readonly fsPath: string;
  /** True when a language service gave an outline of the file. */
  readonly isKnown: boolean;
  readonly declared: readonly Found[];
  /** Declarations whose containers differ in case only. */
  readonly like: readonly Found[];
}

async function declaredIn(
  files: readonly string[],
  symbol: string,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<readonly LookedAt[]> {
  return Promise.all(
    files.slice(0, maximumFiles).map(async (fsPath) => {
      const path = await readable(fsPath, context);
      const outline = path === undefined ? undefined : await outlineIn(path, context, signal);
      if (path === undefined || outline === undefined) return { fsPath, isKnown: false, declared: [], like: [] };
      const declared = declarationsNamed(symbol, outline).map((each) => asResolved(path, each));
      const like = declarationsLike(symbol, outline).map((each) => asResolved(path, each));
      return { fsPath, isKnown: true, declared, like };
    }),
  );
}
