import type { ResolvedPath } from '#base/files.ts';
import type { LineRange } from './editorState.ts';

export interface ShowOptions {
  /** Scrolled to. */
  readonly lines?: LineRange;
  /** The keyboard goes there, and the lines are selected. */
  readonly focus: boolean;
  /** It has lines: an editor for text shows it, and not the one that its kind of file is opened with otherwise. */
  readonly isText: boolean;
}

export interface ShownFile {
  /** The number of the column of its tab, 1-based. */
  readonly group: number;
  /** Otherwise it waits in a tab, since the user was typing where it would have been shown. */
  readonly isVisible: boolean;
}

export interface SavedFile {
  readonly state: 'saved' | 'not_dirty' | 'failed';
  /** Formatters and the like made another text of it. */
  readonly changedOnSave: boolean;
}

/** What a user does with tabs, done for an assistant; the clipboard and texts stay as they are. */
export interface EditorActions {
  show(file: ResolvedPath, options: ShowOptions): Promise<ShownFile>;
  /** Only this file. */
  save(file: ResolvedPath): Promise<SavedFile>;
  /** All tabs of a file; never one with unsaved changes. */
  close(file: ResolvedPath): Promise<'closed' | 'unsaved' | 'not_open' | 'failed'>;
}
