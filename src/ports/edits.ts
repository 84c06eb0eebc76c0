import type { FileChange } from './proposal.ts';

export interface AppliedFile {
  /** The text the editor (open) or the file (not open) holds now. */
  readonly text: string;
  readonly encoding: string;
  readonly saved: boolean;
  /** An editor holds unsaved text of the file. */
  readonly dirty: boolean;
  /** Save participants (a formatter, for example) changed the text that was approved. */
  readonly changedOnSave: boolean;
  /** Of the file on disk: bytes, and milliseconds since the epoch. */
  readonly size: number;
  readonly modified: number;
}

/**
 * - `applied`: every file, in the order asked.
 * - `stale`: nothing was changed; `path` no longer holds its base.
 * - `failed`: something went wrong half-way; `states` tells what each file is now.
 */
export type ApplyOutcome =
  | { readonly status: 'applied'; readonly files: readonly AppliedFile[] }
  | { readonly status: 'stale'; readonly path: string; readonly reason: string }
  | {
      readonly status: 'failed';
      readonly reason: string;
      readonly states: readonly ('not_applied' | 'rolled_back' | 'unknown')[];
    };

/** Writes approved texts: all or nothing, and only over the exact base they were computed from. */
export interface Edits {
  /**
   * Re-checks identity and base of every file, then applies. Open documents go through the editor, other files are
   * written through their checked directory. A document that was clean is saved.
   */
  apply(changes: readonly FileChange[]): Promise<ApplyOutcome>;
}
