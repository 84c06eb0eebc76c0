import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Wishes } from './chooseWindow.ts';

/** {@link Wishes} as they were given: a relative folder, links, `file:` URIs. */
export type UnresolvedWishes = Omit<Wishes, 'platform'>;

/** Real, absolute paths. What is no path of this machine stays as it is, so that no window holds it. */
export async function resolveWishes(wishes: UnresolvedWishes): Promise<Wishes> {
  const workingDirectory = await realPath(wishes.workingDirectory);
  const folder = wishes.folder === undefined ? undefined : await realPath(resolve(workingDirectory, wishes.folder));
  const roots = await Promise.all(wishes.roots.map((root) => realPathOfRoot(root)));
  return { ...wishes, workingDirectory, folder, roots, platform: process.platform };
}

/** A path with its links resolved; what does not exist (yet) is joined to its nearest folder that does. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

async function realPathOfRoot(root: string): Promise<string> {
  const path = pathOfRoot(root);
  return isAbsolute(path) ? realPath(path) : path;
}

function pathOfRoot(root: string): string {
  if (!/^file:/i.test(root)) return root;
  try {
    return fileURLToPath(root);
  } catch {
    return root;
  }
}
