/** What a snapshot answers, whatever it is made of: Git work trees, or a list of files. */
import type { Baseline } from './baseline.ts';
import type { DiskEntry } from './diskEntry.ts';
import type { Head } from './gitPlaces.ts';

/** What differs from a snapshot; absolute paths. */
export interface Differences {
  /** Files that differ, or may. */
  readonly paths: readonly string[];
  /** Ignored files and folders that are new as such; a folder ends with the separator of paths. */
  readonly ignored: readonly string[];
}

/** The state of the folders of a window at one time. All paths are real and absolute. */
export interface Snapshot {
  /** The roots that it covers. */
  readonly roots: readonly string[];
  /** What it does not cover, in sentences for the user. */
  readonly gaps: readonly string[];
  /** Returns what a file was. */
  read(fsPath: string): Promise<Baseline>;
  /** Finds what differs now. Rejects when the signal is aborted. */
  differences(signal: AbortSignal): Promise<Differences>;
  /**
   * Says that files may have been changed from that time on by what the snapshot is to show, since nobody waited for it.
   * @param time milliseconds since the epoch
   */
  doubtSince(time: number): void;
  /** Returns the ignored folder or file that each path lies in or is; paths that are not ignored are left out. */
  ignoredRoots(fsPaths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns what repositories have checked out, by their roots.
   * @param fsPaths only repositories that hold one of these paths are asked; all of them when absent
   */
  heads(signal: AbortSignal, fsPaths?: readonly string[]): Promise<ReadonlyMap<string, Head>>;
  /** Returns, of entries below the root of a repository, those that are as the commit has them, each as a baseline. */
  checkedOut(
    root: string,
    commit: string,
    now: ReadonlyMap<string, DiskEntry>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Baseline>>;
}

/** A snapshot, or why there is none, in a sentence for the user. */
export type SnapshotResult =
  { readonly snapshot: Snapshot; readonly reason?: never } | { readonly snapshot: undefined; readonly reason: string };
