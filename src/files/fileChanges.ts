import type { Subscription } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';

/** Watches single files. Only files that a caller asked for are watched. */
export interface FileChanges {
  /** Calls `changed` whenever the text changes in the editor (saved or not) or on disk, and when the file is created or deleted. */
  watch(path: ResolvedPath, changed: () => void): Subscription;
}
