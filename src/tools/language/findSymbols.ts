import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { type CodeLanguage, codeLanguageOf, globsOf } from '#language/codeLanguages.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { visible } from '#policy/unsafeNames.ts';
import {
  asSentence,
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
import { pathInput, searchRoots } from '../workspace/pathInput.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { declarationsIn, nearestTo } from './symbols/declarations.ts';
import { matchRank } from './symbols/nameMatch.ts';
import { codeText, SourceLines } from './symbols/sourceLines.ts';
import { wordOf } from './symbols/symbolInFile.ts';
import { isWithin, knownSymbols, readable } from './symbols/symbolInWorkspace.ts';
import { symbolsBySyntax } from './symbols/syntaxSearch.ts';

const found = z.object({
  name: z.string().describe('As the language service writes it'),
  kind: z.string().describe('For example "method"'),
  container: z.string().exactOptional().describe('What it is declared in'),
  path: z.string().describe('Workspace-relative path'),
  firstLine: z.int().min(1).max(maximumLine).describe('1-based'),
  lastLine: z.int().min(1).max(maximumLine).describe('Inclusive'),
  code: z.string().exactOptional().describe('Its text, when withCode asked for it'),
  nextFirstLine: z.int().min(1).max(maximumLine).exactOptional().describe('Where to read on when code is cut'),
});

type Found = z.infer<typeof found>;

const languages = z.array(z.string()).max(50).exactOptional();

const lookedOutput = z
  .object({
    service: languages.describe('By language services'),
    syntax: languages.describe('By syntax alone'),
    none: languages.describe('Not looked at'),
  })
  .describe('Languages of the files, and how they were looked at');

type Looked = z.infer<typeof lookedOutput>;

const output = z.object({
  symbols: z.array(found).max(1000).describe('Best first'),
  ...pageOutput,
  looked: lookedOutput,
  note: z.string().exactOptional().describe('What may be missing and why'),
  redactedSecrets: redactedSecretsOutput,
});

/** The `find_symbols` tool: finds declarations of the workspace by a part of their name. */
export const findSymbols = defineTool({
  name: 'find_symbols',
  title: 'Find symbols',
  toolset: 'language',
  risk: 'read',
  needs: ['files', 'language', 'search', 'symbols', 'syntax', 'workspace'],
  timeLimitSeconds: 30,
  description: 'Find declarations by a part of their name, best first; returns kind, path and lines.',
  example: { query: 'addItem' },
  input: inputFromZod(
    z.strictObject({
      query: z.string().max(1000).describe('Gives a part of a name'),
      path: pathInput.exactOptional().describe('Looks in this folder'),
      kind: z.string().max(50).exactOptional().describe('Keeps one kind, e.g. class'),
      withCode: z.boolean().default(false).describe('Adds the code of each'),
      maxResults: maxResultsInput,
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(output),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run({ cursor, maxResults, ...query }, context, signal): Promise<z.infer<typeof output>> {
    const start = cursor === undefined ? 0 : decodeCursor(cursor, query, z.int().min(0));
    const roots = await searchRoots(context);
    const [known, present] = await Promise.all([
      knownSymbols(query.query, context, signal),
      languagesIn(roots, context, signal),
    ]);
    const { looked, bySyntax } = howLooked(present, known.isLate, context);
    const parsed =
      bySyntax.length === 0 ? noSymbols : await symbolsBySyntax(query.query, bySyntax, roots, context, signal);
    const isEverywhere = context.targets.length === 0;
    const places = [...known.places, ...parsed.found].filter(
      (place) => isEverywhere || roots.some((folder) => isWithin(place, folder)),
    );
    const { kind } = query;
    const all = bestFirst(query.query, places).filter((place) => kind === undefined || isOfKind(place, kind));
    const rest = all.slice(start);
    const limits = limitsFor(maxResults, context.limits);
    const candidates = rest.slice(0, limits.maxResults);
    const symbols = query.withCode
      ? await pageWithCode(candidates, { ...context, limits }, signal)
      : fitting(candidates.map(asFound), { limits });
    const truncated = symbols.length < rest.length;
    const note = [
      ...noteOf(places.length, known.isLate, parsed.isPartial),
      ...kindNote(kind, all, places),
      ...(truncated ? fewerNote(maxResults, symbols.length, limits).map(asSentence) : []),
    ].join(' ');
    return {
      symbols: [...symbols],
      totalCount: all.length,
      truncated,
      ...(truncated ? { nextCursor: encodeCursor(query, start + symbols.length) } : {}),
      looked,
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({ symbols, totalCount, nextCursor, looked, note, redactedSecrets }) => ({
    text: [
      countedPart(symbols.length, totalCount, 'symbol'),
      ...symbols.flatMap((each) => [symbolText(each), ...codeText(each)]),
      ...lookedText(looked),
      ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
      ...(note === undefined ? [] : [note]),
      ...secretsText(redactedSecrets),
    ].join('\n'),
  }),
});

const noSymbols = { found: [], isPartial: false };

/** The most bytes of code that one symbol gets; get_symbol returns more of it. */
const maximumCode = 4000;
/** Symbols whose files are read at a time. */
const batch = 10;

type PageContext = Pick<ToolContext<'files' | 'language'>, 'files' | 'language' | 'resolve' | 'limits'>;

function shownItem(one: Found): ShownItem {
  return { text: [symbolText(one), ...codeText(one)].join('\n'), data: [one] };
}

function fitting(listed: readonly Found[], { limits }: Pick<PageContext, 'limits'>): readonly Found[] {
  return listed.slice(0, fittingCount(listed, shownItem, limits));
}

/** Reads the code of no more symbols than a page has room for. */
async function pageWithCode(
  places: readonly SymbolPlace[],
  context: PageContext,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const source = new SourceLines(context);
  let shown: readonly Found[] = [];
  for (let at = 0; at < places.length; at += batch) {
    const next = await Promise.all(
      places.slice(at, at + batch).map((place) => foundWithCode(place, source, context, signal)),
    );
    const all = [...shown, ...next];
    shown = fitting(all, context);
    if (shown.length < all.length) return shown;
  }
  return shown;
}

async function foundWithCode(
  place: SymbolPlace,
  source: SourceLines,
  context: PageContext,
  signal: AbortSignal,
): Promise<Found> {
  const whole = { ...place, ...(await wholeLines(place, context, signal)) };
  const { listBytes, readBytes, form } = context.limits;
  const room = Math.min(maximumCode, (listBytes ?? readBytes) / 2);
  return { ...asFound(whole), ...(await source.code(whole, room, form)) };
}

/** Returns the lines of a whole declaration: some services only tell the line of its name. */
async function wholeLines(
  place: SymbolPlace,
  context: PageContext,
  signal: AbortSignal,
): Promise<Pick<SymbolPlace, 'firstLine' | 'lastLine'>> {
  if (place.firstLine < place.lastLine) return place;
  const path = await readable(place.fsPath, context);
  const outline = path === undefined ? undefined : await context.language.outline(path, signal);
  const named = declarationsIn(outline ?? []).filter(({ symbol }) => wordOf(symbol.name) === wordOf(place.name));
  return nearestTo(place.firstLine, undefined, named)?.symbol ?? place;
}

/** Compares kinds without case, blanks and underscores, since models write "EnumMember" and "enum_member". */
function isOfKind(place: Pick<SymbolPlace, 'kind'>, kind: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return plain(place.kind) === plain(kind);
}

function kindNote(
  kind: string | undefined,
  kept: readonly SymbolPlace[],
  all: readonly SymbolPlace[],
): readonly string[] {
  if (kind === undefined || kept.length > 0 || all.length === 0) return [];
  const kinds = [...new Set(all.map((place) => place.kind))].toSorted();
  return [`No symbol of that name has this kind; there are: ${kinds.join(', ')}.`];
}

function noteOf(count: number, isLate: boolean, isPartial: boolean): readonly string[] {
  return [
    ...(isLate ? ['The language services are still loading: call again later for what they know.'] : []),
    ...(isPartial
      ? ['Too many files have such a name, and not all were looked at; give more of the name, or path.']
      : []),
    ...(count === 0 ? ['No declaration with such a name is known; search_code looks at the text itself.'] : []),
  ];
}

/** Returns the languages of the files that may be searched. */
async function languagesIn(
  within: readonly ResolvedPath[],
  { search }: Pick<ToolContext<'search'>, 'search'>,
  signal: AbortSignal,
): Promise<readonly CodeLanguage[]> {
  const languagesFound = new Set<CodeLanguage>();
  const query = { within, include: globsOf(), exclude: [], includeIgnored: false };
  for await (const { path } of search.files(query, signal)) {
    const language = codeLanguageOf(path);
    if (language !== undefined) languagesFound.add(language);
  }
  return [...languagesFound].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Decides how each language is looked at: by its service, else by its syntax. */
function howLooked(
  present: readonly CodeLanguage[],
  isLate: boolean,
  { symbols }: Pick<ToolContext<'symbols'>, 'symbols'>,
): { readonly looked: Looked; readonly bySyntax: readonly CodeLanguage[] } {
  const served = isLate ? new Set<string>() : symbols.served(present.map(({ id }) => id));
  const others = present.filter(({ id }) => !served.has(id));
  const bySyntax = others.filter(({ grammar }) => grammar !== undefined);
  const namesOf = (some: readonly CodeLanguage[]): string[] => some.map(({ name }) => name);
  const service = namesOf(present.filter(({ id }) => served.has(id)));
  const none = namesOf(others.filter(({ grammar }) => grammar === undefined));
  return {
    looked: {
      ...(service.length > 0 && { service }),
      ...(bySyntax.length > 0 && { syntax: namesOf(bySyntax) }),
      ...(none.length > 0 && { none }),
    },
    bySyntax,
  };
}

function lookedText({ service = [], syntax = [], none = [] }: Looked): readonly string[] {
  const parts = [
    ...(service.length > 0 ? [`${service.join(', ')} by language services`] : []),
    ...(syntax.length > 0 ? [`${syntax.join(', ')} by syntax`] : []),
    ...(none.length > 0 ? [`${none.join(', ')} not looked at`] : []),
  ];
  return parts.length === 0 ? [] : [`(looked at: ${parts.join('; ')})`];
}

/** Sorts symbols by how well their names match; equal ones keep their order. */
function bestFirst(query: string, places: readonly SymbolPlace[]): readonly SymbolPlace[] {
  const worst = 100;
  return places
    .map((place) => ({ place, rank: matchRank(query, place.name) ?? worst }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
}

function asFound({
  name,
  kind,
  container,
  path,
  firstLine,
  lastLine,
}: Pick<SymbolPlace, 'name' | 'kind' | 'container' | 'path' | 'firstLine' | 'lastLine'>): Found {
  return {
    name,
    kind,
    ...(container === undefined || container === '' ? {} : { container }),
    path: visible(path),
    firstLine,
    lastLine,
  };
}

function symbolText({ name, kind, container, path, firstLine, lastLine }: Found): string {
  const lines = firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`;
  return `${container === undefined ? name : `${container}.${name}`} (${kind}) ${path}:${lines}`;
}
