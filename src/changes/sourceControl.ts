import type { Recovery } from '#base/proposal.ts';

/** The port to source control. */
export interface SourceControl {
  /** Returns whether the newest commit holds these files (absolute paths) exactly as they are on disk. Never rejects. */
  recovery(fsPaths: readonly string[]): Promise<Recovery>;
}
