import { join } from 'node:path';
import type { ResolvedPath, Tree } from '#base/files.ts';
import { MissingPathError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';

/** The most that one delete or move may include: what the user can review and the history can keep. */
const limits = { maximumFiles: 1000, maximumBytes: 20 * 1024 * 1024 };

/** Resolves a target as the directory entry itself: a link stays a link, any other entry gets its real path. */
export async function entryTarget(
  target: ResolvedPath | undefined,
  { resolve }: Pick<ToolContext, 'resolve'>,
): Promise<ResolvedPath> {
  if (target === undefined) throw new Error('An address of the input was not resolved');
  if (!target.linked) return target;
  const entry = await resolve(target.fsPath, 'entry');
  return entry.linked ? resolve(entry.realPath, 'entry') : entry;
}

/**
 * Reads every file at and below a path.
 * @throws ToolError `not_found`, `too_large`, `denied`, `unavailable`
 */
export async function readWholeTree(path: ResolvedPath, { files }: Pick<ToolContext, 'files'>): Promise<Tree> {
  if (path.kind === 'missing') {
    throw new MissingPathError(
      path.path,
      `${path.path} does not exist.`,
      'Use find_files to find it by a part of its name, or list_directory to see what is there.',
    );
  }
  return files.readTree(path, limits);
}

/** Returns the name of a file of a tree, as results show it, and its real path. */
export function fileBelow(root: ResolvedPath, relative: string): Pick<ResolvedPath, 'path' | 'realPath'> {
  if (relative === '') return root;
  return { path: `${root.path}/${relative}`, realPath: join(root.realPath, relative) };
}
