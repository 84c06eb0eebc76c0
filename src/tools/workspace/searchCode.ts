import * as z from 'zod';
import type { FoundFile } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, maximumResourceBytes, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import type { FileMatches, LineMatch, TextQuery } from '#search/search.ts';
import { globsInput } from '../globs.ts';
import { counted, cursorInput, fitsAlone, fittingCount, maxResultsInput, pageOutput, type ShownItem } from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { linkedFiles, linkFacts, linkFields, linksTo } from './linkedFiles.ts';
import { matchText, withShortLines } from './matchText.ts';
import { pathInput, searchRoots } from './pathInput.ts';

/** The most matches held in memory; with more, the search runs in path order only as far as the page needs. */
const maximumHeld = 10_000;

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(4000)
    .refine((text) => !text.includes('\0'), { message: 'a text file cannot have a NUL character' })
    .describe('Text to find'),
  path: pathInput.exactOptional().describe('Folder or file to search in; everywhere unless given'),
  isRegex: z.boolean().default(false).describe('query is a Rust regex: no look-around, no backreferences'),
  caseSensitive: z.boolean().default(false).describe('Distinguish letter case'),
  wholeWord: z.boolean().default(false).describe('Match whole words only'),
  multiline: z.boolean().default(false).describe('query may span lines'),
  include: globsInput.describe('Only files matching a glob, e.g. ["*.ts","src/**"]'),
  exclude: globsInput.describe('No files matching a glob'),
  contextLines: z.int().min(0).max(10).default(0).describe('Lines to show before and after'),
  maxResults: maxResultsInput,
  cursor: cursorInput,
});

type Input = z.infer<typeof input>;

const match = z.object({
  path: z.string().describe('Workspace-relative path'),
  line: z.int().min(1).max(1_000_000_000).describe('1-based'),
  column: z.int().min(1).max(1_000_000_000).describe('1-based, of the first match on the line'),
  text: z.string().describe('The line; long ones are cut around the match'),
  before: z.array(z.string()).max(10).exactOptional().describe('Lines before'),
  after: z.array(z.string()).max(10).exactOptional().describe('Lines after'),
});

type Match = z.infer<typeof match>;

const file = z.object({
  path: z.string().describe('Workspace-relative path'),
  uri: z.string().describe('URI of the file'),
  matches: z.int().min(1).max(10_000_000).describe('Matches in it, on this page'),
  ...linkFields,
});

/** The cursor position: path, line and column of the last match, and true when there are too many matches to hold. */
const position = z.tuple([z.string(), z.int(), z.int(), z.boolean()]);

type Position = z.infer<typeof position>;

const output = z.object({
  matches: z.array(match).max(1000).describe('Sorted by path, line, column'),
  ...pageOutput,
  totalIsExact: z.boolean().describe('false: there are at least totalCount'),
  fileCount: z.int().min(0).max(10_000_000).describe('Files with matches; at least this many unless exact'),
  files: z.array(file).max(linkedFiles).describe(`Files of this page, the first ${linkedFiles}`),
  redactedSecrets: redactedSecretsOutput,
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
  timeLimitSeconds: 20,
  description:
    'Find lines by text or regular expression, unsaved changes included, ignored files left out. ' +
    'Use find_files for names of files, find_references for uses of a symbol. ' +
    'Example: {"query":"class \\\\w+Cart","isRegex":true,"include":["*.ts"]}.',
  input: inputFromZod(input),
  output: outputFromZod(output),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run(asked, context, signal): Promise<z.infer<typeof output>> {
    const { cursor, maxResults: _maxResults, ...query } = asked;
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, position);
    const found = await find(asked, after, context, signal);
    const [next, ...others] = found.matches.filter(
      (candidate) => after === undefined || comparePosition(candidate, after) > 0,
    );
    const fits = (one: Match): boolean => fitsAlone(shownMatch(one, undefined, found.files), context.limits);
    const rest = next === undefined ? [] : [withShortLines(next, fits), ...others];
    const maxItems = asked.maxResults ?? context.limits.maxResults;
    const count = fittingCount(rest, (one, before) => shownMatch(one, before, found.files), maxItems, context.limits);
    const page = rest.slice(0, count);
    const last = page.at(-1);
    const truncated = count < rest.length || !found.isComplete;
    return {
      matches: page.map(asShown),
      totalCount: found.totalCount,
      totalIsExact: found.isExact,
      fileCount: found.fileCount,
      truncated,
      ...(truncated && last !== undefined
        ? { nextCursor: encodeCursor(query, [last.path, last.line, last.column, !found.isExact]) }
        : {}),
      files: await filesOf(page, found.files, context),
    };
  },
  render: (data) => ({
    text: [
      `${data.totalIsExact ? '' : 'at least '}${counted(data.totalCount, 'match')} in ${counted(data.fileCount, 'file')}`,
      ...matchText(data.matches),
      ...secretsText(data.redactedSecrets),
      ...(data.nextCursor === undefined ? [] : [`(more: cursor ${data.nextCursor})`]),
    ].join('\n'),
    links: data.files.flatMap((one) =>
      linksTo(one, maximumResourceBytes.text).map((link) => ({ ...link, description: counted(one.matches, 'match') })),
    ),
  }),
});

interface Found {
  /** Sorted matches; only from the cursor on when the search is not complete. */
  readonly matches: readonly Match[];
  readonly files: ReadonlyMap<string, FoundFile>;
  readonly totalCount: number;
  readonly fileCount: number;
  readonly isExact: boolean;
  /** True when `matches` reaches the end of the search. */
  readonly isComplete: boolean;
}

type Context = Pick<
  ToolContext<'files' | 'search' | 'workspace'>,
  'files' | 'search' | 'workspace' | 'targets' | 'resolve' | 'limits' | 'report'
>;

/**
 * Searches in parallel to the end. With too many matches to hold, searches again in path order, from the cursor on and only
 * as far as a page needs.
 */
async function find(asked: Input, after: Position | undefined, context: Context, signal: AbortSignal): Promise<Found> {
  const query: TextQuery = {
    within: await searchRoots(context),
    include: asked.include ?? [],
    exclude: asked.exclude ?? [],
    includeIgnored: false,
    pattern: asked.query,
    isRegex: asked.isRegex,
    caseSensitive: asked.caseSensitive,
    wholeWord: asked.wholeWord,
    multiline: asked.multiline || asked.query.includes('\n'),
    contextLines: asked.contextLines,
    sorted: false,
  };
  if (after?.[3] !== true) {
    const all = await collect(context.search.text(query, signal), () => true, maximumHeld, context.report);
    if (all.isComplete) return { ...all, matches: all.matches.toSorted(compareMatches), isExact: true };
  }
  const most = (asked.maxResults ?? context.limits.maxResults) + 1;
  const isNext = (candidate: Match): boolean => after === undefined || comparePosition(candidate, after) > 0;
  const next = await collect(context.search.text({ ...query, sorted: true }, signal), isNext, most, context.report);
  return { ...next, totalCount: Math.max(maximumHeld, next.totalCount), isExact: false };
}

async function collect(
  source: AsyncIterable<FileMatches>,
  isWanted: (candidate: Match) => boolean,
  most: number,
  report: (message: string) => void,
): Promise<Omit<Found, 'isExact'>> {
  const matches: Match[] = [];
  const files = new Map<string, FoundFile>();
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
  return { ...found, path: visible(found.path) };
}

function matchOf(path: string, { line, column, text, before, after }: LineMatch): Match {
  return {
    path,
    line,
    column,
    text,
    ...(before.length > 0 ? { before: [...before] } : {}),
    ...(after.length > 0 ? { after: [...after] } : {}),
  };
}

async function filesOf(
  page: readonly Match[],
  found: ReadonlyMap<string, FoundFile>,
  context: Context,
): Promise<z.infer<typeof file>[]> {
  const byPath = [...Map.groupBy(page, ({ path }) => path)].slice(0, linkedFiles);
  return Promise.all(
    byPath.map(async ([path, { length }]) => ({
      path: visible(path),
      uri: found.get(path)?.uri ?? '',
      matches: length,
      ...(await linkFacts(found.get(path)?.fsPath ?? '', context)),
    })),
  );
}

/** Returns the form of a match on the page; the first match of a file adds the path and an entry in `files`. */
function shownMatch(found: Match, before: Match | undefined, files: ReadonlyMap<string, FoundFile>): ShownItem {
  const shown = asShown(found);
  const [path = '', ...lines] = matchText([shown]);
  const gap = found.before === undefined && found.after === undefined ? [] : ['--'];
  if (before?.path === found.path) return { text: [...gap, ...lines].join('\n'), data: [shown] };
  const entry = {
    path,
    uri: files.get(found.path)?.uri,
    matches: 1000,
    size: 1e9,
    lastModified: '2000-01-01T00:00:00.000Z',
  };
  return { text: [path, ...lines].join('\n'), data: [shown, entry] };
}

function compareMatches(one: Match, other: Match): number {
  return comparePaths(one.path, other.path) || one.line - other.line || one.column - other.column;
}

function comparePosition({ path, line, column }: Match, [afterPath, afterLine, afterColumn]: Position): number {
  return comparePaths(path, afterPath) || line - afterLine || column - afterColumn;
}
