import { basename, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import { realPathOf } from '#files/editor/foundFile.ts';
import { type GuardedWorkTree, guardedWorkTree } from '#home/worktree.ts';
import { folderContaining } from '#policy/paths.ts';

/** The workspace for whatever judges, applies and undoes changes. Tools get the plain one, so that none reaches a work tree. */
export interface WorkspaceWithWorktrees extends Workspace {
  /** Makes the Git work trees of these absolute paths folders, where they belong to the repository of an open folder. */
  include(paths: readonly string[]): void;
}

/** The most work trees that are kept; each is looked at in every turn of the event loop that decides about a change. */
const mostRoots = 100;

/**
 * Adds the work trees that a change named to the folders of the window. Each is read from the disk again in every turn of the event
 * loop, so that it counts only as long as its repository knows it.
 */
export function withWorktrees(workspace: Workspace): WorkspaceWithWorktrees {
  /** Real paths. */
  const roots = new Set<string>();
  let found: { readonly open: readonly WorkspaceFolder[]; readonly all: readonly WorkspaceFolder[] } | undefined;
  return {
    windowId: workspace.windowId,
    editor: workspace.editor,
    name: () => workspace.name(),
    isTrusted: () => workspace.isTrusted(),
    isHeld: () => workspace.isHeld(),
    onDidChange: workspace.onDidChange,
    folders() {
      const open = workspace.folders();
      if (roots.size === 0) return open;
      if (found?.open !== open) {
        found = { open, all: [...open, ...[...roots].flatMap((root) => worktreeAt(root, open) ?? [])] };
        setImmediate(() => (found = undefined));
      }
      return found.all;
    },
    include(paths) {
      const open = workspace.folders();
      for (const path of paths) {
        const root = rootOf(path, open);
        if (root === undefined) continue;
        // The last one added is kept longest.
        roots.delete(root);
        roots.add(root);
      }
      for (const oldest of [...roots].slice(0, -mostRoots)) roots.delete(oldest);
      found = undefined;
    },
  };
}

/** Returns the root of the work tree that holds a path. A network path is not looked at, since that could send a password. */
function rootOf(path: string, open: readonly WorkspaceFolder[]): string | undefined {
  if (!isAbsolute(path) || /^[/\\]{2}/.test(path)) return undefined;
  const realPath = realPathOf(path);
  if (folderContaining(realPath, open) !== undefined) return undefined;
  return workTreeOf(realPath, open)?.root;
}

/** Returns the folder of a work tree; undefined when a link took its place, when it is open now, or when its repository is not. */
function worktreeAt(root: string, open: readonly WorkspaceFolder[]): WorkspaceFolder | undefined {
  if (realPathOf(root) !== root || folderContaining(root, open) !== undefined) return undefined;
  const tree = workTreeOf(root, open);
  if (tree?.root !== root) return undefined;
  const uri = vscode.Uri.file(root).toString();
  return { name: `worktree ${basename(root)}`, uri, fsPath: root, realPath: root, worktree: { of: tree.of } };
}

function workTreeOf(realPath: string, open: readonly WorkspaceFolder[]): GuardedWorkTree | undefined {
  return guardedWorkTree(
    realPath,
    open.map((folder) => folder.realPath),
  );
}
