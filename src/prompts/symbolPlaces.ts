import type { ToolContext } from '../core/tool.ts';
import type { FoundFile } from '../ports/files.ts';
import type { SymbolPlace } from '../ports/symbols.ts';
import { searchRoots } from '../tools/workspace/pathInput.ts';

/** Lines that hold the name as a word; who wants more of them searches. */
const maximumPlaces = 200;

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

/** What most languages write before the name that they declare. */
const declaration =
  /\b(abstract|class|const|def|defn?|enum|fn|fun|func|function|impl|interface|let|macro|module|namespace|record|struct|sub|trait|type|union|val|var)\b/;

async function wordPlaces(name: string, context: Context, signal: AbortSignal): Promise<readonly Place[]> {
  const declarations: Place[] = [];
  const others: Place[] = [];
  const query = {
    within: await searchRoots(context),
    include: [],
    exclude: [],
    includeIgnored: false,
    pattern: name,
    isRegex: false,
    caseSensitive: true,
    wholeWord: true,
    multiline: false,
    contextLines: 0,
    sorted: true,
  };
  for await (const { path, fsPath, matches } of context.search.text(query, signal)) {
    for (const { line, column, text } of matches) {
      const isDeclaration = declaration.test(text.slice(0, column - 1));
      (isDeclaration ? declarations : others).push({ path, fsPath, line });
    }
    if (declarations.length + others.length >= maximumPlaces) break;
  }
  return [...declarations, ...others];
}
