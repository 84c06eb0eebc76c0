import { posix, win32 } from 'node:path';
import type { WorkspaceFolder } from '#base/workspace.ts';

/**
 * The first segment that names a folder in a window with several. Folders of one name are told apart by the name of
 * the directory they lie in, and by their position when even that is the same.
 */
export function labelOf(folder: WorkspaceFolder, folders: readonly WorkspaceFolder[]): string {
  const name = segmentName(folder.name);
  const twins = folders.filter((other) => segmentName(other.name) === name);
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

/** A workspace file may name a folder anything; a label must stay one segment. */
function segmentName(name: string): string {
  return name.replace(/[/\\]/g, '-');
}

/** The path syntax of an absolute path: known from the path, so that the policy needs to know no platform. */
export function flavourOf(fsPath: string): typeof posix {
  return /^([a-z]:[\\/]|\\\\)/i.test(fsPath) ? win32 : posix;
}
