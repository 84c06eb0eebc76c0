import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange, FileCreate, FileDelete, FileEdit, FileMove, Recovery } from '#base/proposal.ts';
import { folderAt } from '../fakes/workspace.ts';

/** Returns a file of the folder `/w`. */
export function at(relative: string, realPath = `/w/${relative}`): ResolvedPath {
  return {
    path: relative,
    uri: `file:///w/${relative}`,
    folder: folderAt('/w'),
    fsPath: `/w/${relative}`,
    realPath,
    kind: 'file',
    linked: realPath !== `/w/${relative}`,
    dangling: false,
    size: 1,
    modified: 1,
    linkCount: 1,
  };
}

export function editOf(path: ResolvedPath, base = 'a', result = 'b'): FileEdit {
  const text = (value: string) => ({ text: value, encoding: 'utf8' });
  return {
    kind: 'edit',
    path,
    base: { ...text(base), source: 'disk', unsaved: false, unifiedLineEnds: 0 },
    result: text(result),
  };
}

export function createOf(path: ResolvedPath, result = 'x'): FileCreate {
  return { kind: 'create', path, result: { text: result, encoding: 'utf8' } };
}

/** Returns the delete of a file, or of a folder when the names of files below it are given. */
export function deleteOf(
  path: ResolvedPath,
  below: readonly string[] = [],
  recovery: Recovery = 'unknown',
): FileDelete {
  const isFolder = below.length > 0;
  return { kind: 'delete', path, isFolder, files: tree(isFolder ? below : ['']), toTrash: false, recovery };
}

export function moveOf(path: ResolvedPath, to: ResolvedPath, below: readonly string[] = []): FileMove {
  const isFolder = below.length > 0;
  return { kind: 'move', path, to, isFolder, files: tree(isFolder ? below : ['']) };
}

export function proposalOf(...files: readonly FileChange[]) {
  return { kind: 'changes' as const, files };
}

function tree(names: readonly string[]): readonly (TreeFile & { readonly bytes: Uint8Array })[] {
  const facts = { sha256: '', size: 0, mode: 0o644, isLink: false, bytes: new Uint8Array() };
  return names.map((relative) => ({ relative, ...facts }));
}
