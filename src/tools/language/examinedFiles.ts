import type { ResolvedPath } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { MissingPathError, ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import type { ExaminedFile } from '#language/diagnostics.ts';

/** The most files that one call has language services examine. */
const mostFiles = 500;
/** The time for language services in milliseconds; the rest of the time limit is for the result. */
const usualPatience = 12_000;

/** Files of languages whose services answer for closed files. For others, published diagnostics are listed anyway. */
const askable = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((ending) => `**/*.${ending}`);

type Context = ToolContext<'changes' | 'diagnostics' | 'search' | 'workspace'>;

export interface ExaminedFiles {
  /** In path order. */
  readonly files: readonly ExaminedFile[];
  /** Paths of files that are listed even without problems. */
  readonly named: ReadonlySet<string>;
  /** The number of files beyond the limit. */
  readonly notExamined: number;
}

/**
 * Examines the files that a call names and those below the folders it names; all folders when it names none.
 * @param patience milliseconds for language services
 * @throws ToolError `not_found` when a target does not exist
 */
export async function examinedFiles(
  { changedOnly }: { readonly changedOnly: boolean },
  context: Context,
  signal: AbortSignal,
  patience = usualPatience,
): Promise<ExaminedFiles> {
  const { targets, diagnostics } = context;
  const missing = targets.find(({ kind }) => kind === 'missing');
  if (missing !== undefined) {
    throw new MissingPathError(missing.path, `${missing.path} does not exist.`, 'Use find_files to find the file.');
  }
  const changed = changedOnly ? await changedFiles(context) : undefined;
  const named = targets.filter(({ kind }) => kind === 'file');
  const isEverything = targets.length === 0;
  const folders = targets.filter(({ kind }) => kind === 'directory');
  const looksBelow = changed === undefined && (isEverything || folders.length > 0);
  const below = looksBelow ? await scriptsBelow(folders, context, signal) : [];
  const chosen = changed?.filter((file) => isEverything || [...named, ...folders].some((each) => holds(each, file)));
  const all = uniquePaths(chosen ?? [...named, ...below]);
  const asked = all.slice(0, mostFiles);
  const expired = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const examined = await diagnostics.examine(
    asked,
    (done) => context.report(`${done} of ${asked.length} files examined`),
    expired,
  );
  signal.throwIfAborted();
  const known = new Set(examined.map(({ path }) => path));
  const published = looksBelow
    ? (await diagnostics.listShown())
        .filter((file) => !known.has(file.path) && (isEverything || folders.some((each) => holds(each, file))))
        .map((file): ExaminedFile => ({ ...file, freshness: 'published' }))
    : [];
  return {
    files: [...examined, ...published].toSorted((one, other) => comparePaths(one.path, other.path)),
    named: new Set((chosen ?? named).map(({ path }) => path)),
    notExamined: all.length - asked.length,
  };
}

/** Finds files in path order, so that the same files are left out each time there are too many. */
async function scriptsBelow(
  folders: readonly ResolvedPath[],
  { search, workspace, resolve }: Context,
  signal: AbortSignal,
): Promise<readonly ResolvedPath[]> {
  const within =
    folders.length > 0 ? folders : await Promise.all(workspace.folders().map(({ fsPath }) => resolve(fsPath)));
  const found: { readonly path: string; readonly uri: string }[] = [];
  for await (const file of search.files({ within, include: askable, exclude: [], includeIgnored: false }, signal)) {
    found.push(file);
  }
  const inOrder = found.toSorted((one, other) => comparePaths(one.path, other.path));
  // One file beyond the limit shows that there are more; the exact number is not needed.
  return resolveAll(
    inOrder.slice(0, mostFiles + 1).map(({ uri }) => uri),
    { resolve },
  );
}

/** Returns the existing files that assistants changed. */
function changedFiles({ changes, resolve }: Context): Promise<readonly ResolvedPath[]> {
  const uris = changes
    .list()
    .filter(({ state }) => state === 'applied')
    .flatMap(({ files }) => files.flatMap((file) => (file.change === 'delete' ? [] : [file.movedTo?.uri ?? file.uri])));
  return resolveAll([...new Set(uris)], { resolve });
}

/** Resolves URIs and keeps those that are readable files. */
async function resolveAll(
  uris: readonly string[],
  { resolve }: Pick<Context, 'resolve'>,
): Promise<readonly ResolvedPath[]> {
  const resolved = await Promise.all(
    uris.map(async (uri) => {
      try {
        return await resolve(uri);
      } catch (error) {
        if (error instanceof ToolError) return undefined;
        throw error;
      }
    }),
  );
  return resolved.flatMap((path) => (path?.kind === 'file' ? [path] : []));
}

function holds(root: ResolvedPath, { path }: { readonly path: string }): boolean {
  return root.path === path || root.path === '' || path.startsWith(`${root.path}/`);
}

function uniquePaths(files: readonly ResolvedPath[]): readonly ResolvedPath[] {
  const byPath = new Map(files.map((file) => [file.realPath, file]));
  return [...byPath.values()];
}
