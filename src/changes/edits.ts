import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange, FileRestore } from '#base/proposal.ts';

/** A file that holds a text of ours now. */
export interface AppliedText {
  /** The text the editor (open) or the file (not open) holds now. */
  readonly text: string;
  readonly encoding: string;
  readonly saved: boolean;
  /** An editor holds unsaved text of the file. */
  readonly dirty: boolean;
  /** Save participants (a formatter, for example) changed the text that was approved. */
  readonly changedOnSave: boolean;
  /** The human was at work in it while it was saved, which may take a while: what changed then may be theirs. */
  readonly touchedOnSave?: true;
  /** Hex SHA-256 of the bytes on disk, where they were written past the editor. */
  readonly sha256?: string;
  /** Of the file on disk: bytes, and milliseconds since the epoch. */
  readonly size: number;
  readonly modified: number;
}

export interface AppliedFile {
  /** Of an edit or a creation. */
  readonly written?: AppliedText;
  /** Real paths of folders that had to be made, outermost first. Of a creation, a move or a restore. */
  readonly createdFolders?: readonly string[];
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

/** Carries out approved changes: all or nothing, and only over the exact base they were computed from. */
export interface Edits {
  /**
   * Re-checks identity and base of every file, then applies: edits and creations first, then moves, then deletes. Open
   * documents go through the editor, other files are written through their checked directory. A document that was clean is
   * saved.
   * @param recordId begins the names of the temporary files, so that what a crash leaves leads back to the record
   */
  apply(changes: readonly (FileChange | FileRestore)[], recordId?: string): Promise<ApplyOutcome>;
  /** Writes nothing: which file no longer holds its base, and why; undefined when all still do. */
  findStale(changes: readonly FileChange[]): Promise<{ readonly path: string; readonly reason: string } | undefined>;
  /** Calls `listener` soon after the text or the existence of what these changes are based on may have changed. */
  watch(changes: readonly FileChange[], listener: () => void): { dispose(): void };
}

/** A file or folder under a name that nobody knows, which an apply left beside the files it was to change. */
export interface TemporaryEntry {
  /** Place among the changes that were handed to `Edits.apply`. */
  readonly change: number;
  /** `new`: bytes that were to take a name. `old`: what a name was taken from. */
  readonly kind: 'new' | 'old';
  /** Absolute; the folder is without links. */
  readonly realPath: string;
}

/** What an apply that a crash cut off left behind, and how to clear it away. Nothing here removes what the history does not hold. */
export interface InterruptedApplies {
  /** The editor shows what it kept of unsaved text in these files, so that a read of them tells it. */
  loadUnsaved(paths: readonly ResolvedPath[]): Promise<void>;
  /** What the apply of a record left in these folders (real paths). */
  temporaries(recordId: string, folders: readonly string[]): Promise<readonly TemporaryEntry[]>;
  /** Gives a temporary entry a name (real path) that nothing has. False when it is taken, or the disk refuses. */
  putBack(temporary: TemporaryEntry, realPath: string): Promise<boolean>;
  /**
   * Removes a temporary entry, but only files that still hold these bytes. False when something is left of it.
   * @param known undefined removes it with all that is in it
   */
  remove(temporary: TemporaryEntry, known?: readonly Pick<TreeFile, 'relative' | 'sha256'>[]): Promise<boolean>;
  /** Takes the second name away that a move was about to keep (real paths): the same file, a link alike, or an empty folder. */
  removeSecondName(first: string, second: string): Promise<void>;
  /** Removes a folder (real path) if nothing is in it; leaves it alone otherwise. */
  removeEmptyFolder(realPath: string): Promise<void>;
}
