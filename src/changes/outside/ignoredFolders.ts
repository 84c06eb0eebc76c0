/** Changes in folders that a repository ignores: one line for each folder, since programs fill them with thousands of files. */
import type { Baseline } from './baseline.ts';
import type { OutsideCall } from './outsideCalls.ts';
import type { OutsideChange } from './outsideChange.ts';

/** Paths that are remembered of one folder, so that a file is counted once. */
const mostPaths = 10_000;

interface IgnoredFolder {
  /** It is new as a whole. */
  isNew: boolean;
  readonly paths: Set<string>;
  readonly calls: Set<OutsideCall>;
  /** Changes with each file, so that a line that was kept comes back. */
  version: number;
}

/** Returns whether a file with this baseline may lie in an ignored folder: the snapshot holds nothing of these. */
export function mayBeIgnored(before: Baseline | undefined): boolean {
  const { kind, source } = before ?? {};
  return (kind === 'unknown' || kind === 'missing') && (source === 'unknown' || source === 'snapshot');
}

/** The ignored folders in which something changed. */
export class IgnoredFolders {
  readonly #folders = new Map<string, IgnoredFolder>();
  /** New folders that the user has kept. */
  readonly #kept = new Set<string>();
  #version = 0;

  /** Adds a folder that is new as a whole. */
  addFolder(root: string, calls: readonly OutsideCall[]): void {
    if (this.#kept.has(root) || this.#folders.get(root)?.isNew === true) return;
    this.#change(root, calls).isNew = true;
  }

  /** Adds a file in an ignored folder. */
  add(root: string, fsPath: string, calls: readonly OutsideCall[]): void {
    const { paths } = this.#change(root, calls);
    if (paths.size < mostPaths) paths.add(fsPath);
  }

  /** Removes a file that turned out not to be changed from outside. */
  remove(fsPath: string): void {
    for (const [root, { paths, isNew }] of this.#folders) {
      if (paths.delete(fsPath) && paths.size === 0 && !isNew) this.#folders.delete(root);
    }
  }

  forget(root: string): void {
    if (this.#folders.delete(root)) this.#kept.add(root);
  }

  lines(): readonly OutsideChange[] {
    return [...this.#folders].map(([root, { paths, calls, version }]) => ({
      type: 'ignored',
      id: `ignored\n${root}\n${version}`,
      root,
      count: paths.size,
      calls: [...calls],
    }));
  }

  #change(root: string, calls: readonly OutsideCall[]): IgnoredFolder {
    const folder = this.#folders.get(root) ?? { isNew: false, paths: new Set(), calls: new Set(), version: 0 };
    this.#folders.set(root, folder);
    this.#version += 1;
    folder.version = this.#version;
    for (const call of calls) folder.calls.add(call);
    return folder;
  }
}
