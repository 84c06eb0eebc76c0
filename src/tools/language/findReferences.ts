import * as z from 'zod';
import { relations, type Use } from '#base/language.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import {
  asSentence,
  counted,
  countedPart,
  cursorInput,
  fewerNote,
  fittingCount,
  limitsFor,
  maxResultsInput,
  pageOutput,
  type ShownItem,
} from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { SourceLines } from './symbols/sourceLines.ts';
import {
  foundByText,
  resolvedData,
  resolvedOutput,
  type ResolvedSymbol,
  resolvedText,
  resolveSymbols,
  type SymbolContext,
  symbolInput,
  symbolTargets,
} from './symbols/symbolAddress.ts';
import { wordOf } from './symbols/symbolInFile.ts';
import { everyFolder } from './symbols/symbolInWorkspace.ts';
import { onlyOne } from './symbols/symbolCandidates.ts';
import { definitionsBySyntax, usesBySyntax } from './symbols/syntaxSearch.ts';
import { placesOfWord } from './symbols/wordSearch.ts';

const asked = [...relations, 'writes'] as const;
type Asked = (typeof asked)[number];

const input = z.strictObject({
  ...symbolInput,
  relation: z.enum(asked).default('references').describe('Selects these'),
  maxResults: maxResultsInput,
  cursor: cursorInput,
});

const use = z.object({
  path: z.string().describe('Workspace-relative path, or a label when outside'),
  outside: z.boolean().exactOptional().describe('Outside the workspace; no tool takes the path'),
  line: z.int().min(1).max(maximumLine).describe('1-based'),
  column: z.int().min(1).max(maximumLine).describe('1-based'),
  code: z.string().exactOptional().describe('The line, trimmed; a long one is cut'),
  access: z.enum(['read', 'write']).exactOptional().describe('If the language service tells'),
});

type ShownUse = z.infer<typeof use>;

/** The cursor position: the last use of a page. */
const position = z.tuple([z.boolean(), z.string(), z.int(), z.int()]);

type Position = z.infer<typeof position>;

const output = z.object({
  resolved: resolvedOutput,
  others: z.array(z.string()).max(20).exactOptional().describe('Other symbols of the name; their uses are listed, too'),
  symbolCount: z
    .int()
    .min(0)
    .max(10_000_000)
    .exactOptional()
    .describe('Symbols of the name, when they are too many to list uses'),
  relation: z.enum(asked).describe('What was looked for'),
  foundBy: z
    .enum(['language', 'syntax', 'text'])
    .describe('syntax: identifiers of that name in files of the language; text: lines with the word'),
  uses: z.array(use).max(1000).describe('By path and line'),
  ...pageOutput,
  fileCount: z.int().min(0).max(10_000_000).describe('Files of all results'),
  note: z.string().exactOptional().describe('What is missing and why'),
  redactedSecrets: redactedSecretsOutput,
});

/** The `find_references` tool: finds uses, writes, implementations or definitions of a symbol. */
export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find references',
  summary: 'Find uses, writes, implementations or definitions of a symbol, each with its line.',
  toolset: 'language',
  risk: 'read',
  needs: ['files', 'language', 'search', 'symbols', 'syntax', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'Find every use of a symbol with its code line, or what implements or defines it; search_code finds text.',
  example: { symbol: 'Cart.addItem' },
  input: inputFromZod(input),
  output: outputFromZod(output),
  targets: (query) => symbolTargets(query),
  async run({ cursor, maxResults, ...query }, context, signal): Promise<z.infer<typeof output>> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, position);
    const { found, count } = await resolveSymbols(query, context, signal);
    const [symbol = onlyOne(query.symbol ?? '', found, count), ...others] = found;
    if (count > mostSymbols) return manySymbols(symbol, others, count, query.relation);
    const answers = await Promise.all(found.map((each) => usesOf(query.relation, each, context, signal)));
    const foundBy = surest.findLast((kind) => answers.some((each) => each.foundBy === kind)) ?? 'language';
    const isPartial = answers.some((each) => each.isPartial);
    const all = distinct(answers.flatMap(({ uses }) => uses)).toSorted((one, other) =>
      compare(positionOf(one), positionOf(other)),
    );
    const rest = after === undefined ? all : all.filter((each) => compare(positionOf(each), after) > 0);
    const limits = limitsFor(maxResults, context.limits);
    const source = new SourceLines(context);
    const shown = await onePage(rest, source, limits);
    const last = rest[shown.length - 1];
    const truncated = shown.length < rest.length;
    const isSure = foundBy === 'language' && all.length > 0;
    const why = isSure ? '' : await context.language.explain(symbol.path, nouns[query.relation]);
    const note = [
      ...(isPartial ? ['Not all files with the name were looked at.'] : []),
      ...(why === '' ? [] : [why]),
      ...(truncated ? fewerNote(maxResults, shown.length, limits).map(asSentence) : []),
    ].join(' ');
    return {
      resolved: resolvedData(symbol),
      ...(others.length > 0 && { others: others.map((each) => resolvedText(resolvedData(each))) }),
      relation: query.relation,
      foundBy,
      uses: [...shown],
      totalCount: all.length,
      truncated,
      ...(truncated && last !== undefined ? { nextCursor: encodeCursor(query, positionOf(last)) } : {}),
      fileCount: new Set(all.map(({ path }) => path)).size,
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({
    resolved,
    others = [],
    symbolCount,
    relation,
    foundBy,
    uses,
    totalCount,
    fileCount,
    nextCursor,
    note,
    redactedSecrets,
  }) => ({
    text: [
      ...(symbolCount === undefined
        ? [
            `${countedPart(uses.length, totalCount, foundBy === 'text' ? 'line' : 'place')} in ${counted(fileCount, 'file')}, ${headings[relation]} ${[resolvedText(resolved), ...others].join(' and ')}${foundByText(foundBy)}`,
          ]
        : [`${symbolCount} symbols have this name:`, resolvedText(resolved), ...others]),
      ...[...Map.groupBy(uses, pathText)].flatMap(([path, inFile]) => [path, ...inFile.map(useText)]),
      ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
      ...(note === undefined ? [] : [`(${note})`]),
      ...secretsText(redactedSecrets),
    ].join('\n'),
  }),
});

/** Names of the relations for explanations of an empty result. */
const nouns: Readonly<Record<Asked, string>> = {
  references: 'references',
  writes: 'references that write',
  implementations: 'implementations',
  definition: 'definition',
  declaration: 'declaration',
  type_definition: 'type definition',
};

const headings: Readonly<Record<Asked, string>> = {
  references: 'references to',
  writes: 'writes to',
  implementations: 'implementations of',
  definition: 'definition of',
  declaration: 'declaration of',
  type_definition: 'type definition of',
};

/** The most symbols of one name whose uses are listed together. */
const mostSymbols = 3;
/** The surest way to find uses comes first. */
const surest = ['language', 'syntax', 'text'] as const;

interface Uses {
  readonly uses: readonly Use[];
  readonly foundBy: (typeof surest)[number];
  /** True when not all files with the name were looked at. */
  readonly isPartial?: boolean;
}

/** The most symbols of one name that are listed. */
const mostListed = 20;

/** Lists the symbols of one name: of many, the uses of all together would say little. */
function manySymbols(
  first: ResolvedSymbol,
  others: readonly ResolvedSymbol[],
  symbolCount: number,
  relation: Asked,
): z.infer<typeof output> {
  return {
    resolved: resolvedData(first),
    others: others.slice(0, mostListed - 1).map((each) => resolvedText(resolvedData(each))),
    symbolCount,
    relation,
    foundBy: 'language',
    uses: [],
    totalCount: 0,
    truncated: false,
    fileCount: 0,
    note: 'no uses were looked for; call again with the path and line of one symbol',
  };
}

function distinct(uses: readonly Use[]): readonly Use[] {
  return [...new Map(uses.map((each) => [JSON.stringify(positionOf(each)), each])).values()];
}

/** Asks the language service; when it knows no place of the symbol, looks at the syntax of files, else searches for the word. */
async function usesOf(
  relation: Asked,
  symbol: ResolvedSymbol,
  context: SymbolContext & Pick<ToolContext<'syntax'>, 'syntax'>,
  signal: AbortSignal,
): Promise<Uses> {
  const { language } = context;
  const asksForWrites = relation === 'writes';
  const places = await language.places(asksForWrites ? 'references' : relation, symbol.path, symbol.at, signal);
  // Only a request for writes pays for the access of each use. A use of unknown access may be a write.
  const withAccess = asksForWrites ? await language.withAccess(places, signal) : places;
  const uses = withAccess.filter(({ access }) => access !== 'read');
  if (places.length > 0 || relation === 'implementations' || relation === 'type_definition')
    return { uses, foundBy: 'language' };
  const roots = await everyFolder(context);
  const isDeclared = relation === 'definition' || relation === 'declaration';
  const parsed = await (isDeclared ? definitionsBySyntax : usesBySyntax)(symbol, roots, context, signal);
  if (parsed !== undefined && parsed.found.length > 0) {
    return { uses: parsed.found, foundBy: 'syntax', isPartial: parsed.isPartial };
  }
  const word = wordOf(symbol.name);
  const { declarations, others } = await placesOfWord(word, roots, context, signal);
  const found = isDeclared ? declarations : [...declarations, ...others];
  return {
    foundBy: found.length > 0 ? 'text' : 'language',
    uses: found.map(({ line, column, text: _text, ...file }) => ({
      ...file,
      firstLine: line,
      firstColumn: column,
      lastLine: line,
      lastColumn: column + word.length,
    })),
  };
}

function positionOf({ outside, path, firstLine, firstColumn }: Use): Position {
  return [outside === true, path, firstLine, firstColumn];
}

/** Sorts uses in the workspace before those outside. */
function compare(one: Position, other: Position): number {
  return Number(one[0]) - Number(other[0]) || comparePaths(one[1], other[1]) || one[2] - other[2] || one[3] - other[3];
}

/** Uses whose lines are read at a time. */
const batch = 40;

/** Reads no more files than a page has room for, because a name may be used in hundreds. */
async function onePage(
  uses: readonly Use[],
  source: SourceLines,
  limits: Parameters<typeof fittingCount>[2],
): Promise<readonly ShownUse[]> {
  let shown: readonly ShownUse[] = [];
  const most = Math.min(uses.length, limits.maxResults);
  for (let at = 0; at < most; at += batch) {
    const next = await Promise.all(uses.slice(at, Math.min(at + batch, most)).map((each) => asShown(each, source)));
    shown = [...shown, ...next];
    const count = fittingCount(shown, shownItem, limits);
    if (count < shown.length) return shown.slice(0, count);
  }
  return shown;
}

async function asShown(found: Use, source: SourceLines): Promise<ShownUse> {
  const { path, outside, firstLine, firstColumn, access } = found;
  const code = found.outside === true ? undefined : await source.around(found, firstLine, firstColumn);
  return {
    path: visible(path),
    ...(outside === true ? { outside } : {}),
    line: firstLine,
    column: firstColumn,
    ...(code === undefined ? {} : { code }),
    ...(access === undefined ? {} : { access }),
  };
}

/** Returns the form of a use on the page; the first use of a file adds its path. */
function shownItem(found: ShownUse, before: ShownUse | undefined): ShownItem {
  const isNew = before?.path !== found.path;
  return { text: `${isNew ? `${pathText(found)}\n` : ''}${useText(found)}`, data: [found] };
}

function pathText({ path, outside }: ShownUse): string {
  return outside === true ? `${path} (outside the workspace)` : path;
}

function useText({ line, column, code, access }: ShownUse): string {
  return `${line}:${column}${access === 'write' ? ' write' : ''}${code === undefined ? '' : `\t${code}`}`;
}
