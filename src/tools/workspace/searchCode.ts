import * as z from 'zod';
import type { FoundFile } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { ToolError } from '#base/toolError.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, maximumResourceBytes, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import type { FileMatches, LineMatch, TextQuery } from '#search/search.ts';
import { globsInput } from '../globs.ts';
import {
  counted,
  countedPart,
  cursorInput,
  fewerNote,
  fitsAlone,
  fittingCount,
  limitsFor,
  maxResultsInput,
  pageOutput,
  type ShownItem,
} from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { linkedFiles, linkFacts, linkFields, linksTo } from './linkedFiles.ts';
import { matchText, withShortLines } from './matchText.ts';
import { literalNote, reasonsForNothing, withLiteralBrackets } from './noMatches.ts';
import { pathInput, searchRoots } from './pathInput.ts';
import { searchLimitSeconds, SearchTime, stoppedNote } from './searchTime.ts';

/** The most matches held in memory; with more, the search runs in path order only as far as the page needs. */
const maximumHeld = 10_000;
/** The most files of which one page can be made; a search with more is narrowed down. */
const maximumFiles = 50_000;

const linesInput = z.int().min(0).max(10).default(0);

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(4000)
    .refine((text) => !text.includes('\0'), { message: 'a text file cannot have a NUL character' })
    .describe('Finds this text'),
  path: pathInput.exactOptional().describe('Searches this folder or file'),
  isRegex: z.boolean().default(false).describe('Reads query as Rust regex, without look-around'),
  caseSensitive: z.boolean().default(false).describe('Distinguishes letter case'),
  wholeWord: z.boolean().default(false).describe('Matches whole words'),
  multiline: z.boolean().default(false).describe('Lets query span lines'),
  include: globsInput.describe('Keeps files by globs, as *.ts or src/**'),
  exclude: globsInput.describe('Drops files by globs'),
  includeIgnored: z.boolean().default(false).describe('Adds ignored and excluded files'),
  output: z.enum(['lines', 'files', 'counts']).default('lines').describe('Returns lines, paths or counts by file'),
  linesBefore: linesInput.describe('Adds lines before'),
  linesAfter: linesInput.describe('Adds lines after'),
  maxResults: maxResultsInput,
  cursor: cursorInput,
});

type Input = z.infer<typeof input>;

const match = z.object({
  file: z.string().describe('Workspace-relative path'),
  line: z.int().min(1).max(1_000_000_000).describe('1-based'),
  column: z.int().min(1).max(1_000_000_000).describe('1-based, of the first match on the line'),
  content: z.string().describe('The line; long ones are cut around the match'),
  before: z.array(z.string()).max(10).exactOptional().describe('Lines before'),
  after: z.array(z.string()).max(10).exactOptional().describe('Lines after'),
});

type Match = z.infer<typeof match>;

const fileOfPage = z.object({
  path: z.string().describe('Workspace-relative path'),
  uri: z.string().describe('URI of the file'),
  matches: z.int().min(1).max(10_000_000).describe('Matches in it; of lines, those on this page'),
  encoding: z.string().exactOptional().describe('Found by reading the file in this encoding, a guess'),
  ...linkFields,
});

/** The cursor position: path, line and column of the last match, and true when there are too many matches to hold. */
const position = z.tuple([z.string(), z.int(), z.int(), z.boolean()]);

type Position = z.infer<typeof position>;

const output = z.object({
  output: input.shape.output.unwrap().describe('As asked for'),
  matches: z.array(match).max(1000).describe('Sorted by path, line, column; empty for files and counts'),
  ...pageOutput,
  totalIsExact: z.boolean().describe('false: there are at least totalCount'),
  fileCount: z.int().min(0).max(10_000_000).describe('Files with matches; at least this many unless exact'),
  files: z
    .array(fileOfPage)
    .max(1000)
    .describe(`Files of this page with matches; of lines, those of the first ${linkedFiles} files`),
  redactedSecrets: redactedSecretsOutput,
  note: z.string().exactOptional().describe('How the query was taken, or why nothing may have been found'),
});

/** The `search_code` tool: searches text with the engine and settings of the editor. */
export const searchCode = defineTool({
  name: 'search_code',
  title: 'Search code',
  summary:
    "Find text or regular expressions, with the editor's own ripgrep, ignore files and excludes; unsaved text too.",
  toolset: 'workspace',
  risk: 'read',
  needs: ['files', 'search', 'workspace'],
  timeLimitSeconds: searchLimitSeconds,
  hasLongResults: true,
  description:
    'Find text or a regular expression, unsaved changes included; returns lines with path and number. ' +
    'Use find_files for names, find_references for symbols. ' +
    'Example: {"query":"class \\\\w+Cart","isRegex":true,"include":["*.ts"]}.',
  input: inputFromZod(input),
  output: outputFromZod(output),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run(asked, context, signal): Promise<z.infer<typeof output>> {
    const { cursor, maxResults: _maxResults, ...query } = asked;
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, position);
    const within = await searchRoots(context);
    using time = new SearchTime(signal);
    const { globs: include, literal } = await withLiteralBrackets(
      asked.include ?? [],
      { within, includeIgnored: asked.includeIgnored },
      context.search,
      time,
    );
    const textQuery = textQueryOf(asked, include, within);
    const limits = limitsFor(asked.maxResults, context.limits);
    const pageContext = { ...context, limits, time };
    const { shown, next, ...found } =
      asked.output === 'lines'
        ? await pageOfLines(textQuery, after, pageContext)
        : await pageOfFiles(textQuery, asked.output, after, pageContext);
    const isStopped = time.isUp;
    const notes = [
      ...(textQuery.multiline && !asked.multiline ? ['the query has a line break and was searched as multiline'] : []),
      ...literalNote(literal),
      ...(isStopped ? [stoppedNote] : []),
      ...(found.totalCount > 0 || isStopped
        ? []
        : await reasonsForNothing(textQuery, asked.include ?? [], context.search, time)),
      ...(found.totalCount > 0 || !/[^\0-\x7f]/.test(asked.query) ? [] : [otherEncodingNote]),
      ...(next === undefined ? [] : fewerNote(asked.maxResults, shown, limits)),
    ];
    return {
      output: asked.output,
      ...found,
      truncated: next !== undefined || isStopped,
      ...(next === undefined ? {} : { nextCursor: encodeCursor(query, next) }),
      ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
    };
  },
  render: (data) => ({
    text: [
      headline(data),
      ...matchText(data.matches),
      ...(data.output === 'lines' ? [] : data.files.map((one) => fileText(one, data.output))),
      ...data.files.flatMap(({ path, encoding }) =>
        encoding === undefined ? [] : [`(${path} was read as ${encoding}, a guess)`],
      ),
      ...(data.note === undefined ? [] : [`(${data.note})`]),
      ...secretsText(data.redactedSecrets),
      ...(data.nextCursor === undefined ? [] : [`(more: cursor ${data.nextCursor})`]),
    ].join('\n'),
    links: data.files.slice(0, linkedFiles).flatMap((one) =>
      linksTo(one, maximumResourceBytes.text).map((link) => ({
        ...link,
        description: counted(one.matches, 'match'),
      })),
    ),
  }),
});

const otherEncodingNote =
  'text that is not Unicode was searched as Windows-1252; in another encoding it is found when files.encoding names that';

interface Found {
  /** Sorted matches; only from the cursor on when the search is not complete. */
  readonly matches: readonly Match[];
  readonly files: ReadonlyMap<string, SearchedFile>;
  readonly totalCount: number;
  readonly fileCount: number;
  readonly isExact: boolean;
  /** True when `matches` reaches the end of the search. */
  readonly isComplete: boolean;
  /** True when no match before the last one of `matches` is missing, so that a page can follow. */
  readonly isInOrder: boolean;
}

type SearchedFile = FoundFile & Pick<FileMatches, 'encoding'>;

type Context = Pick<
  ToolContext<'files' | 'search' | 'workspace'>,
  'files' | 'search' | 'workspace' | 'targets' | 'resolve' | 'limits' | 'report'
>;

type FileOfPage = z.infer<typeof fileOfPage>;

/** One page, the number of its items, and the position after which the next page begins. */
interface Page extends Pick<z.infer<typeof output>, 'matches' | 'files' | 'totalCount' | 'totalIsExact' | 'fileCount'> {
  readonly shown: number;
  readonly next: Position | undefined;
}

type PageContext = Context & { readonly time: SearchTime };

async function pageOfLines(query: TextQuery, after: Position | undefined, context: PageContext): Promise<Page> {
  const { limits } = context;
  const found = await find(query, after, context);
  const [first, ...others] = found.matches.filter(
    (candidate) => after === undefined || comparePosition(candidate, after) > 0,
  );
  const fits = (one: Match): boolean => fitsAlone(shownMatch(one, undefined, found.files), limits);
  const rest = first === undefined ? [] : [withShortLines(first, fits), ...others];
  const count = fittingCount(rest, (one, before) => shownMatch(one, before, found.files), limits);
  const page = rest.slice(0, count);
  const last = page.at(-1);
  const isCut = count < rest.length || !found.isComplete;
  return {
    matches: page.map(asShown),
    files: await filesOf(page, found.files, context),
    totalCount: found.totalCount,
    totalIsExact: found.isExact,
    fileCount: found.fileCount,
    shown: page.length,
    next:
      isCut && found.isInOrder && last !== undefined ? [last.file, last.line, last.column, !found.isExact] : undefined,
  };
}

/** Makes a page of files instead of lines. Its search runs to the end if there is time, because only then the counts are known. */
async function pageOfFiles(
  query: TextQuery,
  kind: Input['output'],
  after: Position | undefined,
  context: PageContext,
): Promise<Page> {
  const { limits, report, time } = context;
  const byPath = new Map<string, SearchedFile & { readonly matches: number }>();
  let totalCount = 0;
  for await (const { matches, ...file } of time.during((signal) => context.search.text(query, signal))) {
    if (byPath.size >= maximumFiles) throw tooManyFiles();
    // A file with very many matches comes in several parts.
    byPath.set(file.path, { ...file, matches: (byPath.get(file.path)?.matches ?? 0) + matches.length });
    totalCount += matches.length;
    if (byPath.size % 1000 === 0) report(`${totalCount} matches in ${byPath.size} files so far`);
  }
  const rest = [...byPath.values()]
    .filter(({ path }) => after === undefined || comparePaths(path, after[0]) > 0)
    .toSorted((one, other) => comparePaths(one.path, other.path));
  const described = await Promise.all(
    rest.slice(0, limits.maxResults).map(async (file, at): Promise<FileOfPage> => ({
      path: visible(file.path),
      uri: file.uri,
      matches: file.matches,
      ...encodingOf(file),
      ...(at < linkedFiles ? await linkFacts(file.fsPath, context) : {}),
    })),
  );
  const show = (one: FileOfPage): ShownItem => ({ text: fileText(one, kind), data: [one] });
  const count = fittingCount(described, show, limits);
  const last = rest[count - 1];
  return {
    matches: [],
    files: described.slice(0, count),
    totalCount,
    totalIsExact: !time.isUp,
    fileCount: byPath.size,
    shown: count,
    next: count < rest.length && !time.isUp && last !== undefined ? [last.path, 0, 0, false] : undefined,
  };
}

function tooManyFiles(): ToolError {
  return new ToolError(
    'too_large',
    `More than ${maximumFiles} files match.`,
    'Narrow the search by path or include, or ask for output "lines".',
  );
}

function headline({ output: kind, matches, files, ...all }: z.infer<typeof output>): string {
  if (kind === 'lines') {
    const found = countedPart(matches.length, all.totalCount, 'match', all.totalIsExact);
    return `${found} in ${counted(all.fileCount, 'file')}`;
  }
  return `${countedPart(files.length, all.fileCount, 'file', all.totalIsExact)} with ${counted(all.totalCount, 'match')}`;
}

function fileText({ path, matches }: Pick<FileOfPage, 'path' | 'matches'>, kind: Input['output']): string {
  return kind === 'counts' ? `${path}\t${matches}` : path;
}

/**
 * Searches in parallel to the end. With too many matches to hold, searches again in path order, from the cursor on and only
 * as far as a page needs.
 */
async function find(query: TextQuery, after: Position | undefined, context: PageContext): Promise<Found> {
  const { limits, report, search, time } = context;
  const searched = (sorted: boolean): AsyncIterable<FileMatches> =>
    time.during((signal) => search.text({ ...query, sorted }, signal));
  if (after?.[3] !== true) {
    const all = await collect(searched(false), () => true, maximumHeld, report);
    const isExact = !time.isUp;
    // A parallel search that was stopped may have left out matches in any file.
    if (all.isComplete || time.isUp) {
      return { ...all, matches: all.matches.toSorted(compareMatches), isExact, isInOrder: isExact };
    }
  }
  const most = limits.maxResults + 1;
  const isNext = (candidate: Match): boolean => after === undefined || comparePosition(candidate, after) > 0;
  const next = await collect(searched(true), isNext, most, report);
  return {
    ...next,
    totalCount: Math.max(maximumHeld, next.totalCount),
    isExact: false,
    isComplete: next.isComplete && !time.isUp,
    isInOrder: true,
  };
}

function textQueryOf(asked: Input, include: readonly string[], within: TextQuery['within']): TextQuery {
  return {
    within,
    include,
    exclude: asked.exclude ?? [],
    includeIgnored: asked.includeIgnored,
    pattern: asked.query,
    isRegex: asked.isRegex,
    caseSensitive: asked.caseSensitive,
    wholeWord: asked.wholeWord,
    multiline: asked.multiline || /[\r\n]/.test(asked.query),
    ...(asked.output === 'lines'
      ? { linesBefore: asked.linesBefore, linesAfter: asked.linesAfter }
      : { linesBefore: 0, linesAfter: 0 }),
    sorted: false,
  };
}

async function collect(
  source: AsyncIterable<FileMatches>,
  isWanted: (candidate: Match) => boolean,
  most: number,
  report: (message: string) => void,
): Promise<Omit<Found, 'isExact' | 'isInOrder'>> {
  const matches: Match[] = [];
  const files = new Map<string, SearchedFile>();
  let totalCount = 0;
  let fileCount = 0;
  let current: string | undefined;
  for await (const { matches: lines, ...found } of source) {
    const { path } = found;
    if (path !== current) fileCount += 1;
    if (path !== current && fileCount % 100 === 0) report(`${totalCount} matches in ${fileCount} files so far`);
    current = path;
    for (const line of lines) {
      totalCount += 1;
      const candidate = matchOf(path, line);
      if (!isWanted(candidate)) continue;
      files.set(path, found);
      matches.push(candidate);
      if (matches.length > most) return { matches, files, totalCount, fileCount, isComplete: false };
    }
  }
  return { matches, files, totalCount, fileCount, isComplete: true };
}

function asShown(found: Match): Match {
  return { ...found, file: visible(found.file) };
}

function matchOf(path: string, { line, column, text, before, after }: LineMatch): Match {
  return {
    file: path,
    line,
    column,
    content: text,
    ...(before.length > 0 ? { before: [...before] } : {}),
    ...(after.length > 0 ? { after: [...after] } : {}),
  };
}

async function filesOf(
  page: readonly Match[],
  found: ReadonlyMap<string, SearchedFile>,
  context: Context,
): Promise<z.infer<typeof fileOfPage>[]> {
  const byPath = [...Map.groupBy(page, ({ file }) => file)].slice(0, linkedFiles);
  return Promise.all(
    byPath.map(async ([path, { length }]) => ({
      path: visible(path),
      uri: found.get(path)?.uri ?? '',
      matches: length,
      ...encodingOf(found.get(path)),
      ...(await linkFacts(found.get(path)?.fsPath ?? '', context)),
    })),
  );
}

function encodingOf(searched: SearchedFile | undefined): { readonly encoding?: string } {
  return searched?.encoding === undefined ? {} : { encoding: searched.encoding };
}

/** Returns the form of a match on the page; the first match of a file adds the path and an entry in `files`. */
function shownMatch(found: Match, before: Match | undefined, files: ReadonlyMap<string, FoundFile>): ShownItem {
  const shown = asShown(found);
  const [path = '', ...lines] = matchText([shown]);
  const gap = found.before === undefined && found.after === undefined ? [] : ['--'];
  if (before?.file === found.file) return { text: [...gap, ...lines].join('\n'), data: [shown] };
  const entry = {
    path,
    uri: files.get(found.file)?.uri,
    matches: 1000,
    size: 1e9,
    lastModified: '2000-01-01T00:00:00.000Z',
  };
  return { text: [path, ...lines].join('\n'), data: [shown, entry] };
}

function compareMatches(one: Match, other: Match): number {
  return comparePaths(one.file, other.file) || one.line - other.line || one.column - other.column;
}

function comparePosition({ file, line, column }: Match, [afterPath, afterLine, afterColumn]: Position): number {
  return comparePaths(file, afterPath) || line - afterLine || column - afterColumn;
}
