/** The proposal that takes a change back from the present files, for `revert_change`. */
import type { Files, LiveText, ResolvedPath, TreeFile } from '#base/files.ts';
import type { ChangesProposal, FileChange, FileCreate, TextState } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { UserRequest } from './requests.ts';
import type { History } from './history.ts';
import { loadText, type Resolve } from './keep.ts';
import { addressAfter, type Moved } from './moves.ts';
import { mergeTexts } from './rebase.ts';
import type { KeptChange } from './record.ts';
import { appliedParts, movesOf, resolveInPlace, textAfter, type Part } from './undo.ts';

export interface InverseDependencies {
  readonly files: Pick<Files, 'readText' | 'readTree' | 'canEncode'>;
  readonly history: History;
  readonly resolve: Resolve;
}

interface InverseSettings extends InverseDependencies {
  /** Proposes the texts of a deleted folder one by one, for an assistant, which cannot undo the delete itself. */
  readonly foldersAsTexts: boolean;
}

/** A file that cannot be taken back without losing what was done since. */
export interface RevertConflict {
  readonly fileIndex: number;
  readonly path: string;
  readonly reason: string;
  /** Only an exact undo brings it back: a file that is no text, a link, a file with unusual permissions, or a folder that holds one. */
  readonly onlyByUndo?: true;
}

/** The proposal that takes a change back, and the files that it cannot take back. */
export interface Inverse {
  readonly proposal: ChangesProposal;
  readonly conflicts: readonly RevertConflict[];
}

/** In bytes, as for any edit: no user reviews a change of a larger file. */
const maximumBytes = 5 * 1024 * 1024;

class Conflict extends Error {
  readonly onlyByUndo: boolean;

  constructor(message: string, onlyByUndo = false) {
    super(message);
    this.onlyByUndo = onlyByUndo;
  }
}

/**
 * Returns the inverse for the present files, each by itself: exact when a file is still as the change left it, by a three-way
 * merge when it was edited since (failure row F14). Files that are back already are left out.
 */
export async function inverseProposal(
  entry: Pick<UserRequest, 'approval' | 'kept'>,
  dependencies: InverseSettings,
): Promise<Inverse> {
  const { approval } = entry;
  const parts = appliedParts(entry);
  const moves = movesOf(parts);
  const resolve = resolveInPlace(approval, moves, dependencies.resolve);
  const files: FileChange[] = [];
  const conflicts: RevertConflict[] = [];
  for (const { index, kept } of parts) {
    try {
      files.push(...(await inverseOf(kept, moves, { ...dependencies, resolve })));
    } catch (error) {
      conflicts.push(conflictOf({ index, kept }, approval.files[index]?.path ?? kept.uri, error));
    }
  }
  const { indivisible } = approval;
  return {
    proposal: {
      kind: 'changes',
      files,
      ...(indivisible && { indivisible }),
      ...(conflicts.length === 0 && { reverts: approval.id }),
    },
    conflicts,
  };
}

function conflictOf({ index }: Part, path: string, error: unknown): RevertConflict {
  const onlyByUndo = error instanceof Conflict && error.onlyByUndo && { onlyByUndo: true as const };
  return { fileIndex: index, path, reason: error instanceof Error ? error.message : String(error), ...onlyByUndo };
}

async function inverseOf(
  kept: KeptChange,
  moves: readonly Moved[],
  dependencies: InverseSettings,
): Promise<readonly FileChange[]> {
  switch (kept.kind) {
    case 'edit':
      return inverseOfEdit(kept, await dependencies.resolve(addressAfter(kept.uri, moves), 'change'), dependencies);
    case 'create':
      return inverseOfCreation(kept, await dependencies.resolve(addressAfter(kept.uri, moves), 'entry'), dependencies);
    case 'delete':
      return inverseOfDelete(kept, dependencies);
    case 'move':
      return inverseOfMove(kept, dependencies);
    default:
      return kept satisfies never;
  }
}

async function inverseOfEdit(
  kept: Extract<KeptChange, { kind: 'edit' }>,
  path: ResolvedPath,
  { files, history }: InverseDependencies,
): Promise<readonly FileChange[]> {
  if (path.kind === 'missing') throw new Conflict('it no longer exists');
  const [before, after, now] = await Promise.all([
    loadText(kept.base, history),
    loadText(textAfter(kept), history),
    files.readText(path, maximumBytes, textAfter(kept).encoding),
  ]);
  requireOpenAsText(now);
  const result = resultOf(before, after, now);
  if (result === undefined) throw new Conflict('the same lines were edited since');
  if (result.text === now.text && result.encoding === now.encoding) return [];
  if (!(await files.canEncode(result.text, result.encoding))) throw new Conflict('its encoding has changed');
  const { text, encoding, source, unsaved, unifiedLineEnds } = now;
  return [{ kind: 'edit', path, base: { text, encoding, source, unsaved, unifiedLineEnds }, result }];
}

/** Keeps later edits; a file that nobody has touched becomes what it was, encoding included. */
function resultOf(before: TextState, after: TextState, now: LiveText): TextState | undefined {
  if (now.text === after.text) return before;
  const text = mergeTexts(before.text, after.text, now.text);
  return text === undefined ? undefined : { text, encoding: now.encoding };
}

async function inverseOfCreation(
  kept: Extract<KeptChange, { kind: 'create' }>,
  path: ResolvedPath,
  { files, history }: InverseDependencies,
): Promise<readonly FileChange[]> {
  if (path.kind === 'missing') return [];
  const [after, now] = await Promise.all([
    loadText(textAfter(kept), history),
    files.readText(path, maximumBytes, textAfter(kept).encoding),
  ]);
  requireOpenAsText(now);
  const tree = await files.readTree(path, { maximumFiles: 1, maximumBytes });
  const isSameFile = kept.bytes === undefined || tree.files[0]?.sha256 === kept.bytes;
  if (now.text !== after.text || now.unsaved || !isSameFile) throw new Conflict('it was edited since it was created');
  const base = { text: now.text, encoding: now.encoding };
  const facts = { isFolder: false, toTrash: false, recovery: 'unknown' as const };
  return [{ kind: 'delete', path, files: tree.files, base, ...facts }];
}

async function inverseOfDelete(
  kept: Extract<KeptChange, { kind: 'delete' }>,
  { history, resolve, foldersAsTexts }: InverseSettings,
): Promise<readonly FileChange[]> {
  const path = await resolve(kept.uri, 'entry');
  if (path.kind !== 'missing') throw new Conflict('something else has its name now');
  if (kept.base !== undefined) return [{ kind: 'create', path, result: await loadText(kept.base, history) }];
  if (!foldersAsTexts || !kept.isFolder || !kept.files.every(isPlainFile) || isTooMuch(kept.files)) throw onlyTheUser();
  return Promise.all(
    kept.files.map(async ({ relative, sha256 }): Promise<FileCreate> => {
      const text = textOf(await history.getContent(sha256));
      if (text === undefined) throw onlyTheUser();
      const address = `${kept.uri}/${relative.split('/').map(encodeURIComponent).join('/')}`;
      return { kind: 'create', path: await resolve(address, 'change'), result: { text, encoding: 'utf8' } };
    }),
  );
}

function onlyTheUser(): Conflict {
  return new Conflict('only the user can restore it, with Undo in the History view', true);
}

/** The most files of a folder that a card can show one by one. */
const mostRestored = 200;

function isTooMuch(files: readonly TreeFile[]): boolean {
  return (
    files.length === 0 || files.length > mostRestored || files.reduce((sum, { size }) => sum + size, 0) > maximumBytes
  );
}

/** The modes that a created file may have: with another one, it would not be the same file again. */
const modesOfNewFiles: ReadonlySet<number> = new Set([0o644, 0o664, 0o666]);

function isPlainFile({ isLink, mode }: TreeFile): boolean {
  return !isLink && modesOfNewFiles.has(mode & 0o777);
}

/** Returns bytes as the text that is written as exactly these bytes; undefined when they are no such text. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}

async function inverseOfMove(
  kept: Extract<KeptChange, { kind: 'move' }>,
  { files, resolve }: InverseDependencies,
): Promise<readonly FileChange[]> {
  const [path, to] = await Promise.all([resolve(kept.to, 'entry'), resolve(kept.uri, 'entry')]);
  if (path.kind === 'missing') {
    if (to.kind !== 'missing') return [];
    throw new Conflict('it no longer exists');
  }
  if (to.kind !== 'missing') throw new Conflict('something else has its old name now');
  const tree = await files.readTree(path, { maximumFiles: 1000, maximumBytes: 20 * 1024 * 1024 });
  if (tree.unsavedElsewhere.length > 0) throw new Conflict('an editor holds unsaved changes of it');
  const moved = tree.files.map(({ bytes: _bytes, ...file }) => file);
  return [{ kind: 'move', path, to, isFolder: kept.isFolder, files: moved }];
}

function requireOpenAsText({ unsavedElsewhere, readonly, encodingDoubt }: LiveText): void {
  if (unsavedElsewhere) throw new Conflict('an editor holds unsaved changes of it');
  if (encodingDoubt !== undefined) throw new Conflict('its encoding is not known any more');
  if (readonly) throw new Conflict('it is read-only');
}

/** Returns the error for a change that cannot be taken back without losing later work. */
export function refuseRevert(conflicts: readonly RevertConflict[]): ToolError {
  const all = conflicts.map(({ path, reason }) => `${path} (${reason})`).join(', ');
  if (conflicts.every(({ onlyByUndo }) => onlyByUndo)) {
    const names = conflicts.map(({ path }) => path).join(', ');
    const message = `${names}: a tool cannot restore a file that is not text, a link, a file with unusual permissions, or a folder that holds one.`;
    return new ToolError('unavailable', message, 'Ask the user: they can undo it in the History view.');
  }
  return new ToolError(
    'stale_version',
    `Undoing this change would lose later changes: ${all}.`,
    'Read these files, and send an edit that undoes only the part that you want to undo.',
  );
}
