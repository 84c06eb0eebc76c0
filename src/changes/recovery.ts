/** Finds out how far an interrupted apply, undo or redo got, and clears up after it. */
import { dirname } from 'node:path';
import type { Files, ResolvedPath, TreeFile } from '#base/files.ts';
import { purposeOf, type TextState } from '#base/proposal.ts';
import type { ApprovalFile } from './approval.ts';
import type { ChangeRequest } from './requests.ts';
import type { History } from './history.ts';
import type { InterruptedApplies, TemporaryEntry } from './edits.ts';
import { loadText, type Resolve } from './keep.ts';
import { addressAfter, type Moved } from './moves.ts';
import type { KeptChange, PendingTurn } from './record.ts';
import { movesOf, resolveInPlace, textAfter, textBefore, type Part } from './undo.ts';

interface FindingDependencies {
  readonly files: Pick<Files, 'readText' | 'readTree'>;
  readonly history: History;
  readonly resolve: Resolve;
}

export interface RecoveryDependencies extends FindingDependencies {
  readonly interrupted: InterruptedApplies;
}

/** The state in which a crash left one file of a change. */
export interface FoundPart extends Part {
  readonly found: 'before' | 'after' | 'unknown';
  /** The text of the editor or the file, when it is one of the two texts. */
  readonly text?: TextState & { readonly unsaved: boolean };
  /** SHA-256 of the bytes of a created file. */
  readonly bytes?: string;
}

/** The interrupted act. */
type Direction = 'apply' | PendingTurn['direction'];

/**
 * Returns how far an interrupted apply, undo or redo got, file by file, from the text that the editor restored as well as the file
 * (failure row F20). Puts temporary entries beside the files back, or removes them.
 */
export async function examine(
  entry: Pick<ChangeRequest, 'approval' | 'kept' | 'pending'>,
  dependencies: RecoveryDependencies,
): Promise<readonly FoundPart[]> {
  const { kept, pending } = entry;
  const parts =
    pending?.files.flatMap((index) => (kept[index] ? [{ index, kept: kept[index] }] : [])) ?? includedParts(kept);
  const direction = pending?.direction ?? 'apply';
  const { moves, resolve, look } = lookingAt(entry, parts, dependencies);
  await loadUnsaved(parts, moves, { ...dependencies, resolve });
  await clearAway(entry, parts, direction, { ...dependencies, resolve, look });
  return Promise.all(parts.map(look));
}

/** Returns the state of each file of a change, from what the editor and the disk hold now. Changes nothing. */
export function findParts(
  entry: Pick<ChangeRequest, 'approval' | 'kept'>,
  dependencies: FindingDependencies,
): Promise<readonly FoundPart[]> {
  const parts = includedParts(entry.kept);
  return Promise.all(parts.map(lookingAt(entry, parts, dependencies).look));
}

function lookingAt(
  { approval }: Pick<ChangeRequest, 'approval'>,
  parts: readonly Part[],
  dependencies: FindingDependencies,
) {
  const moves = movesOf(parts);
  const resolve = resolveInPlace(approval, moves, dependencies.resolve);
  const look = (part: Part): Promise<FoundPart> => lookAt(part, moves, { ...dependencies, resolve });
  return { moves, resolve, look };
}

/** Returns the parts that were passed to `Edits`, in their order. */
function includedParts(kept: readonly KeptChange[]): readonly Part[] {
  return kept.flatMap((each, index) => {
    const isUnchanged = each.kind === 'edit' && each.chosen?.sha256 === each.base.sha256;
    return each.included && each.takenBack !== true && !isUnchanged ? [{ index, kept: each }] : [];
  });
}

type Looking = RecoveryDependencies & { readonly look: (part: Part) => Promise<FoundPart> };

async function loadUnsaved(
  parts: readonly Part[],
  moves: readonly Moved[],
  { interrupted, resolve }: RecoveryDependencies,
): Promise<void> {
  const addresses = new Set(parts.flatMap(({ kept: { uri } }) => [uri, addressAfter(uri, moves)]));
  const paths = await Promise.all([...addresses].map((uri) => resolve(uri, 'change').catch(() => undefined)));
  await interrupted.loadUnsaved(paths.flatMap((path) => (path?.kind === 'file' ? [path] : [])));
}

async function clearAway(
  { approval }: Pick<ChangeRequest, 'approval'>,
  parts: readonly Part[],
  direction: Direction,
  { interrupted, look }: Looking,
): Promise<void> {
  for (const part of parts) await clearHalfMove(part, approval.files[part.index], direction, interrupted);
  const realMoves = approval.files.flatMap(({ realPath, to }) => (to ? [{ from: realPath, to: to.realPath }] : []));
  const places = approval.files.flatMap(({ realPath, to }) => [
    realPath,
    addressAfter(realPath, realMoves),
    to?.realPath ?? realPath,
  ]);
  const temporaries = await interrupted.temporaries(approval.id, [...new Set(places.map((place) => dirname(place)))]);
  const found = await Promise.all(parts.map(look));
  for (const temporary of temporaries) {
    const part = found[temporary.change];
    if (temporary.kind === 'new') await interrupted.remove(temporary);
    else if (part !== undefined) {
      const place = approval.files[part.index]?.realPath;
      const isMoved = place === undefined || direction !== 'undo' || part.kept.kind !== 'create';
      const now = isMoved ? place : addressAfter(place, realMoves);
      if (now !== undefined) await clearOld(temporary, { part, place: now, found, direction }, interrupted);
    }
  }
}

/** Removes the second name of a half-done move (which makes the new name before it removes the old one), or the empty folder that a restore makes first. */
async function clearHalfMove(
  { kept }: Part,
  file: ApprovalFile | undefined,
  direction: Direction,
  interrupted: InterruptedApplies,
): Promise<void> {
  if (file === undefined) return;
  const { realPath, to } = file;
  if (kept.kind === 'move' && to !== undefined) {
    const [first, second] = direction === 'undo' ? [to.realPath, realPath] : [realPath, to.realPath];
    await interrupted.removeSecondName(first, second).catch(() => undefined);
  } else if (kept.kind === 'delete' && kept.isFolder && kept.files.length > 0) {
    await interrupted.removeEmptyFolder(realPath).catch(() => undefined);
  }
}

interface SetAside {
  readonly part: FoundPart;
  /** The real path that the entry had. */
  readonly place: string;
  readonly found: readonly FoundPart[];
  readonly direction: Direction;
}

/**
 * Removes an entry that was set aside when everything else was done, or when it was set aside to take it back. Otherwise gives
 * it its name again: it may hold the only copy of files that were added meanwhile.
 */
async function clearOld(
  temporary: TemporaryEntry,
  { part, place, found, direction }: SetAside,
  interrupted: InterruptedApplies,
): Promise<void> {
  const goal = direction === 'undo' ? 'before' : 'after';
  const isMade = part.kept.kind === (direction === 'undo' ? 'delete' : 'create');
  const others = found.filter((each) => each.index !== part.index);
  const isDone = others.length > 0 && others.every((each) => each.found === goal);
  const isThere = part.found !== (direction === 'undo' && part.kept.kind === 'create' ? 'before' : 'after');
  if (!isMade && !isDone && !isThere && (await interrupted.putBack(temporary, place))) return;
  if (!(await interrupted.remove(temporary, knownFiles(part.kept)))) await interrupted.putBack(temporary, place);
}

/** Returns the files of the set-aside entry that the history holds. The bytes of an uncommitted creation are known only in UTF-8. */
function knownFiles(kept: KeptChange): readonly Pick<TreeFile, 'relative' | 'sha256'>[] {
  if (kept.kind === 'delete') return kept.files;
  if (kept.kind !== 'create') return [];
  const { sha256, encoding } = textAfter(kept);
  const bytes = kept.bytes ?? (encoding === 'utf8' ? sha256 : undefined);
  return bytes === undefined ? [] : [{ relative: '', sha256: bytes }];
}

async function lookAt(part: Part, moves: readonly Moved[], dependencies: FindingDependencies): Promise<FoundPart> {
  try {
    return { ...part, ...(await stateOf(part.kept, moves, dependencies)) };
  } catch {
    // The file cannot be read, or lies in a folder that is not open.
    return { ...part, found: 'unknown' };
  }
}

type Found = Omit<FoundPart, keyof Part>;

async function stateOf(
  kept: KeptChange,
  moves: readonly Moved[],
  { files, history, resolve }: FindingDependencies,
): Promise<Found> {
  switch (kept.kind) {
    case 'edit': {
      const [before, after] = await Promise.all([
        loadText(textBefore(kept), history),
        loadText(textAfter(kept), history),
      ]);
      const path = await whereItIs(kept.uri, moves, resolve);
      const now = await files.readText(path, Infinity, textAfter(kept).encoding);
      const text = { text: now.text, encoding: now.encoding, unsaved: now.unsaved };
      if (now.text === after.text) return { found: 'after', text };
      return now.text === before.text ? { found: 'before', text } : { found: 'unknown' };
    }
    case 'create': {
      const path = await whereItIs(kept.uri, moves, resolve);
      if (path.kind === 'missing') return { found: 'before' };
      const [after, now] = await Promise.all([
        loadText(textAfter(kept), history),
        files.readText(path, Infinity, textAfter(kept).encoding),
      ]);
      if (now.text !== after.text) return { found: 'unknown' };
      const bytes = (await files.readTree(path, noLimits)).files[0]?.sha256;
      const text = { text: now.text, encoding: now.encoding, unsaved: now.unsaved };
      return { found: 'after', text, ...(bytes !== undefined && { bytes }) };
    }
    case 'delete': {
      const path = await resolve(kept.uri, purposeOf(kept));
      if (path.kind === 'missing') return { found: 'after' };
      return { found: (await isWhole(kept, path, files)) ? 'before' : 'unknown' };
    }
    case 'move': {
      const [from, to] = await Promise.all([resolve(kept.uri, 'entry'), resolve(kept.to, 'entry')]);
      if (from.kind !== 'missing' && to.kind === 'missing') return { found: 'before' };
      return { found: from.kind === 'missing' && to.kind !== 'missing' ? 'after' : 'unknown' };
    }
    default:
      return kept satisfies never;
  }
}

/** Resolves a file that the same change may have moved. */
async function whereItIs(uri: string, moves: readonly Moved[], resolve: Resolve): Promise<ResolvedPath> {
  const path = await resolve(uri, 'change');
  const later = addressAfter(uri, moves);
  return path.kind !== 'missing' || later === uri ? path : resolve(later, 'change');
}

async function isWhole(
  { files: expected }: Extract<KeptChange, { kind: 'delete' }>,
  path: ResolvedPath,
  files: RecoveryDependencies['files'],
): Promise<boolean> {
  const tree = await files.readTree(path, noLimits);
  const found = new Map(tree.files.map(({ relative, sha256 }) => [relative, sha256]));
  return found.size === expected.length && expected.every(({ relative, sha256 }) => found.get(relative) === sha256);
}

const noLimits = { maximumFiles: Infinity, maximumBytes: Infinity };
