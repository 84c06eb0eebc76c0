import type { FoundFile } from '#base/files.ts';

/** A range of text. Lines and columns (UTF-16 units) are 1-based; the end is after the last character. */
export interface TextRange {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  readonly lastColumn: number;
}

/** A range of lines, 1-based, both included. */
export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A tab that shows a text file. */
export interface EditorTab extends FoundFile {
  /** The number of its editor column, 1-based. */
  readonly group: number;
  /** The tab is the visible one of its group. */
  readonly isShown: boolean;
  /** The tab is the visible one of the group that was used last. At most one tab is active. */
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** The tab is in preview: the next opened file replaces it. */
  readonly isPreview: boolean;
  readonly isPinned: boolean;
}

/** A text editor on screen. */
export interface VisibleEditor extends FoundFile {
  readonly group: number;
  readonly isActive: boolean;
  /** At least one selection, the main one first. An empty selection is a cursor. */
  readonly selections: readonly TextRange[];
  /** The visible lines; several ranges when lines between them are folded. */
  readonly visibleLines: readonly LineRange[];
}

export interface OpenTerminal {
  readonly name: string;
  readonly isActive: boolean;
}

export interface DebugState {
  readonly sessions: readonly { readonly name: string; readonly isActive: boolean }[];
  readonly breakpoints: number;
}

/** The state of the editors in this window. Files outside the workspace, untitled texts and pages of the editor are left out. */
export interface EditorState {
  /** Returns the tabs by group and position. */
  tabs(): readonly EditorTab[];
  /** Returns the visible editors, the active one first. */
  visibleEditors(): readonly VisibleEditor[];
  /** Returns the existing files whose tabs were active since the window was loaded, the last one first. */
  recentFiles(): readonly FoundFile[];
  terminals(): readonly OpenTerminal[];
  debug(): DebugState;
}
