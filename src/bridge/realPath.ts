import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The number of links to nothing that are followed one from the other, as Linux allows. */
const mostLinks = 40;

/**
 * Resolves the symbolic links of an absolute path. A path that does not exist is joined to its nearest existing folder. A link that leads
 * nowhere is followed too: a write through it creates the file to which it leads (threat row G7).
 */
export function realPath(path: string): Promise<string> {
  return follow(path, mostLinks);
}

async function follow(path: string, links: number): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const place = join(await follow(parent, links), basename(path));
    const target = links === 0 ? undefined : await readlink(place).catch(() => undefined);
    return target === undefined ? place : follow(resolve(dirname(place), target), links - 1);
  }
}
