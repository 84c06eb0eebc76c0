import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Resolves the symbolic links of an absolute path; a path that does not exist is joined to its nearest existing folder. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
