/** Tells which files of an edit that an assistant makes with its own tool the window judges, and how. */
import { type NativeCall, type NativeFileEdit, pathsOf } from '#base/nativeEdit.ts';
import { ToolError } from '#base/toolError.ts';
import { folderContaining, parseAddress } from '#policy/paths.ts';
import { classifyPath } from '#policy/protectedPaths.ts';
import type { HandedOverFile, WriterDependencies } from './assistantWriter.ts';
import { resolveAddress } from './resolve.ts';

/** Returns whether an error says that a path is outside the folders of the window. */
export function isOutside(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'outside_workspace';
}

/** Returns whether an error is a denial of the policy. */
export function isDenied(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'denied';
}

/** Returns whether edits change a file of the secret list. Another denial is no reason to ask. */
export async function hasSecret(
  edits: readonly NativeFileEdit[],
  { workspace, files, pathRules }: WriterDependencies,
): Promise<boolean> {
  const isSecret = (path: string): Promise<boolean> =>
    resolveAddress(path, { workspace, files, pathRules, purpose: 'change' }).then(
      (resolved) => classifyPath(resolved, pathRules).class === 'secret',
      () => false,
    );
  return (await Promise.all(edits.flatMap(pathsOf).map(isSecret))).includes(true);
}

/**
 * Returns the real path of the first file of a call that is in a folder of the window although its path is not, because a link leads
 * in from elsewhere: such an address is outside the workspace for every tool, but the file must not pass without an opinion.
 */
export async function enteredByLink(
  { edits }: NativeCall,
  { workspace, files }: Pick<WriterDependencies, 'workspace' | 'files'>,
): Promise<string | undefined> {
  const folders = workspace.folders();
  for (const path of edits.flatMap(pathsOf)) {
    try {
      parseAddress(path, folders);
    } catch (error) {
      if (!isOutside(error)) continue;
      const found = await files.locate(path, 'change').catch(() => undefined);
      if (found !== undefined && folderContaining(found.realPath, folders) !== undefined) return found.realPath;
    }
  }
  return undefined;
}

/** Returns the part of edits that concerns the folders of the window. */
export async function editsInside(
  edits: readonly NativeFileEdit[],
  { workspace, files, pathRules }: WriterDependencies,
): Promise<readonly NativeFileEdit[]> {
  const isInside = async (path: string): Promise<boolean> => {
    const resolved = resolveAddress(path, { workspace, files, pathRules, purpose: 'change' });
    return resolved.then(
      () => true,
      (error: unknown) => !isOutside(error),
    );
  };
  const parts = edits.map(async (edit) => {
    const inside: string[] = [];
    for (const path of pathsOf(edit)) if (await isInside(path)) inside.push(path);
    if (inside.length === 0) return [];
    return edit.kind === 'patch' ? [{ ...edit, paths: inside }] : [edit];
  });
  return (await Promise.all(parts)).flat();
}

/**
 * Returns whether the assistant writes these files when it may. Assistants that refuse to write through a link do not list `link`.
 * Claude Code 2.1.329 gives a new cell of a notebook a random id, so that nobody could approve its bytes.
 */
export function isWrittenAsNamed({ edits, writesExactly }: NativeCall, files: readonly HandedOverFile[]): boolean {
  if (edits.some(({ kind }) => kind === 'notebook')) return false;
  if (writesExactly.includes('link')) return true;
  const named = new Set(edits.flatMap(pathsOf));
  return files.every(({ change: { path } }) => named.has(path.fsPath) || named.has(path.realPath));
}
