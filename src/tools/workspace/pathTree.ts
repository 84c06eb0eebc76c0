/** A listed path; the name of a directory is shown with a slash, and facts may follow a name. */
export interface ListedPath {
  /** Relative, with `/`. */
  readonly path: string;
  readonly isDirectory: boolean;
  /** Text that follows the name. */
  readonly facts: string;
}

/**
 * Renders sorted paths as lines that name each folder once; its entries follow with one more tab. A folder with a single
 * listed path stands on the same line. The folders above a line, joined with the line, are the whole path.
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

/** Returns the most text that a path can add to such a list. */
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
