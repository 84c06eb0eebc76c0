import type { Files, FoundFile, IsClosed } from '#base/files.ts';
import type { Workspace } from '#base/workspace.ts';
import { relativeTo } from '#policy/paths.ts';
import { isReadable, type PathRules } from '#policy/protectedPaths.ts';
import type { FileQuery, Search } from '#search/search.ts';
import type { MayRead } from './gate.ts';
import { onlyReadable, redactedMatches } from './redactedSearch.ts';
import { throughLinks } from './resolve.ts';
import type { Scope } from './roots.ts';

/** Reads the text of a file as the editor has it, as far as the call may read it. Throws ToolError. */
export type ReadText = (address: string, maxBytes: number) => Promise<string>;

interface SearchGate {
  readonly workspace: Workspace;
  readonly mayRead: MayRead;
  readonly scope: Scope | undefined;
  readonly files: Files;
  readonly pathRules: PathRules;
  readonly readText: ReadText;
}

/** Leaves out of searches what the call may not read, and evaluates them on the redacted text. */
export function boundSearch(search: Search, gate: SearchGate): Search {
  const { workspace, mayRead, scope, files, pathRules, readText } = gate;
  const narrowed = <Query extends FileQuery>(query: Query): Query =>
    withinScope(withRealPaths(query, workspace), scope);
  return {
    text: (query, signal) =>
      withoutOtherNames(redactedMatches(narrowed(query), { search, mayRead, readText }, signal), files, pathRules),
    inText: (query, text, hidden, signal) => search.inText(query, text, hidden, signal),
    files: (query, signal) => onlyReadable(search.files(narrowed(query), signal), mayRead),
    // No call learns which files are closed.
    async *closedFiles() {
      yield* [];
    },
  };
}

/** Returns the check by which a hard link is known to be a closed file (threat row P21). */
export function closedBy(pathRules: PathRules): IsClosed {
  return (file) => !isReadable(file, pathRules);
}

/** Leaves out hard links to closed files (threat row P21). */
async function* withoutOtherNames<Found extends FoundFile>(
  found: AsyncIterable<Found>,
  files: Files,
  pathRules: PathRules,
): AsyncIterable<Found> {
  const isClosed = closedBy(pathRules);
  for await (const file of found) {
    if (!(await files.leadsToClosed(file, isClosed))) yield file;
  }
}

/** Resolves the links in the folders of a search, so that a hit has its real path. */
function withRealPaths<Query extends FileQuery>(query: Query, workspace: Workspace): Query {
  return { ...query, within: query.within.map((path) => throughLinks(path, workspace.folders())) };
}

/** Replaces a folder above parts of the scope by those parts. */
function withinScope<Query extends FileQuery>(query: Query, scope: Scope | undefined): Query {
  if (scope === undefined) return query;
  const within = query.within.flatMap((path) =>
    scope.holds(path.realPath)
      ? [path]
      : scope.parts.filter((part) => part.kind !== 'missing' && relativeTo(path.realPath, part.realPath) !== undefined),
  );
  return { ...query, within };
}
