import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { OutlineSymbol } from '#base/language.ts';
import { ToolError } from '#base/toolError.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { visible } from '#policy/unsafeNames.ts';
import { searchRoots } from '../../workspace/pathInput.ts';
import { redactMatches } from '../../workspace/redactMatches.ts';
import { declarationsNamed, nearestTo } from './declarations.ts';
import { columnsOf } from './identifiers.ts';
import { linesOf } from './sourceLines.ts';
import type { ResolvedSymbol, SymbolContext } from './symbolAddress.ts';
import { onlyOne, unknownSymbol } from './symbolCandidates.ts';
import { asResolved, isNear, wordOf } from './symbolInFile.ts';
import { isNamed, mayBeNamed, nameParts } from './symbolName.ts';
import { placesOfWord, type WordPlace } from './wordSearch.ts';

/** Files that are asked for their outline to find one name. */
const maximumFiles = 12;
/** Names that an error offers instead. */
const maximumNear = 5;

/**
 * A symbol known by its name alone: what the language services of the workspace say, made exact by the outline of the file;
 * when they know nothing, what a search for the word leads to.
 * @param folder where to look; everywhere when undefined
 */
export async function symbolInWorkspace(
  symbol: string,
  folder: ResolvedPath | undefined,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<ResolvedSymbol> {
  const known = await context.symbols.find(wordOf(symbol), signal);
  const places = known.filter((place) => folder === undefined || isWithin(place, folder));
  const named = places.filter(({ name, container }) => mayBeNamed(symbol, containersOf(container), name));
  const byFile = [...Map.groupBy(named, ({ fsPath }) => fsPath)];
  const exact = await exactly(symbol, byFile.slice(0, maximumFiles), context, signal);
  const found = exact.length > 0 ? exact : await inContainer(symbol, folder, context, signal);
  const others = byFile.slice(maximumFiles).flatMap(([, inFile]) => inFile);
  return (
    onlyOne(symbol, found, found.length + others.length) ?? (await byWord(symbol, places, folder, context, signal))
  );
}

/** Of a member with a common name services list some and leave the others out; its container is rarely so common. */
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

/** Whether a file is that one, or lies in that folder. */
export function isWithin({ fsPath }: FoundFile, { fsPath: addressed, realPath }: ResolvedPath): boolean {
  const path = fsPath.replaceAll('\\', '/');
  return [addressed, realPath].some((each) => `${path}/`.startsWith(`${each.replaceAll('\\', '/')}/`));
}

function containersOf(container: string | undefined): readonly string[] {
  return container === undefined || container === '' ? [] : [container];
}

type Found = Omit<ResolvedSymbol, 'path'> & { readonly path: ResolvedPath };

/** Places of workspace symbols as the outlines of their files have them, each once. */
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

/** All of the workspace, to search in. */
export function everyFolder({
  workspace,
  resolve,
}: Pick<SymbolContext, 'workspace' | 'resolve'>): Promise<readonly ResolvedPath[]> {
  return searchRoots({ workspace, targets: [], resolve: (address) => resolve(address, 'read') });
}

/** What may not be read, or is gone, is left out without a word. */
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

/** Of one file among many: that the editor cannot show one of them is no reason to stop. */
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
): Promise<ResolvedSymbol> {
  const word = wordOf(symbol);
  const roots = folder === undefined ? await everyFolder(context) : [folder];
  const { declarations, others } = await placesOfWord(word, roots, context, signal);
  const files = new Set([...declarations, ...others].map(({ fsPath }) => fsPath));
  const looked = await declaredIn([...files], symbol, context, signal);
  const declared = onlyOne(
    symbol,
    looked.flatMap(({ declared: found }) => found),
  );
  if (declared !== undefined) return declared;
  // A file whose outline lacks a qualified name does not declare it, whatever its text looks like.
  const denied = new Set(symbol === word ? [] : looked.flatMap(({ fsPath, isKnown }) => (isKnown ? [fsPath] : [])));
  const candidates = [declarations, others]
    .map((places) => places.filter(({ fsPath }) => !denied.has(fsPath)))
    .find(({ length }) => length > 0);
  const only = onlyOne(symbol, (await redactMatches(candidates ?? [], context)).map(asCandidate(word)));
  const path = only === undefined ? undefined : await readable(only.fsPath, context);
  if (only !== undefined && path !== undefined) return { path, name: word, at: only.at, foundBy: 'text' };
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
  /** A language service told what the file declares. */
  readonly isKnown: boolean;
  readonly declared: readonly Found[];
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
      if (path === undefined || outline === undefined) return { fsPath, isKnown: false, declared: [] };
      const declared = declarationsNamed(symbol, outline).map((each) => asResolved(path, each));
      return { fsPath, isKnown: true, declared };
    }),
  );
}
