import * as z from 'zod';
import type { FoundFile } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, maximumResourceBytes, outputFromZod } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { anyCaseGlob, globInput } from '../globs.ts';
import { countedPart, cursorInput, fewerNote, fittingCount, limitsFor, maxResultsInput, pageOutput } from '../page.ts';
import { linkedFiles, linkFacts, linkFields, linksTo } from './linkedFiles.ts';
import { literalNote, reasonsForNothing, withLiteralBrackets } from './noMatches.ts';
import { pathInput, searchRoots } from './pathInput.ts';
import { searchLimitSeconds, SearchTime, stoppedNote } from './searchTime.ts';
import { type ListedPath, mostLines, pathTree } from './pathTree.ts';

const file = z.object({
  path: z.string().describe('Workspace-relative path'),
  uri: z.string().describe('URI of the file'),
  ...linkFields,
});

/** The `find_files` tool: finds files by a glob or a part of their path. */
export const findFiles = defineTool({
  name: 'find_files',
  title: 'Find files',
  toolset: 'workspace',
  risk: 'read',
  needs: ['files', 'search', 'workspace'],
  timeLimitSeconds: searchLimitSeconds,
  hasLongResults: true,
  description:
    'Find files by a glob or a part of their path; returns paths. ' +
    'Use search_code for text inside files. Example: {"query":"src/**/*.test.ts"}.',
  input: inputFromZod(
    z.strictObject({
      query: globInput.describe('Gives a glob, or a part of the name in any case'),
      path: pathInput.exactOptional().describe('Looks in this folder'),
      includeIgnored: z.boolean().default(false).describe('Adds ignored and excluded files'),
      maxResults: maxResultsInput,
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(
    z.object({
      files: z.array(file).max(1000).describe('Sorted by path'),
      ...pageOutput,
      note: z.string().exactOptional().describe('How the query was taken, or why nothing may have been found'),
    }),
  ),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run({ cursor, maxResults, ...query }, context, signal) {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, z.string());
    const limits = limitsFor(maxResults, context.limits);
    using time = new SearchTime(signal);
    const asked = isGlob(query.query)
      ? query.query
      : anyCaseGlob(withoutFolder(query.query, context.workspace.folders()));
    const places = { within: await searchRoots(context), includeIgnored: query.includeIgnored };
    const { globs: include, literal } = isGlob(query.query)
      ? await withLiteralBrackets([asked], places, context.search, time)
      : { globs: [asked], literal: [] };
    const fileQuery = { ...places, include, exclude: [] };
    const found = time.during((until) => context.search.files(fileQuery, until));
    const smallest = new SmallestPaths(limits.maxResults + 1);
    let totalCount = 0;
    for await (const one of found) {
      totalCount += 1;
      if (totalCount % 10_000 === 0) context.report(`${totalCount} files so far`);
      if (after === undefined || comparePaths(one.path, after) > 0) smallest.add(one);
    }
    const isStopped = time.isUp;
    const rest = smallest.sorted();
    const described = await Promise.all(
      rest.map(async ({ path, uri, fsPath }, at) => ({
        path: visible(path),
        uri,
        ...(at < linkedFiles ? await linkFacts(fsPath, context) : {}),
      })),
    );
    const show = (one: Listed, before: Listed | undefined) => ({
      text: mostLines(shownFile(one), before && shownFile(before)),
      data: [one],
    });
    const count = fittingCount(described, show, limits);
    const last = rest[count - 1];
    const hasMore = count < rest.length;
    const notes = [
      ...literalNote(literal),
      ...(isStopped ? [stoppedNote] : []),
      ...(totalCount > 0 || isStopped ? [] : await reasonsForNothing(fileQuery, [query.query], context.search, time)),
      ...(hasMore ? fewerNote(maxResults, count, limits) : []),
    ];
    return {
      files: described.slice(0, count),
      totalCount,
      truncated: hasMore || isStopped,
      // A search that was stopped may have left out files of any folder, so there is no next page.
      ...(hasMore && !isStopped && last !== undefined ? { nextCursor: encodeCursor(query, last.path) } : {}),
      ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
    };
  },
  render: (data) => ({
    text: [
      countedPart(data.files.length, data.totalCount, 'file'),
      ...pathTree(data.files.map(shownFile)),
      ...(data.note === undefined ? [] : [`(${data.note})`]),
      ...(data.nextCursor === undefined ? [] : [`(more: cursor ${data.nextCursor})`]),
    ].join('\n'),
    // The limit of binary files applies, because any file may be binary.
    links: data.files.slice(0, linkedFiles).flatMap((one) => linksTo(one, maximumResourceBytes.binary)),
  }),
});

type Listed = Pick<z.infer<typeof file>, 'path'>;

function shownFile({ path }: Listed): ListedPath {
  return { path, isDirectory: false, facts: '' };
}

/** Keeps the first files in path order out of any number. */
class SmallestPaths {
  readonly #most: number;
  #kept: FoundFile[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(found: FoundFile): void {
    this.#kept.push(found);
    if (this.#kept.length > this.#most * 4) this.#kept = this.sorted();
  }

  sorted(): FoundFile[] {
    return this.#kept.toSorted((one, other) => comparePaths(one.path, other.path)).slice(0, this.#most);
  }
}

function isGlob(query: string): boolean {
  return /[*?[{]/.test(query);
}

/** Turns an absolute path into one relative to its folder, as globs are. */
function withoutFolder(query: string, folders: readonly WorkspaceFolder[]): string {
  const root = folders
    .flatMap(({ fsPath, realPath }) => [`${fsPath}/`, `${realPath}/`])
    .find((one) => query.replaceAll('\\', '/').startsWith(one.replaceAll('\\', '/')));
  return root === undefined ? query : query.slice(root.length).replaceAll('\\', '/');
}
