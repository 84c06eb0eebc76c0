/** Problems of some files at one moment. */
export interface ProblemsSnapshot {
  /**
   * What became of them; `realPaths` are the same files where they are now. Asks the language services for the text as it is
   * now and waits for them no longer than a few seconds. Undefined when none has anything to say about these files.
   */
  changeSince(realPaths: readonly string[]): Promise<ProblemsChange | undefined>;
}

/** What language services complain about. */
export interface Problems {
  /** Never rejects, and never opens or moves an editor. */
  snapshot(realPaths: readonly string[]): Promise<ProblemsSnapshot>;
}

/** One problem of a language service, as it stands after the change. */
export interface Problem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** For example `ts(2322)`. */
  readonly code?: string;
}

/** What a change did to the problems of the files it touched. */
export interface ProblemsChange {
  /** The first 20. */
  readonly new: readonly Problem[];
  readonly newCount: number;
  readonly fixedCount: number;
  /** Those that were there before and still are; absent in records of earlier versions. */
  readonly unchangedCount?: number;
  /** `fresh`: computed from the text as it is now. `settling`: the language service had not answered for it in time. */
  readonly freshness: 'fresh' | 'settling';
}
