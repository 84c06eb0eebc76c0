import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { FileDelete, TextState } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { maximumBytes } from './editableText.ts';
import { changedPath, reasonInput } from './proposalInput.ts';
import { entryTarget, fileBelow, readWholeTree } from './wholeTree.ts';

/** The `delete_file` tool: deletes a file, or a folder with everything in it. */
export const deleteFile = defineProposingTool({
  name: 'delete_file',
  title: 'Delete file',
  toolset: 'edit',
  risk: 'delete',
  timeLimitSeconds: 30,
  needs: ['files', 'sourceControl'],
  description: 'Delete a file, or a folder with everything in it; of a link, the link itself.',
  example: { path: 'src/old.ts' },
  input: inputFromZod(z.strictObject({ path: changedPath.describe('Names the file or folder'), reason: reasonInput })),
  output: changeOutcomeSchema,
  targets: ({ path }) => [path],
  reason: ({ reason }) => reason,
  async propose(_input, context) {
    const path = await entryTarget(context.targets[0], context);
    return { kind: 'changes', files: [await proposeDelete(path, context)] };
  },
  render: renderOutcome,
});

/**
 * Proposes to delete a file, a link, or a folder with everything in it.
 * @param path resolved as an `entry`
 * @throws ToolError `not_found`, `too_large`, `denied` (the folder contains a denied path), `unavailable`
 */
export async function proposeDelete(
  path: ResolvedPath,
  context: Pick<ToolContext, 'files' | 'sourceControl'>,
): Promise<FileDelete> {
  const { files, unsaved, unsavedElsewhere } = await readWholeTree(path, context);
  const [relative] = [...unsaved, ...unsavedElsewhere];
  if (relative !== undefined) {
    throw new ToolError(
      'unavailable',
      `An editor holds unsaved changes of ${fileBelow(path, relative).path}; nothing was deleted.`,
      'Ask the user to save or revert that editor first.',
    );
  }
  const readonly = files.find(({ mode, isLink }) => !isLink && (mode & 0o222) === 0);
  if (readonly !== undefined) {
    throw new ToolError(
      'unavailable',
      `${fileBelow(path, readonly.relative).path} is read-only; nothing was deleted.`,
      'Ask the user to make it writable, or to delete it.',
    );
  }
  const paths = files.map((file) => fileBelow(path, file.relative).realPath);
  const base = files[0]?.relative === '' && !files[0].isLink ? await textOf(path, context) : undefined;
  return {
    kind: 'delete',
    path,
    isFolder: path.kind === 'directory',
    files,
    ...(base && { base }),
    toTrash: context.files.hasTrash(),
    recovery: await context.sourceControl.recovery(paths),
  };
}

/** Returns the text of a single file for the card, or undefined when the file is not text. */
async function textOf(path: ResolvedPath, { files }: Pick<ToolContext, 'files'>): Promise<TextState | undefined> {
  try {
    const { text, encoding } = await files.readText(path, maximumBytes);
    return { text, encoding };
  } catch (error) {
    if (error instanceof ToolError && ['binary_file', 'undecodable', 'too_large'].includes(error.code))
      return undefined;
    throw error;
  }
}
