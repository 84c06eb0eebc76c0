import { access, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodingLabel } from '#base/encodings.ts';
import type { FoundFile, ResolvedPath } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { TimeSlice } from '#base/timeSlice.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { folderContaining, fsPathOf, joinPath, pathOf, relativeTo, uriOf } from '#policy/paths.ts';
import { isReadable, type PathRules, privateGlobs } from '#policy/protectedPaths.ts';
import type { FileMatches, FileQuery, LineMatch, OffsetRange, Search, TextQuery } from '../search.ts';
import { printedFiles, type PrintOptions } from './output.ts';
import { otherEncodings, isUtf8 } from './otherEncodings.ts';
import { patternArguments } from './searchArguments.ts';
import { outputOf, type Run } from './runRipgrep.ts';
import { rootsOf, scopeOf, type Scope, type SearchSettings } from './scope.ts';
import { Semaphore } from './semaphore.ts';

/** The text of an open document with unsaved changes. */
export interface UnsavedText {
  readonly fsPath: string;
  readonly text: string;
}

/** Facts of the editor that the search needs. */
export interface SearchFacts {
  /** Returns the path of ripgrep. It is called before every search, so that a later search can succeed after a failure. */
  readonly program: () => Promise<string>;
  readonly folders: () => readonly WorkspaceFolder[];
  readonly settings: (folder: WorkspaceFolder) => SearchSettings;
  readonly unsavedTexts: () => readonly UnsavedText[];
  readonly pathRules: PathRules;
}

/** Number of searches that run at a time in one window. */
const concurrentSearches = 2;
/** Number of unsaved texts that one search looks at at a time. */
const concurrentUnsaved = 4;

/** Creates a search that runs ripgrep for every query. */
export function createRipgrepSearch(facts: SearchFacts): Search {
  const semaphore = new Semaphore(concurrentSearches);
  async function* inSlot<T>(signal: AbortSignal, work: (program: string) => AsyncIterable<T>): AsyncGenerator<T> {
    const release = await semaphore.acquire(signal);
    try {
      yield* work(await facts.program());
    } finally {
      release();
    }
  }
  return {
    text: (query, signal) => inSlot(signal, (program) => searchText(facts, program, query, signal)),
    files: (query, signal) => inSlot(signal, (program) => searchFiles(facts, program, query, signal)),
    closedFiles: (query, signal) => inSlot(signal, (program) => listClosed(facts, program, query, signal)),
    // This runs in the slot of the search whose file it looks at; with a slot of its own, two searches could wait for each other.
    inText: async (query, text, hidden, signal) =>
      searchOneText(await facts.program(), query, { text, hidden }, signal),
  };
}

async function* searchText(
  facts: SearchFacts,
  program: string,
  query: TextQuery,
  signal: AbortSignal,
): AsyncGenerator<FileMatches> {
  for (const part of await partsOf(facts, query)) {
    const unsaved = await unsavedIn(facts, part);
    const pattern = printArguments(query);
    const rest = await searchUnsaved(
      part,
      unsaved,
      (text) => ({
        program,
        arguments: [...pattern, '--', '-'],
        workingDirectory: part.folder.realPath,
        input: text,
      }),
      query,
      signal,
    );
    const shadowed = new Set(unsaved.map(({ relative }) => relative));
    for (const [relative, found] of await searchOtherEncodings(part, program, pattern, query, signal)) {
      if (shadowed.has(relative)) continue;
      shadowed.add(relative);
      rest.push(found);
    }
    rest.sort((one, other) => comparePaths(one.path, other.path));
    const encoding = encodingLabel(part.settings.encoding);
    for await (const found of searchDisk(part, program, pattern, query, encoding, signal)) {
      if (shadowed.has(found.relative)) continue;
      const { relative: _relative, ...file } = found;
      while (query.sorted && rest[0] !== undefined && comparePaths(rest[0].path, file.path) < 0)
        yield* rest.splice(0, 1);
      yield file;
    }
    yield* rest;
  }
}

/** Returns the arguments for a pattern that are the same for files and texts. */
function printArguments(query: TextQuery): readonly string[] {
  const { linesBefore, linesAfter } = query;
  const around = ['--before-context', String(linesBefore), '--after-context', String(linesAfter)];
  return [...patternArguments(query), ...around, '--json', '--no-config'];
}

async function searchOneText(
  program: string,
  query: TextQuery,
  { text, hidden }: { readonly text: string; readonly hidden: readonly OffsetRange[] },
  signal: AbortSignal,
): Promise<readonly LineMatch[]> {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const counts = (line: number, start: number, end: number): boolean => {
    const lineStart = starts[line - 1] ?? 0;
    return !hidden.some((range) => touches({ start: lineStart + start, end: lineStart + end }, range));
  };
  const { flag: _flag, ...plainQuery } = query;
  const run = {
    program,
    arguments: [...printArguments(plainQuery), '--', '-'],
    workingDirectory: tmpdir(),
    input: text,
  };
  const matches: LineMatch[] = [];
  const { linesBefore, linesAfter } = query;
  for await (const found of printedFiles(outputOf(run, signal), { linesBefore, linesAfter, counts })) {
    matches.push(...found.matches);
  }
  return matches;
}

/** Returns whether a match has a character of the range, or is an empty match inside it. */
function touches(match: OffsetRange, range: OffsetRange): boolean {
  return match.start < range.end && match.end > range.start;
}

/** Files with matches in another encoding that one search keeps in memory. */
const mostOtherFiles = 1000;

/**
 * Searches for letters that other encodings write differently, and keeps the files that are not as the first search reads them. The
 * first search is not changed by this, so that it finds the same in UTF-8 files.
 */
async function searchOtherEncodings(
  part: Part,
  program: string,
  pattern: readonly string[],
  query: TextQuery,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileMatches>> {
  const all = new Map<string, FileMatches>();
  for (const { encoding, label, isForUtf8 } of otherEncodings(query.pattern, part.settings)) {
    for await (const { relative, ...found } of searchDisk(part, program, pattern, query, label, signal)) {
      if (all.has(relative) || isForUtf8 !== (await isUtf8(joinPath(part.folder.realPath, relative)))) continue;
      all.set(relative, { ...found, encoding });
      if (all.size >= mostOtherFiles) return all;
    }
  }
  return all;
}

async function* searchDisk(
  part: Part,
  program: string,
  pattern: readonly string[],
  query: TextQuery,
  encoding: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<FileMatches & { readonly relative: string }> {
  const output = outputOf(
    {
      program,
      arguments: [
        ...pattern,
        ...part.walkArguments,
        ...(encoding === undefined ? [] : ['--encoding', encoding]),
        ...(query.sorted ? ['--sort', 'path'] : []),
        '--',
        ...part.roots.map((root) => `./${root}`),
      ],
      workingDirectory: part.folder.realPath,
    },
    signal,
  );
  for await (const { path, ...found } of printedFiles(output, printOptions(query))) {
    const relative = plain(path);
    if (await admits(part, relative)) yield { relative, ...part.file(relative), ...found };
  }
}

async function* searchFiles(
  facts: SearchFacts,
  program: string,
  query: FileQuery,
  signal: AbortSignal,
): AsyncGenerator<FoundFile> {
  for (const part of await partsOf(facts, query)) {
    for await (const relative of listed(part, program, part.walkArguments, signal)) {
      if (await admits(part, relative)) yield part.file(relative);
    }
  }
}

async function* listClosed(
  facts: SearchFacts,
  program: string,
  query: FileQuery,
  signal: AbortSignal,
): AsyncGenerator<FoundFile> {
  for (const part of await partsOf(facts, query)) {
    for await (const relative of listed(part, program, [...walk, ...part.scope.closedArguments], signal)) {
      if (part.timeSlice.isUsedUp) await part.timeSlice.yieldToEventLoop();
      if (!isOpen(part, relative)) yield part.file(relative);
    }
  }
}

/** Lists the files of a walk, relative to the folder. */
async function* listed(
  part: Part,
  program: string,
  walkArguments: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const roots = part.roots.map((root) => `./${root}`);
  const all = ['--files', '--null', '--no-config', ...walkArguments, '--', ...roots];
  let rest = '';
  for await (const piece of outputOf({ program, arguments: all, workingDirectory: part.folder.realPath }, signal)) {
    const paths = (rest + piece).split('\0');
    rest = paths.pop() ?? '';
    for (const path of paths) yield plain(path);
  }
}

/** Arguments of every walk. */
const walk = ['--hidden', '--no-follow', '--no-messages', '--path-separator', '/'];

/** A search in one workspace folder. */
interface Part {
  readonly folder: WorkspaceFolder;
  readonly settings: SearchSettings;
  readonly pathRules: PathRules;
  readonly scope: Scope;
  /** Files and directories at which the walk begins, relative to the folder, in path order. None is inside another. */
  readonly roots: readonly string[];
  readonly walkArguments: readonly string[];
  readonly timeSlice: TimeSlice;
  file(relative: string): FoundFile;
}

async function partsOf(facts: SearchFacts, query: FileQuery): Promise<readonly Part[]> {
  const folders = facts.folders();
  const byFolder = Map.groupBy(query.within, ({ folder }) => folder.fsPath);
  const parts: Part[] = [];
  for (const within of byFolder.values()) {
    const [first] = within;
    if (first === undefined || isInsideAnother(first, query.within)) continue;
    const { folder } = first;
    const asked = within.flatMap(({ realPath }) => relativeTo(folder.realPath, realPath) ?? []);
    const include = query.include.map((glob) => globInFolder(glob, folder, folders));
    const exclude = query.exclude.map((glob) => globInFolder(glob, folder, folders));
    const roots = outermost(await narrowed(asked, include, folder, facts.pathRules));
    if (roots.length === 0) continue;
    const settings = facts.settings(folder);
    const scope = scopeOf({ ...query, include, exclude }, settings, privateGlobs(folder, facts.pathRules), roots);
    parts.push({
      folder,
      settings,
      pathRules: facts.pathRules,
      scope,
      roots,
      walkArguments: [
        ...walk,
        ...(query.maxDepth === undefined ? [] : ['--max-depth', String(query.maxDepth)]),
        ...scope.arguments,
      ],
      timeSlice: new TimeSlice(),
      file: (relative) => foundFile(folder, relative, folders),
    });
  }
  return parts.toSorted((one, other) => comparePaths(one.file('').path, other.file('').path));
}

function foundFile(folder: WorkspaceFolder, relative: string, folders: readonly WorkspaceFolder[]): FoundFile {
  const place = { folder, relative };
  return { folder, fsPath: fsPathOf(place), path: pathOf(place, folders), uri: uriOf(place) };
}

/** Returns true when a path lies inside another searched path, which then covers it. */
function isInsideAnother(path: ResolvedPath, all: readonly ResolvedPath[]): boolean {
  return all.some((other) => {
    const relative = relativeTo(other.realPath, path.realPath);
    return relative !== undefined && (relative !== '' || all.indexOf(other) < all.indexOf(path));
  });
}

/**
 * Returns a glob relative to its folder. A glob may be absolute, and in a window with several folders it may begin with the name of
 * a folder, as the paths in results do.
 */
function globInFolder(glob: string, folder: WorkspaceFolder, folders: readonly WorkspaceFolder[]): string {
  const relative = relativeTo(folder.fsPath, glob) ?? relativeTo(folder.realPath, glob);
  if (relative !== undefined) return relative === '' ? '**' : `/${relative}`;
  if (folders.length < 2) return glob;
  const label = `${pathOf({ folder, relative: '' }, folders)}/`;
  return glob.startsWith(label) ? `/${glob.slice(label.length)}` : glob;
}

/** Narrows the roots to the directories of the include globs, but never through a link, and never into unreadable paths. */
async function narrowed(
  asked: readonly string[],
  include: readonly string[],
  folder: WorkspaceFolder,
  pathRules: PathRules,
): Promise<readonly string[]> {
  const bases = rootsOf(include);
  if (bases === undefined) return asked;
  const roots = asked.flatMap((root) => bases.flatMap((base) => deeper(root, base) ?? []));
  const usable = await Promise.all(
    roots.map(async (root) => {
      const path = joinPath(folder.realPath, root);
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || !isReadable({ folder, fsPath: fsPathOf({ folder, relative: root }) }, pathRules))
        return [];
      return real === path ? [root] : undefined;
    }),
  );
  // A root leads through a link, so the walk begins at the requested paths and does not follow the link.
  return usable.some((root) => root === undefined) ? asked : usable.flatMap((root) => root ?? []);
}

function deeper(one: string, other: string): string | undefined {
  if (one === '' || other === one || other.startsWith(`${one}/`)) return other;
  return one.startsWith(`${other}/`) ? one : undefined;
}

function outermost(roots: readonly string[]): readonly string[] {
  const distinct = [...new Set(roots)];
  return distinct
    .filter((root) => !distinct.some((other) => other !== root && (other === '' || root.startsWith(`${other}/`))))
    .toSorted(comparePaths);
}

async function admits(part: Part, relative: string): Promise<boolean> {
  const { folder, scope, timeSlice } = part;
  if (timeSlice.isUsedUp) await timeSlice.yieldToEventLoop();
  if (!scope.includes(relative) || relative.includes('\uFFFD')) return false;
  if (!isOpen(part, relative)) return false;
  const sibling = scope.hiddenBeside(relative);
  return sibling === undefined || !(await exists(join(dirname(joinPath(folder.realPath, relative)), sibling)));
}

/** Returns whether no name closes a file. A glob cannot tell, because source code and samples are left out. */
function isOpen({ folder, pathRules }: Part, relative: string): boolean {
  return isReadable({ folder, fsPath: fsPathOf({ folder, relative }) }, pathRules);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

interface UnsavedFile {
  readonly relative: string;
  readonly text: string;
}

/** Returns the unsaved texts that belong to this part of the search, by their real path. */
async function unsavedIn(facts: SearchFacts, part: Part): Promise<readonly UnsavedFile[]> {
  const found = await Promise.all(
    facts.unsavedTexts().map(async ({ fsPath, text }) => {
      const real = await realpath(fsPath).catch(() => fsPath);
      const place = folderContaining(real, [part.folder]);
      if (place === undefined || !isReadable(part.file(place.relative), facts.pathRules)) return [];
      const root = part.roots.find(
        (one) => one === '' || one === place.relative || place.relative.startsWith(`${one}/`),
      );
      if (root === undefined || part.scope.excludes(place.relative, root)) return [];
      return (await admits(part, place.relative)) ? [{ relative: place.relative, text }] : [];
    }),
  );
  return found.flat();
}

/** Searches unsaved texts, a few at a time to limit the number of processes. Returns the matches in path order. */
async function searchUnsaved(
  part: Part,
  unsaved: readonly UnsavedFile[],
  runFor: (text: string) => Run,
  query: TextQuery,
  signal: AbortSignal,
): Promise<FileMatches[]> {
  const found: FileMatches[] = [];
  const options = printOptions(query);
  const waiting = [...unsaved];
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && errors.length === 0; next = waiting.shift()) {
      try {
        const file = part.file(next.relative);
        if (options.flag?.test(next.text) === true) {
          found.push({ ...file, matches: [], isFlagged: true });
          continue;
        }
        for await (const { path: _path, ...printed } of printedFiles(outputOf(runFor(next.text), signal), options)) {
          found.push({ ...file, ...printed });
        }
      } catch (error) {
        errors.push(error);
      }
    }
  };
  // All workers are awaited, so that every process has ended even when one of them failed.
  await Promise.all(Array.from({ length: concurrentUnsaved }, worker));
  if (errors.length > 0) throw errors[0];
  return found.toSorted((one, other) => comparePaths(one.path, other.path));
}

function printOptions({ linesBefore, linesAfter, flag }: TextQuery): PrintOptions {
  return { linesBefore, linesAfter, flag: flag === undefined ? undefined : new RegExp(flag.check, 'm') };
}

function plain(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}
