import { basename, isAbsolute, relative } from 'node:path';
import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { FileEdit, FileMove } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import type { ImportEdit } from '#language/imports.ts';
import { editedFiles, proposeTextEdits } from '../language/edits/textEdits.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { requireVacant } from './createFile.ts';
import { realTarget } from './editableText.ts';
import { changedPath, reasonInput } from './proposalInput.ts';
import { entryTarget, fileBelow, readWholeTree } from './wholeTree.ts';

/** The `move_file` tool: moves or renames a file or folder and updates imports of it, as one change. */
export const moveFile = defineProposingTool({
  name: 'move_file',
  title: 'Move or rename file',
  toolset: 'edit',
  // A move removes the old path (threat row P15).
  risk: 'delete',
  timeLimitSeconds: 30,
  needs: ['files', 'imports'],
  description: 'Move or rename a file or folder, and the imports of it where the language offers that.',
  example: { path: 'src/cart.ts', to: 'src/shop/cart.ts' },
  input: inputFromZod(
    z.strictObject({
      path: changedPath.describe('Names the file or folder'),
      to: changedPath.describe('Gives the new path, which must be free'),
      updateImports: z.boolean().default(true).describe('Changes imports of it, too'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ path, to }) => [path, to],
  reason: ({ reason }) => reason,
  async propose({ updateImports }, context, signal) {
    const [from, to] = context.targets;
    const path = await entryTarget(from, context);
    const move = await proposeMove(path, await destination(path, to, context), context);
    const imports = updateImports ? await context.imports.editsForMove(path, move.to, signal) : [];
    if (imports.length === 0) return { kind: 'changes', files: [move] };
    return { kind: 'changes', files: [...(await proposeImportEdits(imports, context)), move], indivisible: true };
  },
  render: renderOutcome,
});

/**
 * Proposes the import edits of a move, per file, addressed by the paths before the move. One edit that is impossible
 * refuses the whole move, because the user could not see that it is missing.
 * @throws ToolError `unavailable`
 */
async function proposeImportEdits(
  imports: readonly ImportEdit[],
  context: Pick<ToolContext, 'files' | 'resolve'>,
): Promise<readonly FileEdit[]> {
  try {
    const files = await editedFiles(
      imports.map(({ fsPath, ...edit }) => ({ address: fsPath, ...edit })),
      context,
    );
    const edits = await Promise.all(files.map((file) => proposeTextEdits(file, context)));
    return edits.flatMap((edit) => edit ?? []);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(
      'unavailable',
      `Nothing was moved, because an import of it cannot be updated: ${error.message}`,
      'Move it with updateImports false and change its imports yourself, or ask the user.',
    );
  }
}

/** Returns the real new path. When it only respells the old path on a disk that ignores case, keeps the new spelling. */
async function destination(
  path: ResolvedPath,
  to: ResolvedPath | undefined,
  context: Pick<ToolContext, 'resolve'>,
): Promise<ResolvedPath> {
  if (to === undefined || to.kind === 'missing') return realTarget(to, context);
  const entry = await context.resolve(to.fsPath, 'entry');
  return isRespelling(path, entry) ? entry : realTarget(to, context);
}

/** Returns true when both paths name the same entry in different spellings; the disk has that of `path`. */
function isRespelling(path: ResolvedPath, to: ResolvedPath): boolean {
  return to.realPath === path.realPath && basename(to.fsPath) !== basename(path.realPath);
}

/**
 * Proposes to move a file, a link or a whole folder to a vacant path.
 * @param path resolved as an `entry`
 * @throws ToolError `not_found`, `too_large`, `denied` (the folder contains a denied path), `unavailable`
 */
export async function proposeMove(
  path: ResolvedPath,
  to: ResolvedPath,
  context: Pick<ToolContext, 'files'>,
): Promise<FileMove> {
  if (path.kind === 'directory' && isBelow(path.realPath, to.realPath)) {
    throw new ToolError(
      'unavailable',
      `${to.path} is in ${path.path} itself; nothing was moved.`,
      'Choose another path.',
    );
  }
  // Reading first reports a missing source path before anything else.
  const { files, unsavedElsewhere } = await readWholeTree(path, context);
  const holder = isRespelling(path, to) ? path : await requireVacant(to, context.files);
  if (holder.identity?.device !== path.identity?.device) {
    throw new ToolError(
      'unavailable',
      `${to.path} lies on another disk than ${path.path}; nothing was moved.`,
      'Create the file there with create_file, then delete the old one.',
    );
  }
  const [relativePath] = unsavedElsewhere;
  if (relativePath !== undefined) {
    throw new ToolError(
      'unavailable',
      `A notebook or custom editor holds unsaved changes of ${fileBelow(path, relativePath).path}; nothing was moved.`,
      'Ask the user to save or revert that editor first.',
    );
  }
  return {
    kind: 'move',
    path,
    to,
    isFolder: path.kind === 'directory',
    files: files.map(({ bytes: _bytes, ...file }) => file),
  };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way);
}
