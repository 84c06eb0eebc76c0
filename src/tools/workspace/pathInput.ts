import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { MissingPathError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';

/** The input schema of the address of a file or folder. */
export const pathInput = z.string().max(4096);

/**
 * Returns the targets of the call, or every folder of the workspace when the call names none.
 * @throws ToolError `not_found` when a target does not exist
 */
export async function searchRoots(
  context: Pick<ToolContext<'workspace'>, 'targets' | 'resolve' | 'workspace'>,
): Promise<readonly ResolvedPath[]> {
  if (context.targets.length === 0) {
    return Promise.all(context.workspace.folders().map(({ fsPath }) => context.resolve(fsPath)));
  }
  const missing = context.targets.find(({ kind }) => kind === 'missing');
  if (missing === undefined) return context.targets;
  throw new MissingPathError(
    missing.path,
    `${missing.path} does not exist.`,
    'Leave path out to search everywhere, or use list_directory to see what is there.',
  );
}
