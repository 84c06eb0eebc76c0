import type { FileAddress } from '#base/files.ts';
import type { AppliedFile } from '../../edits.ts';

/** Told how to put back each part of a change, as soon as that part may have been changed. Throws when it cannot be. */
export type Done = (putBack: () => Promise<void>) => void;

/** One change on its way. Every method may throw `ChangedSinceApproval`: it is not what was approved any more. */
export interface Step {
  /** The path by which the human and the assistant know it. */
  readonly path: string;
  /** Whether it still is what was approved. Writes nothing. */
  check(): Promise<void>;
  /** `check`, and whatever can be got ready without changing anything. */
  prepare(): Promise<void>;
  /** Asked once more when all are prepared, in the turn in which documents are edited: whether an editor is in the way. */
  requireNow(): void;
  carryOut(done: Done): Promise<void>;
  /**
   * When all were carried out and nothing is put back any more. Does not reject.
   * @param placeNow where a file is after the moves of the same apply
   */
  finish(placeNow: (place: FileAddress) => FileAddress): Promise<AppliedFile>;
  /** Lets go of what it holds; nothing comes after it. */
  close(): Promise<void>;
}
