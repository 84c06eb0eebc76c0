import type { ResolvedPath } from '#base/files.ts';
import type { LineRange } from './editorState.ts';

export interface ShowOptions {
  /** Lines to scroll to. */
  readonly lines?: LineRange;
  /** The editor gets the focus, and the lines are selected. */
  readonly focus: boolean;
  /** Opens the file in a text editor, and not in the default editor for its type. */
  readonly isText: boolean;
}

export interface ShownFile {
  /** The number of the column of its tab, 1-based. */
  readonly group: number;
  /** False when the file is in a background tab, because the user was typing where it would have been shown. */
  readonly isVisible: boolean;
}

export interface SavedFile {
  readonly state: 'saved' | 'not_dirty' | 'failed';
  /** A formatter or another save participant changed the text. */
  readonly changedOnSave: boolean;
}

/** Shows, saves and closes files for an assistant, without a change of texts or the clipboard. */
export interface EditorActions {
  /** Shows a file in a tab. */
  show(file: ResolvedPath, options: ShowOptions): Promise<ShownFile>;
  /** Saves this file only. */
  save(file: ResolvedPath): Promise<SavedFile>;
  /** Closes all tabs of a file, but none with unsaved changes. */
  close(file: ResolvedPath): Promise<'closed' | 'unsaved' | 'not_open' | 'failed'>;
}
