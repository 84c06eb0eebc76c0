import { posix, win32 } from 'node:path';
import type { WorkspaceFolder } from '#base/workspace.ts';

/** Returns the folders that the window has open, without the work trees that it only guards. */
export function openFolders(folders: readonly WorkspaceFolder[]): readonly WorkspaceFolder[] {
  return folders.filter(({ worktree }) => worktree === undefined);
}

/**
 * Returns the label of a folder: the first segment of its paths in a window with several folders. Folders with the same name
 * are told apart by the name of their parent directory, and by their position when that is the same too. A work tree that the window
 * only guards changes the label of no folder.
 */
export function labelOf(folder: WorkspaceFolder, folders: readonly WorkspaceFolder[]): string {
  const name = segmentName(folder.name);
  const twins = folders.filter(
    (other) => segmentName(other.name) === name && (other.worktree === undefined) === (folder.worktree === undefined),
  );
  if (twins.length < 2) return name;
  const parent = parentName(folder);
  const alike = twins.filter((other) => parentName(other) === parent);
  if (alike.length < 2) return `${name} (${parent})`;
  return `${name} (${parent} ${alike.findIndex((other) => other.fsPath === folder.fsPath) + 1})`;
}

function parentName(folder: WorkspaceFolder): string {
  const flavour = flavourOf(folder.fsPath);
  return segmentName(flavour.basename(flavour.dirname(folder.fsPath)));
}

/** Replaces separators in a folder name, which a workspace file may choose freely: a label must stay one segment. */
function segmentName(name: string): string {
  return name.replace(/[/\\]/g, '-');
}

/** Returns the path syntax of an absolute path, derived from the path so that the policy is independent of the platform. */
export function flavourOf(fsPath: string): typeof posix {
  return /^([a-z]:[\\/]|\\\\)/i.test(fsPath) ? win32 : posix;
}
