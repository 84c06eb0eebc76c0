import type { Recovery } from '#base/proposal.ts';

export interface SourceControl {
  /** Whether the newest commit holds these files (absolute paths) exactly as they are on disk. Never rejects. */
  recovery(fsPaths: readonly string[]): Promise<Recovery>;
}
