/** A folder of the tree, with the files in it. */
export interface TreeNode {
  /** The name below the folder above, such as `src/pages`; empty for the root. */
  readonly name: string;
  /** Indexes of the files that lie directly in the folder. */
  readonly files: readonly number[];
  readonly folders: readonly TreeNode[];
}

interface Building {
  readonly files: number[];
  readonly folders: Map<string, Building>;
}

/** Compares names as a person sorts them: `page2` before `page10`. */
const compare = new Intl.Collator('en', { numeric: true }).compare;

/**
 * Returns the folder tree of files, sorted by name. A folder that holds nothing but one folder is joined with it.
 * @param paths of the files, with `/`
 */
export function fileTree(paths: readonly string[]): TreeNode {
  const root: Building = { files: [], folders: new Map() };
  for (const [index, path] of paths.entries()) {
    let folder = root;
    for (const name of path.split('/').slice(0, -1)) {
      const next = folder.folders.get(name) ?? { files: [], folders: new Map() };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(index);
  }
  return built('', root, paths);
}

function built(name: string, { files, folders }: Building, paths: readonly string[]): TreeNode {
  const [only, ...others] = folders;
  if (only !== undefined && others.length === 0 && files.length === 0) {
    return built(name === '' ? only[0] : `${name}/${only[0]}`, only[1], paths);
  }
  return {
    name,
    files: files.toSorted((a, b) => compare(paths[a] ?? '', paths[b] ?? '')),
    folders: [...folders].toSorted(([a], [b]) => compare(a, b)).map(([each, folder]) => built(each, folder, paths)),
  };
}
