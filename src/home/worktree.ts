/**
 * Git work trees: a tree that belongs to the repository of a guarded folder is guarded too. The files of Git are read here, and no
 * program of Git runs, because the configuration of a repository can make it run others.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Guard, guardsOf, holds } from './guards.ts';

/** A work tree of a repository that has another tree, or its common directory, in a guarded folder. */
export interface GuardedWorkTree {
  /** Real path, absolute. */
  readonly root: string;
  /** Real path of the other tree; undefined for a bare repository. */
  readonly of: string | undefined;
}

/**
 * Returns the innermost work tree above a path that belongs to the repository of one of the folders, and holds none of these: who
 * opens a part of a tree wants only this part.
 * @param path a real path, absolute, outside the folders; nothing need be there
 * @param folders real paths, absolute
 */
export function guardedWorkTree(path: string, folders: readonly string[]): GuardedWorkTree | undefined {
  for (const { root, common } of workTreesAbove(path)) {
    for (const folder of folders) {
      if (holds(root, folder, process.platform)) continue;
      const own = workTreesAbove(folder).find((tree) => tree.common === common);
      if (own !== undefined) return { root, of: own.root };
      if (holds(folder, common, process.platform))
        return { root, of: isGitFolder(common) ? dirname(common) : undefined };
    }
  }
  return undefined;
}

/**
 * Returns the guards with a folder that holds one of the paths, and those with a work tree of the same repository for each path that
 * no open window has in its folders.
 * @param paths real paths, absolute
 */
export function guardsOfFiles(guards: readonly Guard[], paths: readonly string[]): readonly Guard[] {
  const open = guards.filter(({ state }) => state === 'open');
  const elsewhere = paths.filter((path) => guardsOf(open, [path]).length === 0);
  const direct = guardsOf(guards, paths);
  return guards.filter(
    (guard) => direct.includes(guard) || elsewhere.some((path) => guardedWorkTree(path, guard.folders) !== undefined),
  );
}

interface WorkTree {
  readonly root: string;
  /** Real path of the common directory of its repository. */
  readonly common: string;
}

/**
 * Returns every work tree that holds a path, the innermost first. The outer ones count as well: a repository, a submodule or a
 * broken `.git` file in a work tree must not take its files out of it.
 */
function workTreesAbove(path: string): readonly WorkTree[] {
  const tree = workTreeAt(path);
  const parent = dirname(path);
  return [...(tree === undefined ? [] : [tree]), ...(parent === path ? [] : workTreesAbove(parent))];
}

/**
 * Returns the work tree whose root a folder is. Its `.git` file is a mere claim, so the repository must know it: the named folder is
 * one in `worktrees` of the common directory, and names this file (threat row G12).
 */
function workTreeAt(root: string): WorkTree | undefined {
  const link = join(root, '.git');
  try {
    const stat = lstatSync(link, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (stat.isDirectory()) return { root, common: link };
    const [, named] = /^gitdir: (.+)$/.exec(lineOf(link)) ?? [];
    if (named === undefined) return undefined;
    const folder = realpathSync.native(resolve(root, named));
    const common = realpathSync.native(resolve(folder, lineOf(join(folder, 'commondir'))));
    const isKnown =
      dirname(folder) === join(common, 'worktrees') &&
      realpathSync.native(resolve(folder, lineOf(join(folder, 'gitdir')))) === realpathSync.native(link);
    return isKnown ? { root, common } : undefined;
  } catch {
    // A file is missing or cannot be read, so nothing proves the claim.
    return undefined;
  }
}

function isGitFolder(common: string): boolean {
  return basename(common) === '.git';
}

/** Paths are at most this long on all systems that Git knows. */
const mostBytes = 4096;

/** Reads a file of one line. @throws when it is a link or something else, missing, or too large */
function lineOf(path: string): string {
  const stat = lstatSync(path);
  if (!stat.isFile() || stat.size > mostBytes) throw new Error(`${path} is no file of one line.`);
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
}
