import * as z from 'zod';
import { relations, type Use } from '#base/language.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, cursorInput, fittingCount, pageOutput, type ShownItem } from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { SourceLines } from './symbols/sourceLines.ts';
import {
  resolvedData,
  resolvedOutput,
  type ResolvedSymbol,
  resolvedText,
  resolveSymbol,
  type SymbolContext,
  symbolInput,
  symbolTargets,
} from './symbols/symbolAddress.ts';
import { wordOf } from './symbols/symbolInFile.ts';
import { everyFolder } from './symbols/symbolInWorkspace.ts';
import { placesOfWord } from './symbols/wordSearch.ts';

const asked = [...relations, 'writes'] as const;
type Asked = (typeof asked)[number];

const input = z.strictObject({
  ...symbolInput,
  relation: z.enum(asked).default('references').describe('What to find'),
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
  relation: z.enum(asked).describe('What was looked for'),
  foundBy: z.enum(['language', 'text']).describe('text: lines with the word, no language service answered'),
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
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'Find every use of a symbol with its code line, or what implements or defines it; search_code finds text. ' +
    'Example: {"symbol":"Cart.addItem"}.',
  input: inputFromZod(input),
  output: outputFromZod(output),
  targets: (query) => symbolTargets(query),
  async run({ cursor, ...query }, context, signal): Promise<z.infer<typeof output>> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, position);
    const symbol = await resolveSymbol(query, context, signal);
    const { uses, foundBy } = await usesOf(query.relation, symbol, context, signal);
    const all = uses.toSorted((one, other) => compare(positionOf(one), positionOf(other)));
    const rest = after === undefined ? all : all.filter((each) => compare(positionOf(each), after) > 0);
    const most = context.limits.maxResults;
    const source = new SourceLines(context);
    const shown = await onePage(rest.slice(0, most), source, context.limits);
    const last = rest[shown.length - 1];
    const truncated = shown.length < rest.length;
    const isSure = foundBy === 'language' && all.length > 0;
    const note = isSure ? '' : await context.language.explain(symbol.path, nouns[query.relation]);
    return {
      resolved: resolvedData(symbol),
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
  render: ({ resolved, relation, foundBy, uses, totalCount, fileCount, nextCursor, note, redactedSecrets }) => ({
    text: [
      `${counted(totalCount, foundBy === 'text' ? 'line' : 'place')} in ${counted(fileCount, 'file')}, ${headings[relation]} ${resolvedText(resolved)}${foundBy === 'text' ? ', found as text' : ''}`,
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

interface Uses {
  readonly uses: readonly Use[];
  readonly foundBy: 'language' | 'text';
}

/** Asks the language service; when it knows no place of the symbol, searches for the word. */
async function usesOf(
  relation: Asked,
  symbol: ResolvedSymbol,
  context: SymbolContext,
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
  const word = wordOf(symbol.name);
  const { declarations, others } = await placesOfWord(word, roots, context, signal);
  const isDeclared = relation === 'definition' || relation === 'declaration';
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
  limits: Parameters<typeof fittingCount>[3],
): Promise<readonly ShownUse[]> {
  let shown: readonly ShownUse[] = [];
  for (let at = 0; at < uses.length; at += batch) {
    const next = await Promise.all(uses.slice(at, at + batch).map((each) => asShown(each, source)));
    shown = [...shown, ...next];
    const count = fittingCount(shown, shownItem, shown.length, limits);
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
