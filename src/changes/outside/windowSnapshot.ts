/** The snapshot of all folders of a window: of Git where it can, of the disk elsewhere. */
import { join } from 'node:path';
import { messageOf } from '#base/messageOf.ts';
import { relativeTo } from '#policy/paths.ts';
import { type Baseline, emptyBaseline } from './baseline.ts';
import type { DiskEntry } from './diskEntry.ts';
import { takeDiskSnapshot } from './diskSnapshot.ts';
import type { Head } from './gitPlaces.ts';
import { takeGitSnapshot, workTreeRootOf } from './gitSnapshot.ts';
import type { HeldSnapshot } from './outsideDependencies.ts';
import type { Differences, Snapshot } from './snapshot.ts';
import { newSnapshotFolder } from './snapshotFolders.ts';

export interface WindowSnapshotOptions {
  /** Absolute path of Git; undefined when there is none outside the workspace. */
  readonly program: string | undefined;
  /** Returns whether only hash and size of a file may be kept. Absolute path. */
  readonly isSecret: (fsPath: string) => boolean;
  readonly signal: AbortSignal;
}

/** Repositories in a folder that is none that get a snapshot of Git. */
const mostRepositories = 20;

/**
 * Takes a snapshot of each folder.
 * @param folders real paths of the folders of the window
 * @param own a folder for this snapshot, which must not exist
 */
async function takeWindowSnapshot(
  folders: readonly string[],
  own: string,
  options: WindowSnapshotOptions,
): Promise<Snapshot> {
  const parts: Snapshot[] = [];
  const gaps: string[] = [];
  const roots = new Set<string>();
  let count = 0;
  const next = (): string => join(own, String((count += 1)));
  const takeGit = async (root: string): Promise<boolean> => {
    if (parts.some((part) => part.roots.includes(root))) return true;
    const { snapshot, reason } = await takeGitSnapshot(root, next(), options);
    if (snapshot === undefined) gaps.push(reason);
    else parts.push(snapshot);
    return snapshot !== undefined;
  };
  for (const folder of folders) {
    const root = await workTreeRootOf(folder);
    if (root !== undefined && (roots.has(root) || (await takeGit(root)))) {
      roots.add(root);
      continue;
    }
    try {
      const { snapshot, repositories } = await takeDiskSnapshot(folder, next(), options);
      parts.push(snapshot);
      const inside = repositories.filter((each) => each !== root);
      for (const each of inside.slice(0, mostRepositories)) await takeGit(each);
      for (const each of inside.slice(mostRepositories)) gaps.push(`The repository ${each} has no snapshot.`);
    } catch (error) {
      options.signal.throwIfAborted();
      gaps.push(`There is no snapshot of ${folder}: ${messageOf(error)}`);
    }
  }
  return new WindowSnapshot(folders, parts, gaps);
}

/**
 * Takes the snapshot of a window into a new folder below `snapshots`, which is removed when that fails.
 * @param snapshots absolute; the folder of all snapshots of this user
 */
export async function takeHeldSnapshot(
  folders: readonly string[],
  snapshots: string,
  options: WindowSnapshotOptions,
): Promise<HeldSnapshot> {
  const own = newSnapshotFolder(snapshots);
  try {
    return { snapshot: await takeWindowSnapshot(folders, own.path, options), drop: () => own.drop() };
  } catch (error) {
    own.drop();
    throw error;
  }
}

class WindowSnapshot implements Snapshot {
  readonly #folders: readonly string[];
  /** The part with the innermost root first. */
  readonly #parts: readonly Snapshot[];
  readonly #gaps: readonly string[];

  constructor(folders: readonly string[], parts: readonly Snapshot[], gaps: readonly string[]) {
    this.#folders = folders;
    this.#parts = parts.toSorted((one, other) => longest(other) - longest(one));
    this.#gaps = gaps;
  }

  get roots(): readonly string[] {
    return this.#parts.flatMap(({ roots }) => roots);
  }

  get gaps(): readonly string[] {
    return [...this.#gaps, ...this.#parts.flatMap(({ gaps }) => gaps)];
  }

  async read(fsPath: string): Promise<Baseline> {
    return this.#partOf(fsPath)?.read(fsPath) ?? emptyBaseline('unknown', 'unknown');
  }

  async differences(signal: AbortSignal): Promise<Differences> {
    const all = await Promise.all(this.#parts.map((part) => part.differences(signal)));
    const own = (pick: (each: Differences) => readonly string[]): readonly string[] =>
      all.flatMap((each, index) =>
        pick(each).filter((fsPath) => this.#holds(fsPath) && this.#partOf(fsPath) === this.#parts[index]),
      );
    return { paths: own(({ paths }) => paths), ignored: own(({ ignored }) => ignored) };
  }

  doubtSince(time: number): void {
    for (const part of this.#parts) part.doubtSince(time);
  }

  async ignoredRoots(fsPaths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const byPart = Map.groupBy(fsPaths, (fsPath) => this.#partOf(fsPath));
    const found = await Promise.all([...byPart].map(async ([part, paths]) => part?.ignoredRoots(paths, signal)));
    return new Map(found.flatMap((each) => [...(each ?? [])]));
  }

  async heads(signal: AbortSignal, fsPaths?: readonly string[]): Promise<ReadonlyMap<string, Head>> {
    const found = await Promise.all(
      this.#parts.map((part) =>
        part.heads(
          signal,
          fsPaths?.filter((fsPath) => this.#partOf(fsPath) === part),
        ),
      ),
    );
    return new Map(found.flatMap((each) => [...each]));
  }

  async checkedOut(
    root: string,
    commit: string,
    now: ReadonlyMap<string, DiskEntry>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Baseline>> {
    const part = this.#partOf(root);
    const own = new Map([...now].filter(([fsPath]) => this.#partOf(fsPath) === part));
    return (await part?.checkedOut(root, commit, own, signal)) ?? new Map();
  }

  #holds(fsPath: string): boolean {
    return this.#folders.some((folder) => relativeTo(folder, fsPath) !== undefined);
  }

  #partOf(fsPath: string): Snapshot | undefined {
    return this.#parts.find(({ roots }) => roots.some((root) => relativeTo(root, fsPath) !== undefined));
  }
}

function longest({ roots }: Snapshot): number {
  return Math.max(0, ...roots.map(({ length }) => length));
}
