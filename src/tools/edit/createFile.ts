import { dirname } from 'node:path';
import * as z from 'zod';
import type { Files, Location, ResolvedPath } from '#base/files.ts';
import type { FileCreate, FileEdit } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from './changeOutcome.ts';
import { editTo, maximumBytes, readEditable, realTarget, refuseRedacted } from './editableText.ts';
import { partsOf, refuseShown, TextAfter } from './hiddenText.ts';
import { type LineText, shownText, toLf } from './lineText.ts';
import { changedPath, reasonInput, replacesInput } from './proposalInput.ts';

/** The `create_file` tool: creates a text file, or replaces the whole text of an existing one. */
export const createFile = defineProposingTool({
  name: 'create_file',
  title: 'Create file',
  toolset: 'edit',
  risk: 'edit',
  namesNewPath: true,
  needs: ['files'],
  description: 'Create a text file and missing folders. Use apply_edit to change a part of a file.',
  example: { path: 'src/cart.ts', content: 'export {};\n' },
  input: inputFromZod(
    z.strictObject({
      path: changedPath.describe('Names the new file'),
      content: z.string().max(4_000_000).describe('Gives the whole text'),
      overwrite: z.boolean().default(false).describe('Replaces an existing file'),
      reason: reasonInput,
      replaces: replacesInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: ({ path }) => [path],
  reason: ({ reason }) => reason,
  replaces: ({ replaces }) => replaces,
  async propose({ content, overwrite }, context) {
    const path = await realTarget(context.targets[0], context);
    const file = overwrite && path.kind === 'file' ? proposeOverwrite : proposeCreate;
    return { kind: 'changes', files: [await file(path, content, context)] };
  },
  render: renderOutcome,
});

/**
 * Proposes a file at a vacant path. A text with only LF gets the line end that the editor uses for new files.
 * @throws ToolError `unavailable` when the path exists, or a file lies where a folder must be; `binary_file`, `undecodable`,
 * `redacted_text`
 */
export async function proposeCreate(
  path: ResolvedPath,
  content: string,
  { files }: Pick<ToolContext, 'files'>,
): Promise<FileCreate> {
  refuseRedacted(`The content for ${path.path}`, [content], '');
  await requireVacant(path, files);
  const { encoding, lineEnd } = files.newFileFormat(path);
  const hasMark = content.startsWith('\uFEFF');
  const result = {
    text: withLineEnd(path, content, lineEnd),
    encoding: hasMark && encoding === 'utf8' ? 'utf8bom' : encoding,
  };
  if (!(await files.canEncode(result.text, result.encoding))) {
    throw new ToolError(
      'undecodable',
      `content has characters that new files cannot hold in the encoding set in files.encoding (${result.encoding}); nothing was created.`,
      'Use only characters of that encoding.',
    );
  }
  return { kind: 'create', path, result };
}

/**
 * Proposes to replace the whole text of a file.
 * @throws ToolError `no_match` when the file already has this text; as {@link readEditable} and {@link editTo}
 */
export async function proposeOverwrite(
  path: ResolvedPath,
  content: string,
  { files }: Pick<ToolContext, 'files'>,
): Promise<FileEdit> {
  const base = await readEditable(path, files);
  const shown = shownText(base.text);
  refuseRedacted(`The content for ${path.path}`, [content], shown.lf);
  const text = withSecrets(path, withLineEnd(path, content, usualLineEnd(base.text)), shown);
  // Only what the caller sees is compared: a secret that is given anew may be the same one or not.
  if (text === base.text && toLf(content.replace(/^\uFEFF/, '')) === shown.lf) {
    throw new ToolError(
      'no_match',
      `${path.path} already has exactly this content.`,
      'Go on; there is nothing to change.',
    );
  }
  return { ...(await editTo(path, base, text, files)), overwrites: true };
}

/** Returns a text with the secrets of the file in place of their markers. */
function withSecrets({ path }: ResolvedPath, text: string, shown: LineText): string {
  const after = new TextAfter(shown);
  for (const part of partsOf(text, shown)) {
    if (typeof part === 'string') after.append(part);
    else after.keepPiece(part);
  }
  refuseShown(path, shown, after.text(), after.kept);
  return after.text();
}

/**
 * Checks that a path is vacant on disk and in editors, and that everything above it is a folder or missing.
 * @returns the deepest existing folder above the path
 * @throws ToolError `unavailable`
 */
export async function requireVacant(path: ResolvedPath, files: Files): Promise<Location> {
  if (path.kind === 'directory') {
    throw new ToolError(
      'unavailable',
      `${path.path} is an existing folder; nothing was changed.`,
      `Give the full new path with the name at its end, such as ${path.path === '.' ? '' : `${path.path}/`}name.`,
    );
  }
  if (path.kind !== 'missing') {
    throw new ToolError(
      'unavailable',
      `${path.path} exists already; nothing was changed.`,
      'Choose another path, change the file with apply_edit, or replace it as a whole with create_file and overwrite.',
    );
  }
  if (await isOnlyInEditor(path, files)) {
    throw new ToolError(
      'unavailable',
      `An editor holds unsaved text of ${path.path}, which is not on disk.`,
      'Choose another path, or ask the user to save or close that editor.',
    );
  }
  let folder = dirname(path.realPath);
  for (;;) {
    const found = await files.locate(folder, 'change');
    if (found.kind === 'directory') return found;
    if (found.kind !== 'missing') {
      throw new ToolError(
        'unavailable',
        `A file lies where ${path.path} needs a folder; nothing was changed.`,
        'Choose another path.',
      );
    }
    folder = dirname(folder);
  }
}

async function isOnlyInEditor(path: ResolvedPath, files: Files): Promise<boolean> {
  try {
    return (await files.readText(path, maximumBytes)).source === 'buffer';
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Returns the text with the given line end; a text that has CR keeps its own line ends. */
function withLineEnd(path: ResolvedPath, content: string, lineEnd: string): string {
  if (content.includes('\0')) {
    throw new ToolError(
      'binary_file',
      `content has a NUL character, so ${path.path} would be a binary file.`,
      'Only text files can be written; leave NUL out.',
    );
  }
  const text = content.replace(/^\uFEFF/, '');
  return text.includes('\r') ? text : text.replaceAll('\n', lineEnd);
}

function usualLineEnd(text: string): string {
  const all = text.match(/\n/g)?.length ?? 0;
  const pairs = text.match(/\r\n/g)?.length ?? 0;
  return pairs * 2 > all ? '\r\n' : '\n';
}
