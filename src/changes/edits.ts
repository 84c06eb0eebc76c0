/** The ports to the editor's and disk's files: applying changes, and clearing up after an interrupted apply. */
import type { ResolvedPath, TreeFile } from '#base/files.ts';
import type { FileChange, FileRestore } from '#base/proposal.ts';

/** A file after an apply has written its text. */
export interface AppliedText {
  /** The text the editor (open) or the file (not open) holds now. */
  readonly text: string;
  readonly encoding: string;
  readonly saved: boolean;
  /** An editor holds unsaved text of the file. */
  readonly dirty: boolean;
  /** Save participants (a formatter, for example) changed the text that was approved. */
  readonly changedOnSave: boolean;
  /** The user typed in the file while it was being saved, so what changed then may be their work. */
  readonly touchedOnSave?: true;
  /** Hex SHA-256 of the bytes on disk, when they were written past the editor. */
  readonly sha256?: string;
  /** Of the file on disk: bytes, and milliseconds since the epoch. */
  readonly size: number;
  readonly modified: number;
}

export interface AppliedFile {
  /** Set for an edit or a creation. */
  readonly written?: AppliedText;
  /** Real paths of folders that were made for a creation, a move or a restore, outermost first. */
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

/** Called with changes that Drawbridge, or an assistant that may, has written. */
export type NoteWritten = (changes: readonly (FileChange | FileRestore)[], outcome: ApplyOutcome) => void;

/** Carries out approved changes: all or nothing, and only over the exact base they were computed from. */
export interface Edits {
  /**
   * Re-checks identity and base of every file, then applies: edits and creations first, then moves, then deletes. Open
   * documents go through the editor, other files are written through their checked directory. A document that was clean is
   * saved.
   * @param recordId begins the names of the temporary files, so that what a crash leaves leads back to the record
   */
  apply(changes: readonly (FileChange | FileRestore)[], recordId?: string): Promise<ApplyOutcome>;
  /** Returns which file no longer holds its base, and why; undefined when all still do. Writes nothing. */
  findStale(changes: readonly FileChange[]): Promise<{ readonly path: string; readonly reason: string } | undefined>;
  /** Calls `listener` soon after the text or the existence of what these changes are based on may have changed. */
  watch(changes: readonly FileChange[], listener: () => void): { dispose(): void };
}

/** A temporary file or folder that an interrupted apply left beside the files it was to change. */
export interface TemporaryEntry {
  /** The index among the changes that were passed to `Edits.apply`. */
  readonly change: number;
  /** `new`: bytes that were to get a name. `old`: the entry whose name was taken. */
  readonly kind: 'new' | 'old';
  /** Absolute; the folder is without links. */
  readonly realPath: string;
}

/** Finds and clears up what an interrupted apply left. Removes nothing that the history does not hold. */
export interface InterruptedApplies {
  /** Makes the editor load its backups of unsaved text in these files, so that reading them returns it. */
  loadUnsaved(paths: readonly ResolvedPath[]): Promise<void>;
  /** Returns the temporary entries that the apply of a record left in these folders (real paths). */
  temporaries(recordId: string, folders: readonly string[]): Promise<readonly TemporaryEntry[]>;
  /** Gives a temporary entry an unused name (real path). Returns false when the name is taken, or the disk refuses. */
  putBack(temporary: TemporaryEntry, realPath: string): Promise<boolean>;
  /**
   * Removes a temporary entry, but only files that still hold these bytes. Returns false when something is left of it.
   * @param known undefined removes it with all that is in it
   */
  remove(temporary: TemporaryEntry, known?: readonly Pick<TreeFile, 'relative' | 'sha256'>[]): Promise<boolean>;
  /** Removes the second name that an interrupted move left (real paths): of the same file, an equal link, or an empty folder. */
  removeSecondName(first: string, second: string): Promise<void>;
  /** Removes a folder (real path) if nothing is in it; leaves it alone otherwise. */
  removeEmptyFolder(realPath: string): Promise<void>;
}

/** Finds nothing to clear up: an apply in memory leaves nothing behind. */
export const nothingInterrupted: InterruptedApplies = {
  loadUnsaved: async () => undefined,
  temporaries: async () => [],
  putBack: async () => true,
  remove: async () => true,
  removeSecondName: async () => undefined,
  removeEmptyFolder: async () => undefined,
};
