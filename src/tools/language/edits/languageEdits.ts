import type { ResolvedPath } from '#base/files.ts';
import type { FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import type { LanguageEdits, ResourceEdit, TextEdit } from '#language/refactorings.ts';
import { visible } from '#policy/unsafeNames.ts';
import { proposeCreate, proposeOverwrite } from '../../edit/createFile.ts';
import { proposeDelete } from '../../edit/deleteFile.ts';
import { realTarget } from '../../edit/editableText.ts';
import { proposeMove } from '../../edit/moveFile.ts';
import { entryTarget } from '../../edit/wholeTree.ts';
import { appliedEdits, editedFiles, proposeTextEdits } from './textEdits.ts';

export type EditsContext = Pick<ToolContext<'files' | 'sourceControl'>, 'files' | 'sourceControl' | 'resolve'>;

/** The most addresses that a refusal names. */
const listed = 20;

/**
 * Proposes the edits of a language service as changes of files. One file that may not be changed refuses all edits,
 * because the user could not see what is missing (threat row P17). Edits name files by their paths before any move.
 * @throws ToolError `denied` or `outside_workspace` with every address that is refused; `unavailable` for edits that do not fit;
 * as for any edit of these files
 */
export async function proposeLanguageEdits(
  { texts, resources }: LanguageEdits,
  context: EditsContext,
): Promise<readonly FileChange[]> {
  await refuseElsewhere([...texts, ...resources], context);
  const changes = new Map<string, FileChange>();
  const add = (change: FileChange): void => {
    const key = change.path.realPath;
    if (changes.has(key)) throw unfitting(change.path, 'it would be changed in two ways at once');
    changes.set(key, change);
  };
  for (const resource of resources) {
    const change = await proposeResource(resource, context);
    if (change !== undefined) add(change);
  }
  const edited: FileChange[] = [];
  for (const file of await editedFiles(texts, context, (address) => beforeMove(address, resources))) {
    const { path, edits } = file;
    const there = changes.get(path.realPath);
    if (there?.kind === 'delete') continue;
    if (there?.kind === 'create' || there?.kind === 'edit') {
      const propose = there.kind === 'create' ? proposeCreate : proposeOverwrite;
      changes.set(path.realPath, await propose(path, appliedEdits(path, '', edits), context));
      continue;
    }
    const change = await proposeTextEdits(file, context);
    if (change !== undefined) edited.push(change);
  }
  return [...edited, ...changes.values()];
}

/** Tries every address, so that one refusal names all that are refused. */
async function refuseElsewhere(edits: readonly (TextEdit | ResourceEdit)[], context: EditsContext): Promise<void> {
  const purposes = new Map<string, 'change' | 'entry'>();
  for (const edit of edits) {
    const isEntry = 'kind' in edit && edit.kind !== 'create';
    purposes.set(edit.address, isEntry ? 'entry' : (purposes.get(edit.address) ?? 'change'));
    if ('to' in edit) purposes.set(edit.to, purposes.get(edit.to) ?? 'change');
  }
  const refused: { readonly address: string; readonly error: ToolError }[] = [];
  for (const [address, purpose] of purposes) {
    try {
      await context.resolve(address, purpose);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      refused.push({ address, error });
    }
  }
  const [first] = refused;
  if (first === undefined) return;
  const names = refused.slice(0, listed).map(({ address }) => visible(address));
  const more = refused.length > names.length ? `, and ${refused.length - names.length} more` : '';
  const isOutside = refused.every(({ error }) => error.code === 'outside_workspace');
  throw new ToolError(
    isOutside ? 'outside_workspace' : 'denied',
    `The language service would also change files that you may not change: ${names.join(', ')}${more}; nothing was changed.`,
    `${refused.length === 1 ? `${first.error.message} ` : ''}Make the change without it with apply_edit, or ask the user.`,
  );
}

async function proposeResource(resource: ResourceEdit, context: EditsContext): Promise<FileChange | undefined> {
  if (resource.kind === 'create') return proposeCreation(resource, context);
  const path = await entryTarget(await context.resolve(resource.address, 'entry'), context);
  if (resource.kind === 'delete') {
    if (path.kind === 'missing' && resource.ifMissing === 'ignore') return undefined;
    if (path.kind === 'directory' && !resource.isRecursive) {
      throw unfitting(path, 'a folder would be deleted without its files');
    }
    return proposeDelete(path, context);
  }
  const to = await realTarget(await context.resolve(resource.to), context);
  if (to.kind !== 'missing' && resource.ifExists === 'ignore') return undefined;
  return proposeMove(path, to, context);
}

async function proposeCreation(
  { address, ifExists }: Extract<ResourceEdit, { kind: 'create' }>,
  context: EditsContext,
): Promise<FileChange | undefined> {
  const path = await realTarget(await context.resolve(address), context);
  if (path.kind !== 'file' || ifExists === 'fail') return proposeCreate(path, '', context);
  return ifExists === 'ignore' ? undefined : proposeOverwrite(path, '', context);
}

/** Returns the address before the move for an address at or below the new path of a move. */
function beforeMove(address: string, resources: readonly ResourceEdit[]): string | undefined {
  for (const resource of resources) {
    if (resource.kind !== 'rename' || !address.startsWith(resource.to)) continue;
    const below = address.slice(resource.to.length);
    if (below === '' || /^[/\\]/.test(below)) return resource.address + below;
  }
  return undefined;
}

function unfitting({ path }: Pick<ResolvedPath, 'path'>, why: string): ToolError {
  return new ToolError(
    'unavailable',
    `The language service gave edits that do not fit ${path}: ${why}; nothing was changed.`,
    'Make the change with apply_edit.',
  );
}
