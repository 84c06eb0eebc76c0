import type { Subscription } from '#base/event.ts';
import type { ResolvedPath } from '#base/files.ts';

/** Tells when single files change; nothing is watched that nobody asked for. */
export interface FileChanges {
  /** Calls back when the text of the file changes in the editor, saved or not, or on disk; also when it comes or goes. */
  watch(path: ResolvedPath, changed: () => void): Subscription;
}
