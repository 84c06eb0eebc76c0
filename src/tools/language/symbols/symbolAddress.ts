import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';
import { InvalidArgumentsError, MissingPathError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { pathInput } from '../../workspace/pathInput.ts';
import { maximumLine } from '../../workspace/readRange.ts';
import { onlyOne } from './symbolCandidates.ts';
import { symbolAt, symbolInFile } from './symbolInFile.ts';
import { symbolInWorkspace } from './symbolInWorkspace.ts';

/** The input fields that name a symbol: by name, by place, or by both when several have the name. */
export const symbolInput = {
  symbol: z.string().max(1000).exactOptional().describe('Names it, as Cart.addItem'),
  path: pathInput.exactOptional().describe('Names its file, or src/a.ts:10:5'),
};

/** A symbol as the caller names it. */
export interface SymbolInput {
  readonly symbol?: string;
  /** May end in a line, or a line and a column, as results write places: "src/a.ts:10:5". */
  readonly path?: string;
}

/** Returns the targets of tools that take {@link symbolInput}: the file, if given. */
export function symbolTargets({ path }: SymbolInput): readonly string[] {
  return path === undefined ? [] : [placeIn(path).file];
}

/**
 * Splits an address from the place at its end; no file name that tools accept has a colon.
 * @throws InvalidArgumentsError when a line or column is 0
 */
export function placeIn(path: string): { readonly file: string; readonly line?: number; readonly column?: number } {
  const [, file, line, column] = /^(.+?):(\d{1,8})(?::(\d{1,8}))?$/s.exec(path) ?? [];
  if (file === undefined || line === undefined) return { file: path };
  if (Number(line) < 1 || (column !== undefined && Number(column) < 1)) {
    throw new InvalidArgumentsError('path: lines and columns begin with 1');
  }
  return { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}

/** The symbol that an address led to. */
export interface ResolvedSymbol {
  readonly path: ResolvedPath;
  readonly name: string;
  /** The kind as in LSP; absent when no outline has the symbol. */
  readonly kind?: string;
  /** The names of its containers, joined by dots. */
  readonly container?: string;
  /** The position of the name: of its declaration, or where the caller said. */
  readonly at: Position;
  /** The whole declaration; absent when the name is only used, or no service knows. */
  readonly range?: TextRange;
  /** `syntax`: the grammar of the language found it. `text`: a search found the word, and nothing confirmed it. */
  readonly foundBy: 'language' | 'syntax' | 'text';
}

/** The declarations that a name may mean: at least one. */
export interface SymbolMatches {
  readonly found: readonly ResolvedSymbol[];
  /** The number of all matches, when not all are in `found`. */
  readonly count: number;
}

export type SymbolContext = Pick<
  ToolContext<'files' | 'language' | 'search' | 'symbols' | 'workspace'>,
  'files' | 'language' | 'search' | 'symbols' | 'workspace' | 'targets' | 'resolve'
>;

/** The output schema of the symbol that a result is about. */
export const resolvedOutput = z
  .object({
    name: z.string().describe('Its name'),
    kind: z.string().exactOptional().describe('For example "method"'),
    container: z.string().exactOptional().describe('What it is declared in'),
    path: z.string().describe('Workspace-relative path'),
    line: z.int().min(1).max(maximumLine).describe('Of its name, 1-based'),
    column: z.int().min(1).max(maximumLine).describe('Of its name, 1-based'),
  })
  .describe('Symbol the arguments named');

/** Returns a symbol as the data of a result. */
export function resolvedData({ name, kind, container, path, at }: ResolvedSymbol): z.infer<typeof resolvedOutput> {
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(container === undefined ? {} : { container }),
    path: visible(path.path),
    line: at.line,
    column: at.column,
  };
}

/** Renders the symbol of a result: "Cart.addItem (method) src/cart.ts:10:3". */
export function resolvedText(resolved: z.infer<typeof resolvedOutput>): string {
  const { name, kind, container, path, line, column } = resolved;
  const qualified = container === undefined ? name : `${container}.${name}`;
  return `${qualified}${kind === undefined ? '' : ` (${kind})`} ${path}:${line}:${column}`;
}

/** Marks a result that does not come from a language service. */
export function foundByText(foundBy: ResolvedSymbol['foundBy']): string {
  return { language: '', syntax: ', found by syntax', text: ', found as text' }[foundBy];
}

/**
 * Finds the one symbol that the caller means. Declarations of different kinds with one name in one place, such as an interface and a
 * constant, are one symbol.
 * @throws InvalidArgumentsError, ToolError as {@link resolveSymbols}, and `ambiguous_match` with the candidates
 */
export async function resolveSymbol(
  input: SymbolInput,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<ResolvedSymbol> {
  const { found, count } = await resolveSymbols(input, context, signal);
  const [first] = found;
  const kinds = new Set(found.map(({ kind }) => kind));
  const isOne = kinds.size === count && found.every((each) => isBeside(each, first));
  return first !== undefined && isOne ? first : onlyOne(input.symbol ?? '', found, count);
}

function isBeside({ path, container }: ResolvedSymbol, other: ResolvedSymbol | undefined): boolean {
  return other !== undefined && path.path === other.path.path && container === other.container;
}

/** Finds the one declaration that the caller means. Throws as {@link resolveSymbol}. */
export async function resolveDeclaration(
  input: SymbolInput,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<ResolvedSymbol> {
  const { found, count } = await resolveSymbols(input, context, signal);
  return onlyOne(input.symbol ?? '', found, count);
}

/**
 * Finds the symbols that the caller may mean. A path is the first target of the context; a folder narrows a search by name.
 * @throws InvalidArgumentsError when neither a name nor a place is given
 * @throws ToolError `ambiguous_match` for lines of text that may be it, `not_found` with similar names
 */
export async function resolveSymbols(
  { symbol, path: address = '' }: SymbolInput,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<SymbolMatches> {
  const [path] = context.targets;
  const { line, column } = placeIn(address);
  const name = symbol?.trim() ?? '';
  if (path === undefined || path.kind === 'directory') {
    if (name === '') throw new InvalidArgumentsError(missing);
    return symbolInWorkspace(name, path, context, signal);
  }
  if (path.kind === 'missing') {
    throw new MissingPathError(path.path, `${path.path} does not exist.`, 'Leave path out, or use find_files.');
  }
  if (name !== '') return symbolInFile(name, path, { line, column }, context, signal);
  if (line === undefined) throw new InvalidArgumentsError(missing);
  return { found: [await symbolAt(path, { line, column }, context, signal)], count: 1 };
}

const missing = 'symbol: give a name, or a path that ends in a line, such as src/a.ts:10';
