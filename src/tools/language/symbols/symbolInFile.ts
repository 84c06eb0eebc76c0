import type { ResolvedPath } from '#base/files.ts';
import type { OutlineSymbol } from '#base/language.ts';
import { ToolError } from '#base/toolError.ts';
import { visible } from '#policy/unsafeNames.ts';
import {
  type Declaration,
  declarationsIn,
  declarationsLike,
  declarationsNamed,
  holds,
  nearestTo,
  topLevelFirst,
} from './declarations.ts';
import { columnsOf, declaredIdentifier, identifierAt, identifiersIn } from './identifiers.ts';
import { linesOf } from './sourceLines.ts';
import type { ResolvedSymbol, SymbolContext, SymbolMatches } from './symbolAddress.ts';
import { atMostOne, unknownSymbol } from './symbolCandidates.ts';
import { nameParts } from './symbolName.ts';

/** The most identifiers of a line that an error lists. */
const maximumListed = 20;

interface GivenPlace {
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/**
 * Resolves a name within a file: a declaration, or a use on the line that the caller gives.
 * @throws ToolError `ambiguous_match`, `not_found`
 */
export async function symbolInFile(
  symbol: string,
  path: ResolvedPath,
  { line, column }: GivenPlace,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<SymbolMatches> {
  const outline = await context.language.outline(path, signal);
  const named = declarationsNamed(symbol, outline ?? []);
  if (line === undefined) {
    const found = topLevelFirst(named.map((each) => asResolved(path, each)));
    if (found.length > 0) return { found, count: found.length };
    const like = declarationsLike(symbol, outline ?? []).map((each) => asResolved(path, each));
    return single(atMostOne(symbol, like) ?? (await wordInFile(symbol, path, outline, context)));
  }
  const nearest = nearestTo(line, column, named);
  if (nearest !== undefined && holds(line, nearest)) return single(asResolved(path, nearest));
  const used = await usedOn(symbol, path, line, column, context);
  if (used !== undefined) return single(used);
  if (nearest !== undefined) return single(asResolved(path, nearest));
  return single(await wordInFile(symbol, path, outline, context));
}

function single(symbol: ResolvedSymbol): SymbolMatches {
  return { found: [symbol], count: 1 };
}

/**
 * Resolves a place: with a column to the identifier there, otherwise to the declaration on the line.
 * @throws ToolError `ambiguous_match`, `not_found`
 */
export async function symbolAt(
  path: ResolvedPath,
  { line, column }: GivenPlace & { readonly line: number },
  context: SymbolContext,
  signal: AbortSignal,
): Promise<ResolvedSymbol> {
  const text = textOfLine(path, await linesOf(path, context), line);
  const declarations = declarationsIn((await context.language.outline(path, signal)) ?? []);
  if (column === undefined) {
    const declared = declaredOn(line, text, declarations);
    if (declared !== undefined) return asResolved(path, declared);
  }
  const [only, another] = identifiersIn(text);
  const alone = another === undefined ? only : declaredIdentifier(text);
  const identifier = column === undefined ? alone : identifierAt(text, column);
  if (identifier === undefined) throw noIdentifier(path, line, column, text);
  const declared = declarations.find(
    ({ symbol }) => symbol.nameLine === line && symbol.nameColumn === identifier.column,
  );
  if (declared !== undefined) return asResolved(path, declared);
  return { path, name: identifier.name, at: { line, column: identifier.column }, foundBy: 'language' };
}

/** Returns a declaration as a resolved symbol. */
export function asResolved(path: ResolvedPath, { symbol, containers }: Declaration): ResolvedSymbol {
  const { name, kind, nameLine, nameColumn, firstLine, firstColumn, lastLine, lastColumn } = symbol;
  return {
    path,
    name,
    kind,
    ...(containers.length === 0 ? {} : { container: containers.join('.') }),
    at: { line: nameLine, column: nameColumn },
    range: { firstLine, firstColumn, lastLine, lastColumn },
    foundBy: symbol.foundBy ?? 'language',
  };
}

/** Returns the last part of a qualified name, as it stands in a text. */
export function wordOf(symbol: string): string {
  return nameParts(symbol).at(-1) ?? symbol;
}

/** Finds the name on the line that the caller gives; the language service then decides what it is. */
async function usedOn(
  symbol: string,
  path: ResolvedPath,
  line: number,
  column: number | undefined,
  context: SymbolContext,
): Promise<ResolvedSymbol | undefined> {
  const name = wordOf(symbol);
  const columns = columnsOf(name, textOfLine(path, await linesOf(path, context), line));
  const wanted = column ?? 1;
  const nearest = columns.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0];
  return nearest === undefined ? undefined : { path, name, at: { line, column: nearest }, foundBy: 'language' };
}

/** Finds the only line with a name that the outline lacks. */
async function wordInFile(
  symbol: string,
  path: ResolvedPath,
  outline: readonly OutlineSymbol[] | undefined,
  context: SymbolContext,
): Promise<ResolvedSymbol> {
  const name = wordOf(symbol);
  const lines = await linesOf(path, context);
  const found = lines.flatMap((line, at) => {
    const [column] = columnsOf(name, line);
    return column === undefined
      ? []
      : [{ path, name, at: { line: at + 1, column }, text: line, foundBy: 'text' as const }];
  });
  const only = atMostOne(symbol, found);
  if (only !== undefined) return { path, name, at: only.at, foundBy: 'text' };
  const near = declarationsIn(outline ?? [])
    .filter(({ symbol: { name: other } }) => isNear(name, other))
    .map((each) => asResolved(path, each));
  const why = outline === undefined ? await context.language.explain(path, 'outline') : undefined;
  throw unknownSymbol(symbol, visible(path.path), near, why);
}

/** Returns true when one of two names contains the other, ignoring case. */
export function isNear(name: string, other: string): boolean {
  const [one, two] = [name.toLowerCase(), other.toLowerCase()];
  return two.includes(one) || (two.length > 2 && one.includes(two));
}

/** Returns the first declaration on a line; of several that begin together, the innermost. */
function declaredOn(line: number, text: string, declarations: readonly Declaration[]): Declaration | undefined {
  const named = declarations.filter(({ symbol }) => symbol.nameLine === line);
  // A file or module may be a symbol of its first line without its name being written there.
  const written = named.filter(({ symbol }) => text.startsWith(wordOf(symbol.name), symbol.nameColumn - 1));
  const starting = declarations.filter(({ symbol }) => symbol.firstLine === line);
  const candidates = [written, named, starting].find(({ length }) => length > 0) ?? [];
  return candidates.toSorted(
    (one, other) =>
      one.symbol.nameLine - other.symbol.nameLine ||
      one.symbol.nameColumn - other.symbol.nameColumn ||
      other.containers.length - one.containers.length,
  )[0];
}

function textOfLine(path: ResolvedPath, lines: readonly string[], line: number): string {
  const text = lines[line - 1];
  if (text !== undefined) return text;
  throw new ToolError(
    'not_found',
    `${visible(path.path)} has ${lines.length} lines; line ${line} does not exist.`,
    'Read the file again, or name the symbol without a line.',
  );
}

function noIdentifier(path: ResolvedPath, line: number, column: number | undefined, text: string): ToolError {
  const where = `${visible(path.path)}:${line}${column === undefined ? '' : `:${column}`}`;
  const names = identifiersIn(text).slice(0, maximumListed);
  const listed = names.map(({ name, column: at }) => `${name} at column ${at}`).join(', ');
  if (names.length === 0) return new ToolError('not_found', `There is no name at ${where}.`, 'Give another line.');
  return column === undefined
    ? new ToolError(
        'ambiguous_match',
        `There are several names at ${where}: ${listed}.`,
        'Add symbol, or end path with the line and the column.',
      )
    : new ToolError('not_found', `There is no name at ${where}; the line has ${listed}.`, 'Give another column.');
}
