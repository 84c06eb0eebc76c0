/** The snapshot of a Git work tree with the repositories in it, by a Git directory of our own for each. */
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { messageOf } from '#base/messageOf.ts';
import { relativeTo } from '#policy/paths.ts';
import { type Baseline, emptyBaseline } from './baseline.ts';
import type { DiskEntry } from './diskEntry.ts';
import type { Head } from './gitPlaces.ts';
import { GitTree, type SnapshotOptions } from './gitTree.ts';
import type { Differences, Snapshot, SnapshotResult } from './snapshot.ts';

/** Repositories in a work tree that get a snapshot of their own. */
const mostRepositories = 20;
const parallel = 4;

/** Returns the root of the Git work tree that holds a folder (real path); undefined when there is none. Runs nothing. */
export async function workTreeRootOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await lstat(join(at, '.git')).catch(() => undefined)) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Takes the snapshot of a work tree. It runs Git alone, and neither a program nor a path that the configuration of the repository
 * names; it writes nothing outside `folder`.
 * @param root real path of the work tree
 * @param folder a folder of this session's snapshots; it gets the mode 0700
 * @param options `program` is undefined when there is no Git
 */
export async function takeGitSnapshot(
  root: string,
  folder: string,
  options: Omit<SnapshotOptions, 'program'> & { readonly program: string | undefined },
): Promise<SnapshotResult> {
  const { program } = options;
  if (program === undefined) {
    return { snapshot: undefined, reason: 'Git was not found outside the workspace, so there is no snapshot.' };
  }
  const own = join(folder, 'trees');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(own, { mode: 0o700 });
    return { snapshot: await takeTrees(root, own, { ...options, program }) };
  } catch (error) {
    await rm(own, { recursive: true, force: true }).catch(() => undefined);
    options.signal.throwIfAborted();
    return { snapshot: undefined, reason: `Git could not take a snapshot of ${root}: ${messageOf(error)}` };
  }
}

async function takeTrees(root: string, folder: string, options: SnapshotOptions): Promise<GitSnapshot> {
  const first = await GitTree.take(root, join(folder, '0.git'), options);
  const trees = [first];
  const gaps = new Map<string, string>();
  const limit = pLimit(parallel);
  let found = first.repositories;
  while (found.length > 0) {
    const room = mostRepositories + 1 - trees.length - gaps.size;
    for (const each of found.slice(Math.max(room, 0))) gaps.set(each, 'there are more than 20 repositories in it');
    const taken = await Promise.all(
      found.slice(0, Math.max(room, 0)).map((each, index) =>
        limit(async () => {
          try {
            // A link on the way would lead out of the work tree.
            if ((await realpath(each)) !== each) throw new Error('it is reached through a link');
            return await GitTree.take(each, join(folder, `${trees.length + index}.git`), options);
          } catch (error) {
            options.signal.throwIfAborted();
            gaps.set(each, messageOf(error));
            return undefined;
          }
        }),
      ),
    );
    const next = taken.filter((tree) => tree !== undefined);
    trees.push(...next);
    found = next.flatMap(({ repositories }) => repositories);
  }
  return new GitSnapshot(trees, gaps);
}

/** The work trees of one repository and of those in it. */
class GitSnapshot implements Snapshot {
  /** The innermost first. */
  readonly #trees: readonly GitTree[];
  readonly #outer: GitTree;
  /** Roots of repositories without a snapshot, and why. */
  readonly #left: ReadonlyMap<string, string>;

  constructor(trees: readonly GitTree[], left: ReadonlyMap<string, string>) {
    const [outer] = trees;
    if (outer === undefined) throw new Error('A snapshot has at least one work tree.');
    this.#outer = outer;
    this.#trees = trees.toSorted((one, other) => other.root.length - one.root.length);
    this.#left = left;
  }

  get roots(): readonly string[] {
    return [this.#outer.root];
  }

  get gaps(): readonly string[] {
    return [
      ...this.#trees.flatMap(({ gap }) => gap ?? []),
      ...[...this.#left].map(
        ([root, reason]) => `The repository ${root} has no snapshot: ${reason.replace(/\.$/, '')}.`,
      ),
    ];
  }

  async read(fsPath: string): Promise<Baseline> {
    if (this.#isLeft(fsPath)) return emptyBaseline('unknown', 'unknown');
    return this.#treeOf(fsPath)?.baseline(fsPath) ?? emptyBaseline('unknown', 'unknown');
  }

  async differences(signal: AbortSignal): Promise<Differences> {
    const all = await Promise.all(
      this.#trees.map(async (tree) => {
        const { paths, ignored, repositories } = await tree.differences(signal);
        const added = repositories.filter((each) => !this.#isRoot(each) && !this.#left.has(each));
        return { paths: [...paths, ...(await filesOf(tree, added, signal))], ignored };
      }),
    );
    // A repository whose `.git` is gone is listed by the work tree around it, too, which knows nothing of its files.
    const paths = this.#trees.flatMap((tree, index) =>
      (all[index]?.paths ?? []).filter((fsPath) => this.#treeOf(fsPath) === tree && !this.#isLeft(fsPath)),
    );
    return { paths: [...new Set(paths)], ignored: all.flatMap(({ ignored }) => ignored) };
  }

  doubtSince(time: number): void {
    for (const tree of this.#trees) tree.doubtSince(time);
  }

  async ignoredRoots(fsPaths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const roots = new Map<string, string>();
    const asked = new Map<GitTree, string[]>();
    for (const fsPath of fsPaths) {
      const tree = this.#treeOf(fsPath);
      if (tree === undefined) continue;
      const known = tree.ignoredRoot(fsPath);
      if (known !== undefined) roots.set(fsPath, known);
      else asked.set(tree, [...(asked.get(tree) ?? []), fsPath]);
    }
    for (const [tree, paths] of asked) {
      for (const [fsPath, root] of await tree.ignoredNow(paths, signal)) roots.set(fsPath, root);
    }
    return roots;
  }

  async heads(signal: AbortSignal, fsPaths?: readonly string[]): Promise<ReadonlyMap<string, Head>> {
    const holding = new Set(fsPaths?.map((fsPath) => this.#treeOf(fsPath)));
    const asked = this.#trees.filter((tree) => fsPaths === undefined || holding.has(tree));
    return new Map(await Promise.all(asked.map(async (tree) => [tree.root, await tree.head(signal)] as const)));
  }

  async checkedOut(
    root: string,
    commit: string,
    now: ReadonlyMap<string, DiskEntry>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Baseline>> {
    const tree = this.#trees.find((each) => each.root === root);
    if (tree === undefined) return new Map();
    const own = new Map([...now].filter(([fsPath]) => this.#treeOf(fsPath) === tree));
    return tree.checkedOut(commit, own, signal);
  }

  #treeOf(fsPath: string): GitTree | undefined {
    return this.#trees.find(({ root }) => relativeTo(root, fsPath) !== undefined);
  }

  #isRoot(fsPath: string): boolean {
    return this.#trees.some(({ root }) => root === fsPath);
  }

  #isLeft(fsPath: string): boolean {
    return [...this.#left.keys()].some((root) => relativeTo(root, fsPath) !== undefined);
  }
}

/** Returns the files of repositories that are new, and of those in them. */
async function filesOf(
  tree: GitTree,
  repositories: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [...repositories];
  for (const next of waiting) {
    for (const file of await tree.filesIn(next, signal)) {
      if (/[/\\]$/.test(file)) waiting.push(file.slice(0, -1));
      else files.push(file);
    }
  }
  return files;
}
