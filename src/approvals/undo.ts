import type { Edits } from '../ports/edits.ts';
import type { Files } from '../ports/files.ts';
import type { History } from '../ports/history.ts';
import type { FileChange, FileRestore } from '../ports/proposal.ts';
import type { Approval, UndoResult } from './approval.ts';
import type { Entry } from './entry.ts';
import { loadFiles, loadText, type Resolve } from './keep.ts';
import type { KeptChange } from './record.ts';

export interface UndoDependencies {
  readonly edits: Edits;
  readonly files: Pick<Files, 'readText' | 'readTree'>;
  readonly history: History;
  readonly resolve: Resolve;
}

/**
 * Takes applied changes back, all or none, and only where each file still holds what it had after our own save: work done
 * since is never overwritten.
 */
export async function undoApplied(
  { approval, kept: changes }: Pick<Entry, 'approval' | 'kept'>,
  dependencies: UndoDependencies,
): Promise<UndoResult> {
  const applied = changes.filter(({ after, included, kind }) =>
    kind === 'edit' || kind === 'create' ? after !== undefined : included,
  );
  try {
    const moved = new Map(applied.flatMap((kept) => (kept.kind === 'move' ? [[kept.uri, kept.to] as const] : [])));
    const resolve = resolveInPlace(approval, moved, dependencies.resolve);
    const inverse = await Promise.all(applied.map((kept) => inverseOf(kept, moved, { ...dependencies, resolve })));
    const outcome = await dependencies.edits.apply(inverse);
    if (outcome.status === 'applied') {
      const again = inverse.filter((_, index) => outcome.files[index]?.written?.changedOnSave === true);
      if (again.length === 0) return { status: 'undone' };
      const names = again.map(({ path }) => path.path).join(', ');
      return {
        status: 'undone',
        message: `The editor changed it again when it saved, so it is not exactly as before: ${names}`,
      };
    }
    return outcome.status === 'stale'
      ? { status: 'changed_since', message: `${outcome.path}: ${outcome.reason}` }
      : { status: 'failed', message: outcome.reason };
  } catch (error) {
    return { status: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** @param moved where files are now that a move of the same approval took along, by their address before */
async function inverseOf(
  kept: KeptChange,
  moved: ReadonlyMap<string, string>,
  { files, history, resolve }: UndoDependencies,
): Promise<FileChange | FileRestore> {
  switch (kept.kind) {
    case 'edit': {
      if (kept.after === undefined) throw new Error('The text after the change was not kept.');
      const [path, base, result] = await Promise.all([
        resolve(addressNow(kept.uri, moved), 'change'),
        loadText(kept.after, history),
        loadText(kept.base, history),
      ]);
      return { kind: 'edit', path, base: { ...base, source: 'disk', unsaved: false, unifiedLineEnds: 0 }, result };
    }
    case 'create': {
      if (kept.after === undefined) throw new Error('The text after the change was not kept.');
      const [path, after] = await Promise.all([resolve(kept.uri, 'entry'), loadText(kept.after, history)]);
      const now = await files.readText(path, Infinity);
      if (now.text !== after.text) throw new Error(`${path.path}: the text was changed`);
      const tree = await files.readTree(path, { maximumFiles: Infinity, maximumBytes: Infinity });
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

/** An address must lead where it led when the change was made there: a link in its way since then leads elsewhere. */
function resolveInPlace({ files }: Approval, moved: ReadonlyMap<string, string>, resolve: Resolve): Resolve {
  const movedReally = new Map<string, string>();
  const places = new Map<string, string>();
  for (const { uri, realPath, to } of files) {
    if (to === undefined || !moved.has(uri)) continue;
    movedReally.set(realPath, to.realPath);
    places.set(to.uri, to.realPath);
  }
  for (const { uri, realPath } of files) {
    places.set(uri, realPath).set(addressNow(uri, moved), addressNow(realPath, movedReally));
  }
  return async (uri, purpose) => {
    const path = await resolve(uri, purpose);
    // On a disk that ignores case, a move may have changed the spelling alone.
    if (places.get(uri)?.toLowerCase() === path.realPath.toLowerCase()) return path;
    throw new Error(`${path.path} leads to another place than the one that was changed.`);
  };
}

/** A file that was edited and then moved, by itself or with its folder, is undone where it is now. */
function addressNow(uri: string, moved: ReadonlyMap<string, string>): string {
  for (const [from, to] of moved) {
    if (uri === from || (uri.startsWith(from) && /^[/\\]/.test(uri.slice(from.length))))
      return to + uri.slice(from.length);
  }
  return uri;
}

function innermostFirst(folders: readonly string[] = []): readonly string[] {
  return folders.toReversed();
}
