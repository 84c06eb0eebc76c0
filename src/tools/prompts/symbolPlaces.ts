import type { FoundFile } from '#base/files.ts';
import type { ToolContext } from '#call/tool.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { placesOfWord } from '../language/symbols/wordSearch.ts';
import { searchRoots } from '../workspace/pathInput.ts';

export interface Place extends Pick<FoundFile, 'path' | 'fsPath'> {
  /** 1-based. */
  readonly line: number;
}

export interface SymbolPlaces {
  /** A language service said so; otherwise these are lines that a search found, what looks like a declaration first. */
  readonly kind: 'declared' | 'found';
  readonly places: readonly Place[];
}

type Context = Pick<ToolContext, 'search' | 'symbols' | 'targets' | 'resolve' | 'workspace'>;

/** Where a name is declared, in the target of the context when there is one. */
export async function symbolPlaces(name: string, context: Context, signal: AbortSignal): Promise<SymbolPlaces> {
  const [within] = context.targets;
  const known = await context.symbols.find(name, signal);
  const declared = known
    .filter((each) => each.name === name || each.name === `${name}()`)
    .filter(({ fsPath }) => within === undefined || [within.fsPath, within.realPath].includes(fsPath))
    .map(placeOf);
  if (declared.length > 0) return { kind: 'declared', places: declared };
  return { kind: 'found', places: await wordPlaces(name, context, signal) };
}

function placeOf({ path, fsPath, firstLine }: SymbolPlace): Place {
  return { path, fsPath, line: firstLine };
}

async function wordPlaces(name: string, context: Context, signal: AbortSignal): Promise<readonly Place[]> {
  const { declarations, others } = await placesOfWord(name, await searchRoots(context), context, signal);
  return [...declarations, ...others];
}
