import * as z from 'zod';
import type { CodeLocation } from '#base/language.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { cutToBytes } from '../workspace/cutLines.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { declarationsIn, declaredAt } from './symbols/declarations.ts';
import { SourceLines } from './symbols/sourceLines.ts';
import {
  resolvedData,
  resolvedOutput,
  type ResolvedSymbol,
  resolvedText,
  resolveSymbol,
  symbolInput,
  symbolTargets,
} from './symbols/symbolAddress.ts';
import { asResolved } from './symbols/symbolInFile.ts';
import { readable } from './symbols/symbolInWorkspace.ts';

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
  code: z.string().exactOptional().describe('Its text, of the first definition only'),
  nextFirstLine: z.int().min(1).max(maximumLine).exactOptional().describe('Where to read on when code is cut'),
});

type Definition = z.infer<typeof definition>;

const output = z.object({
  resolved: resolvedOutput,
  foundBy: z.enum(['language', 'text']).describe('text: by a search for the word, no language service answered'),
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
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'Get the definition of a symbol with its code, signature and documentation; a use leads to its definition. ' +
    'Example: {"symbol":"Cart.addItem"}.',
  input: inputFromZod(z.strictObject(symbolInput)),
  output: outputFromZod(output),
  targets: (asked) => symbolTargets(asked),
  async run(input, context, signal): Promise<z.infer<typeof output>> {
    const symbol = await resolveSymbol(input, context, signal);
    const [hovers, found] = await Promise.all([
      context.language.hover(symbol.path, symbol.at, signal),
      definitionsOf(symbol, context, signal),
    ]);
    const isKnown = hovers.length > 0 || found.length > 0;
    const byText = symbol.foundBy === 'text' && !isKnown;
    const definitions = byText ? [lineFound(symbol)] : found.slice(0, maximumDefinitions);
    const [first, ...others] = definitions;
    const note = found.length === 0 ? await context.language.explain(symbol.path, 'definition') : '';
    return {
      resolved: resolvedData(symbol),
      foundBy: byText ? 'text' : 'language',
      ...hoverText(hovers),
      definitions: first === undefined ? [] : [await withCode(first, context), ...others.map(asDefinition)],
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({ resolved, foundBy, signature, documentation, definitions, note, redactedSecrets }) => ({
    text: [
      `${resolvedText(resolved)}${foundBy === 'text' ? ', found as text' : ''}`,
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
}

type Context = Pick<ToolContext<'files' | 'language'>, 'files' | 'language' | 'resolve' | 'limits'>;

async function definitionsOf(
  symbol: ResolvedSymbol,
  { language, resolve }: Pick<Context, 'language' | 'resolve'>,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const { path, range } = symbol;
  if (range !== undefined) return [{ place: { ...path, ...range } }];
  const places = await language.places('definition', path, symbol.at, signal);
  return Promise.all(
    places.map(async (place): Promise<Found> => {
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
      return { place: { ...place, ...whole }, declared: named };
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

async function withCode(found: Found, context: Context): Promise<Definition> {
  const { place } = found;
  const facts = asDefinition(found);
  if (place.outside === true) return facts;
  const lines = await new SourceLines(context).of(place);
  const lastLine = Math.min(place.lastLine, lines.length);
  if (lastLine < place.firstLine) return facts;
  let end = 0;
  const starts = lines.map(({ length }) => (end += length + 1) - length - 1);
  const { readBytes, form } = context.limits;
  const room = Math.min(maximumCode, Math.floor(readBytes / 2));
  const page = cutToBytes(lines.join('\n'), starts, place.firstLine, lastLine, room, form);
  const isCut = page.lastLine < lastLine;
  return { ...facts, lastLine, code: page.text, ...(isCut ? { nextFirstLine: page.lastLine + 1 } : {}) };
}

function definitionText(found: Definition): readonly string[] {
  const { name, kind, container, path, outside, firstLine, lastLine, code, nextFirstLine } = found;
  const qualified = container === undefined ? name : `${container}.${name ?? ''}`;
  const what = [
    ...(qualified === undefined ? [] : [qualified]),
    ...(kind === undefined ? [] : [`(${kind})`]),
    `${path}:${firstLine}-${lastLine}`,
    ...(outside === true ? ['(outside the workspace)'] : []),
  ];
  const lines = code?.split('\n').map((line, at) => `${firstLine + at}\t${line}`) ?? [];
  const more = nextFirstLine === undefined ? [] : [`(read on with read_file, firstLine ${nextFirstLine})`];
  return [`Defined: ${what.join(' ')}`, ...lines, ...more];
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
