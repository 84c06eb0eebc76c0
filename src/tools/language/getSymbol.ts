import * as z from 'zod';
import type { CodeLocation, TextRange } from '#base/language.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { declarationsIn, declaredAt } from './symbols/declarations.ts';
import { libraryCode } from './symbols/libraryCode.ts';
import { codeText, SourceLines } from './symbols/sourceLines.ts';
import {
  foundByText,
  resolvedData,
  resolvedOutput,
  type ResolvedSymbol,
  resolvedText,
  resolveSymbols,
  type SymbolContext,
  symbolInput,
  type SymbolMatches,
  symbolTargets,
} from './symbols/symbolAddress.ts';
import { asResolved } from './symbols/symbolInFile.ts';
import { onlyOne } from './symbols/symbolCandidates.ts';
import { everyFolder, readable } from './symbols/symbolInWorkspace.ts';
import { definitionsBySyntax } from './symbols/syntaxSearch.ts';

/** The most bytes of code in a result; read_file reads more. */
const maximumCode = 12_000;
const maximumDefinitions = 20;
/** Lines shown when no service knows the end of a declaration. */
const unknownExtent = 20;

const definition = z.object({
  name: z.string().exactOptional().describe('Its name, when the arguments named a use'),
  kind: z.string().exactOptional().describe('For example "method"'),
  container: z.string().exactOptional().describe('What it is declared in'),
  path: z.string().describe('Workspace-relative path, or a label when outside'),
  outside: z.boolean().exactOptional().describe('Outside the workspace; no tool takes the path'),
  firstLine: z.int().min(1).max(maximumLine).describe('1-based'),
  lastLine: z.int().min(1).max(maximumLine).describe('Inclusive'),
  code: z.string().exactOptional().describe('Its text; a use has only that of its first definition'),
  nextFirstLine: z.int().min(1).max(maximumLine).exactOptional().describe('Where to read on when code is cut'),
});

type Definition = z.infer<typeof definition>;

const output = z.object({
  resolved: resolvedOutput,
  foundBy: z.enum(['language', 'syntax', 'text']).describe('syntax: by the grammar; text: by a search for the word'),
  signature: z.string().exactOptional().describe('With types'),
  documentation: z.string().exactOptional().describe('Markdown'),
  definitions: z.array(definition).max(maximumDefinitions).describe('Usually one'),
  note: z.string().exactOptional().describe('What is missing and why'),
  redactedSecrets: redactedSecretsOutput,
});

/** The `get_symbol` tool: returns the definition of a symbol with its code, signature and documentation. */
export const getSymbol = defineTool({
  name: 'get_symbol',
  title: 'Get symbol',
  toolset: 'language',
  risk: 'read',
  needs: ['files', 'language', 'search', 'symbols', 'syntax', 'workspace'],
  timeLimitSeconds: 30,
  description: 'Get the definition of a symbol or of a use, with its code, signature and documentation.',
  example: { symbol: 'Cart.addItem' },
  input: inputFromZod(z.strictObject(symbolInput)),
  output: outputFromZod(output),
  targets: (asked) => symbolTargets(asked),
  async run(input, context, signal): Promise<z.infer<typeof output>> {
    const matches = await resolveSymbols(input, context, signal);
    const [symbol = onlyOne(input.symbol ?? '', matches.found, matches.count), another] = matches.found;
    if (another !== undefined) return severalSymbols(symbol, matches, context, signal);
    const [hovers, found] = await Promise.all([
      context.language.hover(symbol.path, symbol.at, signal),
      definitionsOf(symbol, context, signal),
    ]);
    const isKnown = hovers.length > 0 || found.length > 0;
    const byText = symbol.foundBy === 'text' && !isKnown;
    const definitions = byText ? [lineFound(symbol)] : found.slice(0, maximumDefinitions);
    const [first, ...others] = definitions;
    const isSure = found.length > 0 && found[0]?.foundBy === undefined;
    const library = first === undefined ? undefined : await codeOfLibrary(first, symbol, context, signal);
    const isCut = library?.isCut === true;
    const cutNote = isCut
      ? 'The definition has more lines than fit, and no tool reads on in a file outside the workspace.'
      : '';
    const note = isSure ? cutNote : await context.language.explain(symbol.path, 'definition');
    return {
      resolved: resolvedData(symbol),
      foundBy: byText ? 'text' : (found[0]?.foundBy ?? 'language'),
      ...hoverText(hovers),
      definitions:
        first === undefined
          ? []
          : [library?.definition ?? (await withCode(first, context)), ...others.map(asDefinition)],
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({ resolved, foundBy, signature, documentation, definitions, note, redactedSecrets }) => ({
    text: [
      `${resolvedText(resolved)}${foundByText(foundBy)}`,
      ...(signature === undefined ? [] : [signature]),
      ...(documentation === undefined ? [] : ['', documentation]),
      ...definitions.flatMap(definitionText),
      ...(note === undefined ? [] : [`(${note})`]),
      ...secretsText(redactedSecrets),
    ].join('\n'),
  }),
});

interface Found {
  readonly place: CodeLocation;
  /** The declared symbol, when the caller named a use. */
  readonly declared?: Pick<ResolvedSymbol, 'name' | 'kind' | 'container'>;
  /** Absent when a language service found it. */
  readonly foundBy?: 'syntax';
}

type Context = SymbolContext & Pick<ToolContext<'syntax'>, 'syntax' | 'limits'>;

/** The most symbols of one name that are returned with their code. */
const mostInFull = 3;

/** Answers for a name that several declarations have: an interface and a constant, or one in each language. */
async function severalSymbols(
  first: ResolvedSymbol,
  { found, count }: SymbolMatches,
  context: Context,
  signal: AbortSignal,
): Promise<z.infer<typeof output>> {
  const all = found.slice(0, maximumDefinitions).map(({ path, at, range, name, kind, container, foundBy }): Found => ({
    place: { ...path, ...(range ?? lineOf(at.line)) },
    declared: { name, ...(kind === undefined ? {} : { kind }), ...(container === undefined ? {} : { container }) },
    ...(foundBy === 'syntax' && { foundBy }),
  }));
  const isFull = count <= mostInFull;
  const isOne = found.every(({ path, container }) => path.path === first.path.path && container === first.container);
  const [hovers, definitions] = await Promise.all([
    isOne ? context.language.hover(first.path, first.at, signal) : [],
    isFull ? Promise.all(all.map((each) => withCode(each, context, all.length))) : all.map(asDefinition),
  ]);
  const note = isFull ? '' : `${count} symbols have this name; call again with the path and line of one for its code.`;
  return {
    resolved: resolvedData(first),
    foundBy: found.some(({ foundBy }) => foundBy === 'syntax') ? 'syntax' : 'language',
    ...hoverText(hovers),
    definitions,
    ...(note === '' ? {} : { note }),
  };
}

function lineOf(line: number): TextRange {
  return { firstLine: line, firstColumn: 1, lastLine: line, lastColumn: 1 };
}

async function definitionsOf(symbol: ResolvedSymbol, context: Context, signal: AbortSignal): Promise<readonly Found[]> {
  const { language, resolve } = context;
  const { path, range, foundBy } = symbol;
  if (range !== undefined) return [{ place: { ...path, ...range }, ...(foundBy === 'syntax' && { foundBy }) }];
  const told = await language.places('definition', path, symbol.at, signal);
  const parsed =
    told.length > 0 ? undefined : await definitionsBySyntax(symbol, await everyFolder(context), context, signal);
  const places = parsed?.found ?? told;
  return Promise.all(
    places.slice(0, maximumDefinitions).map(async (place): Promise<Found> => {
      if (place.outside === true) return { place };
      const file = await readable(place.fsPath, { resolve });
      const outline = file === undefined ? undefined : await language.outline(file, signal);
      const declared = declaredAt(place, declarationsIn(outline ?? []));
      if (file === undefined || declared === undefined) return { place };
      const { name, kind, container, range: whole = place } = asResolved(file, declared);
      const named = {
        name,
        ...(kind === undefined ? {} : { kind }),
        ...(container === undefined ? {} : { container }),
      };
      return { place: { ...place, ...whole }, declared: named, ...(parsed !== undefined && { foundBy: 'syntax' }) };
    }),
  );
}

/** Returns a range from the line that a search found on, as long as an average declaration. */
function lineFound({ path, at }: ResolvedSymbol): Found {
  const lastLine = at.line + unknownExtent - 1;
  return { place: { ...path, firstLine: at.line, firstColumn: 1, lastLine, lastColumn: 1 } };
}

function asDefinition({ place, declared }: Found): Definition {
  return {
    ...declared,
    path: visible(place.path),
    ...(place.outside === true ? { outside: true } : {}),
    firstLine: place.firstLine,
    lastLine: place.lastLine,
  };
}

/** Returns the bytes for the code of one definition. @param shares the number of definitions that share the room of the result */
function roomForCode({ readBytes }: Context['limits'], shares = 1): number {
  return Math.floor(Math.min(maximumCode, readBytes / 2) / shares);
}

/** @param shares as in {@link roomForCode} */
async function withCode(found: Found, context: Context, shares = 1): Promise<Definition> {
  const { place } = found;
  const facts = asDefinition(found);
  if (place.outside === true) return facts;
  const { limits } = context;
  return { ...facts, ...(await new SourceLines(context).code(place, roomForCode(limits, shares), limits.form)) };
}

/** Returns the first definition with its code when it is in a library outside the workspace. */
async function codeOfLibrary(
  found: Found,
  { path }: ResolvedSymbol,
  context: Context,
  signal: AbortSignal,
): Promise<{ readonly definition: Definition; readonly isCut: boolean } | undefined> {
  if (found.place.outside !== true) return undefined;
  const read = await libraryCode(found.place, path, roomForCode(context.limits), context, signal);
  if (read === undefined) return undefined;
  const { isCut, ...code } = read;
  return { definition: { ...asDefinition(found), ...code }, isCut };
}

function definitionText(found: Definition): readonly string[] {
  const { name, kind, container, path, outside, firstLine, lastLine } = found;
  const qualified = container === undefined ? name : `${container}.${name ?? ''}`;
  const what = [
    ...(qualified === undefined ? [] : [qualified]),
    ...(kind === undefined ? [] : [`(${kind})`]),
    `${path}:${firstLine}-${lastLine}`,
    ...(outside === true ? ['(outside the workspace)'] : []),
  ];
  return [`Defined: ${what.join(' ')}`, ...codeText(found)];
}

/** The hover of a symbol, in two parts. */
interface HoverText {
  readonly signature?: string;
  readonly documentation?: string;
}

/** The most characters of the documentation in a result. */
const maximumDocumentation = 4000;
const maximumSignature = 2000;

/** Splits Markdown hovers into the signature, which is in the first code block, and the documentation. */
export function hoverText(hovers: readonly string[]): HoverText {
  const all = hovers.join('\n\n');
  const block = /```[^\n]*\n([\s\S]*?)\n?```/.exec(all);
  const signature = block?.[1]?.trim() ?? '';
  const documentation = all
    .replace(block?.[0] ?? '', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return {
    ...(signature === '' ? {} : { signature: cut(signature, maximumSignature) }),
    ...(documentation === '' ? {} : { documentation: cut(documentation, maximumDocumentation) }),
  };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
