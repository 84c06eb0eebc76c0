import type { FoundFile } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { definePrompt } from '#call/prompt.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { visible } from '#policy/unsafeNames.ts';
import { filePaths } from '../completions/filePaths.ts';
import { symbolNames } from '../completions/symbolNames.ts';
import { placeIn, resolveSymbol, type SymbolContext, symbolTargets } from '../language/symbols/symbolAddress.ts';
import { nameParts } from '../language/symbols/symbolName.ts';
import { placesOfWord } from '../language/symbols/wordSearch.ts';
import { searchRoots } from '../workspace/pathInput.ts';
import { embedFile, textMessage } from './embeddedFile.ts';

/** The most other places that the prompt names. */
const maximumOthers = 20;

/** The `explain_symbol` prompt. */
export const explainSymbol = definePrompt({
  name: 'explain_symbol',
  title: 'Explain a symbol',
  description: 'Explain what a function, class or other name of this workspace is for and how it is used.',
  arguments: [
    {
      name: 'symbol',
      title: 'Symbol',
      description: 'Its name, such as parseAddress or Cart.addItem',
      required: true,
      completion: symbolNames,
    },
    {
      name: 'path',
      title: 'File',
      description: 'The file that declares it, when several do',
      required: false,
      completion: filePaths,
    },
  ],
  judgedAs: 'get_symbol',
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  targets: symbolTargets,
  async messages({ symbol = '', path = '' }, context, signal) {
    const { kind, places } = await symbolPlaces({ symbol, path }, context, signal);
    const [first, ...others] = places;
    const name = visible(symbol);
    if (first === undefined) {
      const [within] = context.targets;
      throw new ToolError(
        'no_match',
        `There is no symbol ${name} in ${within === undefined ? 'this workspace' : within.path}.`,
        'Check its spelling and case, or leave the path out.',
      );
    }
    const { message, summary } = await embedFile(await context.resolve(first.fsPath), first.line, context);
    return [
      textMessage(
        `Explain ${name}. It ${kind === 'declared' ? 'is declared' : 'stands'} at ${nameOf(first)}; that file follows (${summary}).`,
        ...otherPlaces(kind, others),
        '',
        'Say what it is for, what goes in and comes out, what it changes, how it fails, and who uses it (search_code finds the places, read_file shows them). Name what is surprising.',
        'Begin with one sentence for somebody in a hurry, and give path and line with what you say.',
      ),
      message,
    ];
  },
});

function otherPlaces(kind: SymbolPlaces['kind'], others: readonly SymbolLocation[]): readonly string[] {
  if (others.length === 0) return [];
  const named = others.slice(0, maximumOthers).map(nameOf).join(', ');
  const rest = others.length > maximumOthers ? ' and in more places' : '';
  return [`It ${kind === 'declared' ? 'is also declared' : 'also stands'} at ${named}${rest}.`];
}

function nameOf({ path, line }: SymbolLocation): string {
  return `${visible(path)}:${line}`;
}

interface SymbolLocation extends Pick<FoundFile, 'path' | 'fsPath'> {
  /** 1-based. */
  readonly line: number;
}

interface SymbolPlaces {
  /** `declared`: from a language service; `found`: lines of a search, those that look like a declaration first. */
  readonly kind: 'declared' | 'found';
  readonly places: readonly SymbolLocation[];
}

/** Finds where a name is declared, within the target of the context when there is one. */
async function symbolPlaces(
  { symbol: name, path }: { readonly symbol: string; readonly path: string },
  context: SymbolContext,
  signal: AbortSignal,
): Promise<SymbolPlaces> {
  if (nameParts(name).length > 1 || placeIn(path).line !== undefined) {
    // A qualified name, or a name at a place, is found as every tool finds it.
    const found = await resolveSymbol({ symbol: name, ...(path !== '' && { path }) }, context, signal);
    const { fsPath, path: shown } = found.path;
    const kind = found.foundBy === 'language' ? 'declared' : 'found';
    return { kind, places: [{ path: shown, fsPath, line: found.at.line }] };
  }
  const [within] = context.targets;
  const known = await context.symbols.find(name, signal);
  const declared = known
    .filter((each) => each.name === name || each.name === `${name}()`)
    .filter(({ fsPath }) => within === undefined || [within.fsPath, within.realPath].includes(fsPath))
    .map(placeOf);
  if (declared.length > 0) return { kind: 'declared', places: declared };
  return { kind: 'found', places: await placesByText(name, context, signal) };
}

function placeOf({ path, fsPath, firstLine }: SymbolPlace): SymbolLocation {
  return { path, fsPath, line: firstLine };
}

async function placesByText(
  name: string,
  context: SymbolContext,
  signal: AbortSignal,
): Promise<readonly SymbolLocation[]> {
  const { declarations, others } = await placesOfWord(name, await searchRoots(context), context, signal);
  return [...declarations, ...others];
}
