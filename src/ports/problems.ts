import type { ProblemsChange } from './approver.ts';

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
