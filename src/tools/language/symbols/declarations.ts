import type { OutlineSymbol, CodeLocation } from '#base/language.ts';
import { isNamed, nameParts } from './symbolName.ts';

/** A symbol of an outline with the names of its containers, outermost first. */
export interface Declaration {
  readonly symbol: OutlineSymbol;
  readonly containers: readonly string[];
}

/** Returns every symbol of an outline, each before its members. */
export function declarationsIn(
  outline: readonly OutlineSymbol[],
  containers: readonly string[] = [],
): readonly Declaration[] {
  return outline.flatMap((symbol) => [
    { symbol, containers },
    ...declarationsIn(symbol.children, [...containers, symbol.name]),
  ]);
}

/** Returns the declarations that match a name as the caller wrote it; only exact matches when there are any. */
export function declarationsNamed(wanted: string, outline: readonly OutlineSymbol[]): readonly Declaration[] {
  const named = declarationsIn(outline).filter(({ symbol, containers }) => isNamed(wanted, containers, symbol.name));
  const exact = named.filter(({ symbol }) => symbol.name === wanted);
  return exact.length > 0 ? exact : named;
}

/** Returns the top-level declarations when there are any: an unqualified name means them before names inside of others. */
export function topLevelFirst<Found extends { readonly container?: string }>(
  found: readonly Found[],
): readonly Found[] {
  const top = found.filter(({ container }) => container === undefined);
  return top.length > 0 ? top : found;
}

/** Returns the declarations whose containers differ from the wanted ones in case only: `Cart.total` for `cart.total()`. */
export function declarationsLike(wanted: string, outline: readonly OutlineSymbol[]): readonly Declaration[] {
  const parts = nameParts(wanted);
  if (parts.length < 2) return [];
  const lowered = [...parts.slice(0, -1).map((part) => part.toLowerCase()), ...parts.slice(-1)].join('.');
  return declarationsIn(outline).filter(({ symbol, containers }) => {
    const own = nameParts(symbol.name);
    const around = [...containers, ...own.slice(0, -1)].map((each) => each.toLowerCase());
    return isNamed(lowered, around, own.at(-1) ?? symbol.name);
  });
}

/** Returns the outermost symbol whose name lies in a definition range, which may be the name alone or all of it. */
export function declaredAt(place: CodeLocation, declarations: readonly Declaration[]): Declaration | undefined {
  return declarations.find(({ symbol: { nameLine, nameColumn } }) => {
    const isAfterStart =
      nameLine > place.firstLine || (nameLine === place.firstLine && nameColumn >= place.firstColumn);
    const isBeforeEnd = nameLine < place.lastLine || (nameLine === place.lastLine && nameColumn <= place.lastColumn);
    return isAfterStart && isBeforeEnd;
  });
}

/** Returns the declaration named at a line and column, else the innermost around the line, else the nearest. */
export function nearestTo(
  line: number,
  column: number | undefined,
  found: readonly Declaration[],
): Declaration | undefined {
  return found.toSorted(
    (one, other) => distance(line, one) - distance(line, other) || apart(column, one) - apart(column, other),
  )[0];
}

/** Returns true when a declaration is named on the line or spans it. */
export function holds(line: number, { symbol }: Declaration): boolean {
  return symbol.nameLine === line || (symbol.firstLine <= line && line <= symbol.lastLine);
}

/** More lines than a file has. */
const far = 1_000_000_000;

function distance(line: number, declaration: Declaration): number {
  const { nameLine, firstLine, lastLine } = declaration.symbol;
  if (nameLine === line) return 0;
  return holds(line, declaration) ? 1 + lastLine - firstLine : far + Math.abs(nameLine - line);
}

function apart(column: number | undefined, { symbol }: Declaration): number {
  return column === undefined ? 0 : Math.abs(symbol.nameColumn - column);
}
