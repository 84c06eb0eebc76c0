import type { ResolvedPath, TreeFile } from '#base/files.ts';

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
