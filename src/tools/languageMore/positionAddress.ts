import type { ResolvedPath } from '../../ports/files.ts';
import type { Position } from '../../ports/language.ts';
import { placeIn, resolveSymbol, type SymbolContext, type SymbolInput } from '../language/symbols/symbolAddress.ts';

/** A place in a text, whether a name stands there or not. */
export interface ResolvedPosition {
  readonly path: ResolvedPath;
  readonly at: Position;
}

/**
 * The place that the caller names: exactly, or by a symbol.
 * @throws as {@link resolveSymbol}
 */
export async function resolvePosition(
  input: SymbolInput,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<ResolvedPosition> {
  const [path] = context.targets;
  const { line, column } = placeIn(input.path ?? '');
  if (path?.kind === 'file' && input.symbol === undefined && line !== undefined && column !== undefined) {
    return { path, at: { line, column } };
  }
  return resolveSymbol(input, context, signal);
}
