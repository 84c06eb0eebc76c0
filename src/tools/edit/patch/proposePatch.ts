import type { ResolvedPath } from '#base/files.ts';
import type { FileChange, FileDelete, FileEdit } from '#base/proposal.ts';
import { MissingPathError, ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import { proposeCreate } from '../createFile.ts';
import { proposeDelete } from '../deleteFile.ts';
import { editTo, readEditable, realTarget } from '../editableText.ts';
import { proposeMove } from '../moveFile.ts';
import { type LineText, shownText } from '../lineText.ts';
import { entryTarget } from '../wholeTree.ts';
import { applyHunks } from './applyHunks.ts';
import { addressesOf } from './parsePatch.ts';
import type { FilePatch, Hunk } from './patchSyntax.ts';

type PatchContext = Pick<ToolContext, 'files' | 'sourceControl' | 'targets' | 'resolve'>;

/** How a patch meets files; an assistant's own edit is made for the text as it is, and replaces files. */
export interface PatchWay {
  /** Returns what the lines of the patch are compared with. */
  readonly textOf: (base: string) => LineText;
  /** Proposes a file that the patch adds. */
  readonly create: ProposeCreate;
}

const asShown: PatchWay = { textOf: shownText, create: proposeCreate };

type ProposeCreate = (path: ResolvedPath, content: string, context: PatchContext) => Promise<FileChange>;

/** One file of a patch with its resolved paths. */
interface PlacedPatch {
  readonly patch: FilePatch;
  readonly path: ResolvedPath;
  /** The entry to move and its new path, when the patch renames the file; a link is renamed itself. */
  readonly move?: { readonly entry: ResolvedPath; readonly to: ResolvedPath };
}

/**
 * Proposes the changes of a patch. The targets of the context must be its addresses (`addressesOf`).
 * @throws ToolError
 */
export async function proposePatch(
  patches: readonly FilePatch[],
  context: PatchContext,
  way: PatchWay = asShown,
): Promise<readonly FileChange[]> {
  const targets = new Map(addressesOf(patches).map((address, index) => [address, context.targets[index]]));
  const placed = await Promise.all(patches.map((patch) => placePatch(patch, targets, context)));
  requireApart(placed);
  const changes = await Promise.all(placed.map((one) => changesOf(one, context, way)));
  return changes.flat();
}

async function placePatch(
  patch: FilePatch,
  targets: ReadonlyMap<string, ResolvedPath | undefined>,
  context: PatchContext,
): Promise<PlacedPatch> {
  const target = targets.get(patch.path);
  if (patch.kind === 'delete') return { patch, path: await entryTarget(target, context) };
  const path = await realTarget(target, context);
  if (patch.kind === 'create') return { patch, path };
  if (path.kind === 'missing') {
    throw new MissingPathError(
      path.path,
      `${path.path} does not exist; nothing was changed.`,
      'Use find_files to find it; a patch creates a file with "--- /dev/null" and "+++ b/path", or with "*** Add File: path".',
    );
  }
  if (patch.to === undefined) return { patch, path };
  const to = await realTarget(targets.get(patch.to), context);
  return { patch, path, move: { entry: await entryTarget(target, context), to } };
}

/** Refuses a patch that names a file twice: later hunks could not tell which text they address. */
function requireApart(placed: readonly PlacedPatch[]): void {
  const seen = new Set<string>();
  for (const { path, move } of placed) {
    const places = [...new Set([path, ...(move === undefined ? [] : [move.entry])].map(({ realPath }) => realPath))];
    if (move !== undefined) places.push(move.to.realPath);
    for (const realPath of places) {
      if (seen.has(realPath)) {
        const shown = move !== undefined && realPath === move.to.realPath ? move.to : path;
        throw new ToolError(
          'ambiguous_match',
          `The patch changes ${shown.path} in two places; nothing was changed.`,
          'Name each file once, with all its hunks; send a second step in a second call.',
        );
      }
      seen.add(realPath);
    }
  }
}

async function changesOf(
  { patch, path, move }: PlacedPatch,
  context: PatchContext,
  way: PatchWay,
): Promise<readonly FileChange[]> {
  if (patch.kind === 'create') return [await way.create(path, patch.content, context)];
  if (path.kind === 'directory') {
    throw new ToolError(
      'unavailable',
      `${path.path} is a folder; nothing was changed.`,
      'A patch changes files; use delete_file or move_file for a folder.',
    );
  }
  if (patch.kind === 'delete') return [requireWhole(await proposeDelete(path, context), patch.hunks, way)];
  const edits = patch.hunks.length === 0 ? [] : [await editByHunks(path, patch.hunks, way, context)];
  return move === undefined ? edits : [...edits, await proposeMove(move.entry, move.to, context)];
}

async function editByHunks(
  path: ResolvedPath,
  hunks: readonly Hunk[],
  { textOf }: PatchWay,
  { files }: Pick<ToolContext, 'files'>,
): Promise<FileEdit> {
  const base = await readEditable(path, files);
  const { text, isSame } = applyHunks(path.path, base.text, textOf(base.text), hunks);
  if (!isSame) return editTo(path, base, text, files);
  throw new ToolError(
    'no_match',
    `The patch would leave ${path.path} exactly as it is; nothing was changed.`,
    'Leave that file out, or check the lines that begin with "+" and "-".',
  );
}

/** Checks that the hunks of a delete, if any, remove the whole text of the file. */
function requireWhole(change: FileDelete, hunks: readonly Hunk[], { textOf }: PatchWay): FileDelete {
  if (hunks.length === 0) return change;
  const { path, base } = change;
  if (base !== undefined && applyHunks(path.path, base.text, textOf(base.text), hunks).text === '') return change;
  throw new ToolError(
    'no_match',
    `The patch deletes ${path.path}, but ${base === undefined ? 'it is not a text file' : 'it has more lines than the patch removes'}; nothing was changed.`,
    'Read the file again, or use delete_file, which deletes it whatever its text is.',
  );
}
