import type { CodeLocation, TypeItem } from '#base/language.ts';
import { declarationsIn, declaredAt } from './declarations.ts';
import { maximumEntries } from './hierarchy.ts';
import { identifiersIn, type Identifier } from './identifiers.ts';
import { SourceLines } from './sourceLines.ts';
import type { ResolvedSymbol, SymbolContext } from './symbolAddress.ts';
import { asResolved } from './symbolInFile.ts';
import { readable } from './symbolInWorkspace.ts';

/** The note of a result about inferred types. */
export const inferredNote =
  'No language service gives this hierarchy: subtypes come from implementations, indirect ones too; supertypes are the types named after "extends" and "implements".';

/** Kinds of symbols that have a hierarchy. */
const typeKinds: ReadonlySet<string> = new Set(['class', 'interface', 'struct']);
/** The most lines from a name on that may name its supertypes. */
const maximumLines = 20;

type Context = Pick<SymbolContext, 'files' | 'language' | 'resolve'>;
type Declared = ResolvedSymbol & { readonly range: NonNullable<ResolvedSymbol['range']> };

/** Infers a type hierarchy from implementations and the source text; returns none when the symbol is not a type. */
export async function inferredTypes(
  symbol: ResolvedSymbol,
  context: Context,
  signal: AbortSignal,
): Promise<readonly TypeItem[]> {
  const { path, at, range } = symbol;
  if (range === undefined)
    return typesAt(await context.language.places('definition', path, at, signal), context, signal);
  return typeKinds.has(symbol.kind ?? '') ? [inferredType({ ...symbol, range }, context)] : [];
}

function inferredType(symbol: Declared, context: Context): TypeItem {
  const { path, name, kind = 'class', at, range } = symbol;
  return {
    name,
    kind,
    place: { ...path, ...range },
    nameLine: at.line,
    nameColumn: at.column,
    async types(direction, signal) {
      if (direction === 'supertypes') return supertypes(symbol, context, signal);
      const found = await typesAt(await context.language.places('implementations', path, at, signal), context, signal);
      // Services list a class among its own implementations.
      return found.filter(({ place, nameLine }) => place.path !== path.path || nameLine !== at.line);
    },
  };
}

/** Returns the types of the workspace that are declared at the places. */
async function typesAt(
  places: readonly CodeLocation[],
  context: Context,
  signal: AbortSignal,
): Promise<readonly TypeItem[]> {
  const inside = places.filter((place) => place.outside !== true);
  const found = await Promise.all(
    // One type beyond the limit makes the result say that some are left out.
    inside.slice(0, maximumEntries + 1).map(async (place) => {
      const path = await readable(place.fsPath, context);
      const outline = path === undefined ? undefined : await context.language.outline(path, signal);
      const declaration = declaredAt(place, declarationsIn(outline ?? []));
      return path === undefined || declaration === undefined
        ? []
        : inferredTypes(asResolved(path, declaration), context, signal);
    }),
  );
  return found.flat();
}

async function supertypes({ path, at }: Declared, context: Context, signal: AbortSignal): Promise<readonly TypeItem[]> {
  const lines = await new SourceLines(context).of(path);
  const found = await Promise.all(
    namedSupertypes(lines.slice(at.line - 1, at.line - 1 + maximumLines)).map(async ({ name, line, column }) => {
      const position = { line: at.line + line, column };
      const places = await context.language.places('definition', path, position, signal);
      const types = await typesAt(places, context, signal);
      return types.length > 0 ? types : outsideTypes(name, places);
    }),
  );
  return found.flat();
}

/** Returns the names after "extends" and "implements", without type arguments; the first line is 0. */
function namedSupertypes(lines: readonly string[]): readonly (Identifier & { readonly line: number })[] {
  const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
  let text = lines.join('\n').replaceAll('=>', blank);
  for (let before = ''; before !== text;) [before, text] = [text, text.replaceAll(/<[^<>]*>/g, blank)];
  const [clauses] = /^[^{]*(?=\{)/.exec(text) ?? [''];
  const start = clauses.search(/\b(?:extends|implements)\b/);
  if (start < 0) return [];
  const kept = blank(clauses.slice(0, start)) + clauses.slice(start).replaceAll(/\b(?:extends|implements)\b/g, blank);
  return kept.split('\n').flatMap((each, line) => identifiersIn(each).map((found) => ({ ...found, line })));
}

/** Returns one declaration outside the workspace, if any; it is not followed. */
function outsideTypes(name: string, places: readonly CodeLocation[]): readonly TypeItem[] {
  const place = places.find(({ outside }) => outside === true);
  if (place === undefined) return [];
  const { firstLine: nameLine, firstColumn: nameColumn } = place;
  return [{ name, kind: 'type', place, nameLine, nameColumn, types: async () => [] }];
}
