import * as vscode from 'vscode';
import type { OutlineSymbol } from '#base/language.ts';
import { textRange } from '../locations.ts';
import { kindName } from './symbolKind.ts';

/** A language service returns symbols either nested or as a flat list. */
export type FoundSymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** Lines below the start of a symbol in which its name is searched, since decorators may precede the name. */
const nameLines = 20;

/**
 * Converts document symbols to a nested outline in file order.
 * @param lines the lines of the file, to find names whose position the service does not give
 */
export function outlineOf(found: readonly FoundSymbol[], lines: readonly string[]): readonly OutlineSymbol[] {
  const outline = found.map((symbol) => outlineSymbol(symbol, lines));
  const isFlat = found.every((symbol) => !('children' in symbol) || symbol.children.length === 0);
  return isFlat ? nested(outline) : inOrder(outline);
}

function outlineSymbol(symbol: FoundSymbol, lines: readonly string[]): OutlineSymbol {
  const { name, kind, tags } = symbol;
  const range = 'range' in symbol ? symbol.range : symbol.location.range;
  const at = textRange(range);
  const selection = 'selectionRange' in symbol ? symbol.selectionRange : range;
  const isNamed = !samePlace(selection.start, range.start) || !samePlace(selection.end, range.end);
  const start = isNamed ? selection.start : namePosition(name, range, lines);
  const detail = 'detail' in symbol ? symbol.detail : '';
  return {
    name,
    kind: kindName(kind),
    ...(detail !== '' && { detail }),
    ...at,
    nameLine: start.line + 1,
    nameColumn: start.character + 1,
    ...(tags?.includes(vscode.SymbolTag.Deprecated) === true && { isDeprecated: true as const }),
    children: 'children' in symbol ? inOrder(symbol.children.map((child) => outlineSymbol(child, lines))) : [],
  };
}

type Point = Pick<vscode.Position, 'line' | 'character'>;

function samePlace(one: Point, other: Point): boolean {
  return one.line === other.line && one.character === other.character;
}

/** Returns the first position of the name as a word in its declaration; otherwise the start of the declaration. */
function namePosition(
  name: string,
  { start, end }: Pick<vscode.Range, 'start' | 'end'>,
  lines: readonly string[],
): Point {
  const word = /[\p{L}_$][\p{L}\p{N}_$]*(?=\W*$|\()/u.exec(name)?.[0] ?? name;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`,
    'u',
  );
  for (let line = start.line; line <= Math.min(end.line, start.line + nameLines); line += 1) {
    const skipped = line === start.line ? start.character : 0;
    const found = pattern.exec((lines[line] ?? '').slice(skipped));
    if (found !== null) return { line, character: skipped + found.index };
  }
  return start;
}

/** Puts each symbol below the smallest symbol that contains it. */
function nested(flat: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  const roots: OutlineSymbol[] = [];
  const open: { readonly symbol: OutlineSymbol; readonly children: OutlineSymbol[] }[] = [];
  for (const symbol of inOrder(flat)) {
    while (open.length > 0 && !holds(open.at(-1)?.symbol, symbol)) open.pop();
    const children: OutlineSymbol[] = [];
    const placed = { ...symbol, children };
    (open.at(-1)?.children ?? roots).push(placed);
    open.push({ symbol, children });
  }
  return roots;
}

function holds(outer: OutlineSymbol | undefined, inner: OutlineSymbol): boolean {
  if (outer === undefined) return false;
  return outer.lastLine > inner.lastLine || (outer.lastLine === inner.lastLine && outer.lastColumn >= inner.lastColumn);
}

/** Sorts by start; of two symbols with the same start the longer one comes first. */
function inOrder(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  return symbols.toSorted(
    (one, other) =>
      one.firstLine - other.firstLine ||
      one.firstColumn - other.firstColumn ||
      other.lastLine - one.lastLine ||
      other.lastColumn - one.lastColumn,
  );
}
