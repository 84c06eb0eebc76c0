/** Undoes and redoes applied changes exactly, with the checks of an apply. */
import { join } from 'node:path';
import type { Files } from '#base/files.ts';
import type { FileChange, FileRestore, TextState } from '#base/proposal.ts';
import { isOurs } from './apply.ts';
import type { Approval, UndoResult } from './approval.ts';
import type { AppliedFile, ApplyOutcome, Edits } from './edits.ts';
import type { UserRequest } from './requests.ts';
import type { History } from './history.ts';
import { keepText, loadFiles, loadText, type Resolve } from './keep.ts';
import { addressAfter, type Moved } from './moves.ts';
import type { KeptChange, KeptText } from './record.ts';

export interface UndoDependencies {
  readonly edits: Edits;
  readonly files: Pick<Files, 'readText' | 'readTree'>;
  readonly history: History;
  readonly resolve: Resolve;
}

/** One file's part of an applied change, by its index in the approval. */
export interface Part {
  readonly index: number;
  readonly kept: KeptChange;
}

/** The result of an undo or redo, and the kept change after it. */
export interface Reversal {
  readonly result: UndoResult;
  readonly kept: readonly KeptChange[];
}

/** Returns the parts of a change that can be undone, in the order in which they are passed to `Edits`. */
export function appliedParts({ approval, kept }: Pick<UserRequest, 'approval' | 'kept'>): readonly Part[] {
  return kept.flatMap((each, index) => {
    const state = approval.outcomes?.[index]?.state ?? 'applied';
    const isKept = each.kind === 'edit' || each.kind === 'create' ? each.after !== undefined : each.included;
    return state === 'applied' && isKept && each.takenBack !== true ? [{ index, kept: each }] : [];
  });
}

/**
 * Undoes applied changes, all or none, and only when each file still holds its text after our own save: later work is never
 * overwritten.
 */
export function undoApplied(
  entry: Pick<UserRequest, 'approval' | 'kept'>,
  parts: readonly Part[],
  dependencies: UndoDependencies,
): Promise<Reversal> {
  return turn(entry, 'undone', parts, dependencies);
}

/**
 * Redoes an undone change, all or none, and only when each file still holds what the undo left.
 * @param made moves of the same change that are made already
 */
export function redoUndone(
  entry: Pick<UserRequest, 'approval' | 'kept'>,
  parts: readonly Part[],
  dependencies: UndoDependencies,
  made: readonly Moved[] = [],
): Promise<Reversal> {
  return turn(entry, 'redone', parts, dependencies, made);
}

async function turn(
  { approval, kept }: Pick<UserRequest, 'approval' | 'kept'>,
  to: 'undone' | 'redone',
  parts: readonly Part[],
  dependencies: UndoDependencies,
  made: readonly Moved[] = [],
): Promise<Reversal> {
  if (parts.length === 0) return { kept, result: { status: to } };
  try {
    const moves = [...movesOf(parts), ...made];
    const resolve = resolveInPlace(approval, moves, dependencies.resolve);
    const changes = await Promise.all(
      parts.map((part) =>
        to === 'undone'
          ? inverseOf(part.kept, moves, { ...dependencies, resolve })
          : forwardOf(part.kept, made, { ...dependencies, resolve }),
      ),
    );
    const outcome = await dependencies.edits.apply(changes, approval.id);
    if (outcome.status !== 'applied') {
      return { kept, result: notTurned(changes, outcome) };
    }
    // The files are turned: what cannot be kept of them now can only not be turned again.
    const now = await keepTurned(kept, parts, to, { changes, files: outcome.files }, dependencies.history).catch(
      () => kept,
    );
    const again = changes.filter((_, index) => outcome.files[index]?.written?.changedOnSave === true);
    if (again.length === 0) return { kept: now, result: { status: to } };
    const names = again.map(({ path }) => path.path).join(', ');
    const message = `The editor changed these files again when it saved them, so they are not exactly as before: ${names}`;
    return { kept: now, result: { status: to, message } };
  } catch (error) {
    return { kept, result: { status: 'failed', message: error instanceof Error ? error.message : String(error) } };
  }
}

function notTurned(
  changes: readonly (FileChange | FileRestore)[],
  outcome: Exclude<ApplyOutcome, { status: 'applied' }>,
): UndoResult {
  if (outcome.status === 'stale') return { status: 'changed_since', message: `${outcome.path}: ${outcome.reason}` };
  const unknown = changes.filter((_, index) => outcome.states[index] === 'unknown').map(({ path }) => path.path);
  const look = unknown.length === 0 ? '' : `. Look at what these files hold now: ${unknown.join(', ')}`;
  return { status: 'failed', message: `${outcome.reason}${look}` };
}

/** Returns the moves among the parts, since a change may move files that it edits. */
export function movesOf(parts: readonly Part[]): readonly Moved[] {
  return parts.flatMap(({ kept }) => (kept.kind === 'move' ? [{ from: kept.uri, to: kept.to }] : []));
}

/** Returns the text that the change left in a file. */
export function textAfter(kept: Extract<KeptChange, { kind: 'edit' | 'create' }>): KeptText {
  return kept.after ?? kept.chosen ?? kept.result;
}

/** Returns the text of a file before the change, or after its undo. */
export function textBefore(kept: Extract<KeptChange, { kind: 'edit' }>): KeptText {
  return kept.undone ?? kept.base;
}

async function inverseOf(
  kept: KeptChange,
  moves: readonly Moved[],
  { files, history, resolve }: UndoDependencies,
): Promise<FileChange | FileRestore> {
  switch (kept.kind) {
    case 'edit':
      return {
        kind: 'edit',
        path: await resolve(addressAfter(kept.uri, moves), 'change'),
        base: onDisk(await loadText(textAfter(kept), history)),
        result: await loadText(kept.base, history),
      };
    case 'create': {
      const [path, after] = await Promise.all([
        resolve(addressAfter(kept.uri, moves), 'entry'),
        loadText(textAfter(kept), history),
      ]);
      const now = await files.readText(path, Infinity, after.encoding);
      if (now.text !== after.text) throw new Error(`${path.path}: the text was changed`);
      if (now.unsaved || now.unsavedElsewhere) throw new Error(`${path.path}: an editor holds unsaved changes of it`);
      const tree = await files.readTree(path, { maximumFiles: Infinity, maximumBytes: Infinity });
      // An editor may show our text while another program has written the file.
      if (kept.bytes !== undefined && tree.files[0]?.sha256 !== kept.bytes) {
        throw new Error(`${path.path}: the file was changed`);
      }
      return {
        kind: 'delete',
        path,
        isFolder: false,
        files: tree.files,
        toTrash: false,
        recovery: 'unknown',
        emptiedFolders: innermostFirst(kept.createdFolders),
      };
    }
    case 'delete':
      return {
        kind: 'restore',
        path: await resolve(kept.uri, 'entry'),
        isFolder: kept.isFolder,
        files: await loadFiles(kept.files, history),
      };
    case 'move': {
      const [path, to] = await Promise.all([resolve(kept.to, 'entry'), resolve(kept.uri, 'entry')]);
      const tree = await files.readTree(path, { maximumFiles: Infinity, maximumBytes: Infinity });
      const emptiedFolders = innermostFirst(kept.createdFolders);
      return { kind: 'move', path, to, isFolder: kept.isFolder, files: tree.files, emptiedFolders };
    }
    default:
      return kept satisfies never;
  }
}

async function forwardOf(
  kept: KeptChange,
  made: readonly Moved[],
  { files, history, resolve }: UndoDependencies,
): Promise<FileChange> {
  switch (kept.kind) {
    case 'edit':
      return {
        kind: 'edit',
        path: await resolve(addressAfter(kept.uri, made), 'change'),
        base: onDisk(await loadText(textBefore(kept), history)),
        result: await loadText(textAfter(kept), history),
      };
    case 'create':
      return {
        kind: 'create',
        path: await resolve(kept.uri, 'change'),
        result: await loadText(textAfter(kept), history),
      };
    case 'delete': {
      const { isFolder, toTrash, recovery } = kept;
      const path = await resolve(kept.uri, 'entry');
      return { kind: 'delete', path, isFolder, files: await loadFiles(kept.files, history), toTrash, recovery };
    }
    case 'move': {
      const [path, to] = await Promise.all([resolve(kept.uri, 'entry'), resolve(kept.to, 'entry')]);
      const tree = await files.readTree(path, { maximumFiles: Infinity, maximumBytes: Infinity });
      return { kind: 'move', path, to, isFolder: kept.isFolder, files: tree.files };
    }
    default:
      return kept satisfies never;
  }
}

function onDisk(text: TextState) {
  return { ...text, source: 'disk' as const, unsaved: false, unifiedLineEnds: 0 };
}

interface Turned {
  readonly changes: readonly (FileChange | FileRestore)[];
  readonly files: readonly AppliedFile[];
}

/** Stores the texts that the next undo or redo must find in the files. */
function keepTurned(
  kept: readonly KeptChange[],
  parts: readonly Part[],
  to: 'undone' | 'redone',
  { changes, files }: Turned,
  history: History,
): Promise<KeptChange[]> {
  return Promise.all(
    kept.map(async (each, index): Promise<KeptChange> => {
      const at = parts.findIndex((part) => part.index === index);
      const { written, createdFolders } = files[at] ?? {};
      const change = changes[at];
      if (change === undefined) return each;
      const { undone: _undone, createdFolders: _createdFolders, ...redone } = each;
      const next = to === 'undone' ? each : redone;
      const folders = to === 'redone' && createdFolders ? { createdFolders: [...createdFolders] } : {};
      if (written === undefined || (change.kind !== 'edit' && change.kind !== 'create')) return { ...next, ...folders };
      const text = await keepText(isOurs(written) ? written : { ...written, text: change.result.text }, history);
      const bytes = next.kind === 'create' && written.sha256 !== undefined ? { bytes: written.sha256 } : {};
      return { ...next, ...folders, ...bytes, ...(to === 'undone' ? { undone: text } : { after: text }) };
    }),
  );
}

/** Returns a `Resolve` that refuses an address which leads elsewhere than when the change was made, for example through a new link. */
export function resolveInPlace({ files }: Approval, moves: readonly Moved[], resolve: Resolve): Resolve {
  const moved = new Set(moves.map(({ from }) => from));
  const realMoves: Moved[] = [];
  const places = new Map<string, string>();
  for (const { uri, realPath, to } of files) {
    if (to === undefined || !moved.has(uri)) continue;
    realMoves.push({ from: realPath, to: to.realPath });
    places.set(to.uri, to.realPath);
  }
  for (const { uri, realPath } of files) {
    places.set(uri, realPath).set(addressAfter(uri, moves), addressAfter(realPath, realMoves));
  }
  return async (uri, purpose) => {
    const path = await resolve(uri, purpose);
    // On a disk that ignores case, a move may have changed the spelling alone.
    const place = places.get(uri) ?? placeBelow(uri, places);
    if (place?.toLowerCase() === path.realPath.toLowerCase()) return path;
    throw new Error(`${path.path} leads to another place than the one that was changed.`);
  };
}

/** Returns the real path of a file in a folder of the change. */
function placeBelow(uri: string, places: ReadonlyMap<string, string>): string | undefined {
  for (const [folder, realPath] of places) {
    if (!uri.startsWith(`${folder}/`)) continue;
    return join(
      realPath,
      ...uri
        .slice(folder.length + 1)
        .split('/')
        .map(decodeURIComponent),
    );
  }
  return undefined;
}

function innermostFirst(folders: readonly string[] = []): readonly string[] {
  return folders.toReversed();
}
