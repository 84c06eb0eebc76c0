import * as z from 'zod';
import type { DirectoryEntry, ResolvedPath } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { ToolError } from '#base/toolError.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import type { FileQuery } from '#search/search.ts';
import { countedPart, cursorInput, fewerNote, fittingCount, limitsFor, maxResultsInput, pageOutput } from '../page.ts';
import { pathInput } from './pathInput.ts';
import { type ListedPath, mostLines, pathTree } from './pathTree.ts';

const maximumEntries = 100_000;
/** Directories that one command line of ripgrep leaves out. */
const mostExcluded = 500;

const entry = z.object({
  path: z.string().describe('Workspace-relative path'),
  kind: z.enum(['file', 'directory', 'link', 'other']).describe('Kind; links are not followed'),
  size: z.int().min(0).max(1_000_000_000_000_000).exactOptional().describe('Bytes of a file'),
});

type Entry = z.infer<typeof entry>;

/** The `list_directory` tool: lists a directory, one or more levels deep. */
export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List directory',
  toolset: 'workspace',
  risk: 'read',
  needs: ['files', 'search', 'workspace'],
  worksUntrusted: true,
  hasLongResults: true,
  description: 'List a directory with sizes, one or more levels deep; ignored directories are not entered.',
  example: { path: 'src', depth: 2 },
  input: inputFromZod(
    z.strictObject({
      path: pathInput.exactOptional().describe('Lists this directory'),
      depth: z.int().min(1).max(5).default(1).describe('Lists this many levels'),
      maxResults: maxResultsInput,
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(
    z.object({
      entries: z.array(entry).max(1000).describe('Sorted by path'),
      ...pageOutput,
      note: z.string().exactOptional().describe('Why the page has fewer than maxResults'),
    }),
  ),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run({ cursor, maxResults, ...query }, context, signal) {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, z.string());
    const all = await entriesOf(query.depth, context, signal);
    const rest = all.filter(({ path }) => after === undefined || comparePaths(path, after) > 0);
    const limits = limitsFor(maxResults, context.limits);
    const measured = await Promise.all(rest.slice(0, limits.maxResults).map((found) => withSize(found, context)));
    const show = (one: Entry, before: Entry | undefined) => ({
      text: mostLines(shownEntry(one), before && shownEntry(before)),
      data: [one],
    });
    const count = fittingCount(measured, show, limits);
    const entries = measured.slice(0, count);
    const last = rest[count - 1];
    const truncated = count < rest.length;
    const [note] = truncated ? fewerNote(maxResults, count, limits) : [];
    return {
      entries,
      totalCount: all.length,
      truncated,
      ...(note === undefined ? {} : { note }),
      ...(truncated && last !== undefined ? { nextCursor: encodeCursor(query, last.path) } : {}),
    };
  },
  render: (data) => ({
    text: [
      countedPart(data.entries.length, data.totalCount, 'entry'),
      ...pathTree(data.entries.map(shownEntry)),
      ...(data.note === undefined ? [] : [`(${data.note})`]),
      ...(data.nextCursor === undefined ? [] : [`(more: cursor ${data.nextCursor})`]),
    ].join('\n'),
  }),
});

type Context = Pick<
  ToolContext<'files' | 'search' | 'workspace'>,
  'files' | 'search' | 'workspace' | 'targets' | 'resolve'
>;

/** Returns sorted entries. Without a path: the entries of the only folder, or several folders as the first level. */
async function entriesOf(depth: number, context: Context, signal: AbortSignal): Promise<readonly DirectoryEntry[]> {
  const [target] = context.targets;
  const folders = context.workspace.folders();
  const roots =
    target === undefined ? await Promise.all(folders.map(({ fsPath }) => context.resolve(fsPath))) : [target];
  const [only, another] = roots;
  const first = only !== undefined && another === undefined ? await context.files.list(only) : roots.map(folderEntry);
  const entered = new Set<string>();
  if (depth > 1) {
    // Two levels open the first directories alone, so that the look may end when each of them has a file.
    const left = depth === 2 ? new Set(directoriesIn(first).map(({ path }) => path)) : undefined;
    await enterDirectories({ within: roots, exclude: [], maxDepth: depth + 2 }, entered, context, signal, left);
  }
  let all = first;
  let level: readonly DirectoryEntry[] = first;
  for (let reached = 1; reached < depth && level.length > 0; reached += 1) {
    const directories = directoriesIn(level);
    await lookDeeper(directories, roots, entered, context, signal);
    const open = directories.filter(({ path }) => entered.has(path));
    const lists = await Promise.all(open.map(({ fsPath }) => listOne(fsPath, context)));
    signal.throwIfAborted();
    level = lists.flat();
    all = all.concat(level);
    if (all.length > maximumEntries) throw tooMany();
  }
  return all.toSorted((one, other) => comparePaths(one.path, other.path));
}

function directoriesIn(entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
  return entries.filter(({ kind }) => kind === 'directory');
}

/**
 * Adds the directories with a file that is not ignored or excluded, so that a deep listing skips dependencies.
 * @param left paths of directories; the search ends when all of them are found
 */
async function enterDirectories(
  query: Pick<FileQuery, 'within' | 'exclude' | 'maxDepth'>,
  entered: Set<string>,
  { search }: Pick<Context, 'search'>,
  signal: AbortSignal,
  left?: Set<string>,
): Promise<void> {
  for await (const { path } of search.files({ include: [], includeIgnored: false, ...query }, signal)) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end);
      if (entered.has(directory)) break;
      entered.add(directory);
      left?.delete(directory);
    }
    if (left?.size === 0) return;
  }
}

/**
 * Adds those of the directories whose files lie deeper than the first look goes. It leaves out the other ones, because the tree below them may
 * be very large; the rest is ignored, empty, or quickly found.
 */
async function lookDeeper(
  directories: readonly DirectoryEntry[],
  within: readonly ResolvedPath[],
  entered: Set<string>,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const left = new Set(directories.flatMap(({ path }) => (entered.has(path) ? [] : [path])));
  if (left.size === 0) return;
  // A name with a character of globs is looked through again.
  const exclude = directories.flatMap(({ path, fsPath }) =>
    entered.has(path) && !/[*?[\]{}!\\]/.test(path) ? [fsPath] : [],
  );
  await enterDirectories({ within, exclude: exclude.slice(0, mostExcluded) }, entered, context, signal, left);
}

async function listOne(fsPath: string, { files, resolve }: Context): Promise<readonly DirectoryEntry[]> {
  try {
    return await files.list(await resolve(fsPath));
  } catch (error) {
    // A directory that vanished or is denied does not spoil the rest of the tree.
    if (error instanceof ToolError) return [];
    throw error;
  }
}

function folderEntry({ folder, path, uri, fsPath }: ResolvedPath): DirectoryEntry {
  return { folder, path, uri, fsPath, name: folder.name, kind: 'directory' };
}

async function withSize({ path, kind, fsPath }: DirectoryEntry, { files }: Pick<Context, 'files'>): Promise<Entry> {
  // A file deleted meanwhile has no size.
  const size =
    kind === 'file'
      ? await files.locate(fsPath, 'read').then(
          (found) => found.size,
          () => undefined,
        )
      : undefined;
  return { path: visible(path), kind, ...(size === undefined ? {} : { size }) };
}

function shownEntry({ path, kind, size }: Entry): ListedPath {
  const facts = { directory: '', file: size === undefined ? '' : `\t${size}`, link: '\t(link)', other: '\t(other)' };
  return { path, isDirectory: kind === 'directory', facts: facts[kind] };
}

function tooMany(): ToolError {
  return new ToolError(
    'too_large',
    `The listing has more than ${maximumEntries} entries.`,
    'Use a smaller depth or a deeper path.',
  );
}
