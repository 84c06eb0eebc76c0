/** The problems of some files at one moment. */
export interface ProblemsSnapshot {
  /**
   * Compares the problems of the snapshot with the present ones. Asks the language services about the present text and waits
   * for them at most a few seconds. Resolves with undefined when no service reports on these files.
   * @param realPaths the present paths of the same files, in the same order
   */
  changeSince(realPaths: readonly string[]): Promise<ProblemsChange | undefined>;
}

/** Records the problems of files before a change, to compare them after it. */
export interface Problems {
  /** Takes a snapshot. Never rejects, and never opens or moves an editor. */
  snapshot(realPaths: readonly string[]): Promise<ProblemsSnapshot>;
}

/** A problem that a language service reports after a change. */
export interface Problem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** For example `ts(2322)`. */
  readonly code?: string;
}

/** The effect of a change on the problems of the files that it touched. */
export interface ProblemsChange {
  /** The first 20 new problems. */
  readonly new: readonly Problem[];
  readonly newCount: number;
  readonly fixedCount: number;
  /** The number of problems that exist before and after the change; absent in records of earlier versions. */
  readonly unchangedCount?: number;
  /** `fresh`: computed from the present text. `settling`: the language service did not answer for the present text in time. */
  readonly freshness: 'fresh' | 'settling';
}
