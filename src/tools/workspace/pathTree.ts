/** A path of a list, and how it is shown: a directory's name ends in a slash, and facts may follow it. */
export interface ListedPath {
  /** Relative, with `/`. */
  readonly path: string;
  readonly isDirectory: boolean;
  /** What follows the name. */
  readonly facts: string;
}

/**
 * Sorted paths as lines, each folder said once: what is in it follows, with one more tab before it. A folder of which only one
 * path is listed stands before its name. Whoever joins the folders above a line and the line has the whole path.
 */
export function pathTree(sorted: readonly ListedPath[]): readonly string[] {
  const open: string[] = [];
  const said = (): string => open.at(-1) ?? '';
  const lines: string[] = [];
  for (const [at, listed] of sorted.entries()) {
    const folder = folderOf(listed);
    while (!folder.startsWith(said())) open.pop();
    if (folder !== said() && sorted[at + 1]?.path.startsWith(folder) === true) {
      lines.push(tabs(open.length) + folder.slice(said().length));
      open.push(folder);
    }
    lines.push(tabs(open.length) + nameOf(listed, said()));
    if (listed.isDirectory) open.push(`${listed.path}/`);
  }
  return lines;
}

/** What a path adds to such a list at most. */
export function mostLines(listed: ListedPath, before: ListedPath | undefined): string {
  const folder = folderOf(listed);
  const line = tabs(folder.split('/').length) + nameOf(listed, folder);
  const isSaid = before !== undefined && [folderOf(before), nameOf({ ...before, facts: '' }, '')].includes(folder);
  return isSaid ? line : `${folder}\n${line}`;
}

function nameOf({ path, isDirectory, facts }: ListedPath, folder: string): string {
  return `${path.slice(folder.length)}${isDirectory ? '/' : ''}${facts}`;
}

function folderOf({ path }: ListedPath): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function tabs(count: number): string {
  return '\t'.repeat(count);
}
