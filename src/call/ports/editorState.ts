import type { FoundFile } from '#base/files.ts';

/** Lines and columns are 1-based; the end is after the last character, in UTF-16 units. */
export interface TextRange {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  readonly lastColumn: number;
}

/** 1-based, both included. */
export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface EditorTab extends FoundFile {
  /** Number of its column, 1-based. */
  readonly group: number;
  /** What its group shows. */
  readonly isShown: boolean;
  /** What the group that was used last shows; one tab at most. */
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** The next file that is opened takes its place. */
  readonly isPreview: boolean;
  readonly isPinned: boolean;
}

/** A text editor on screen. */
export interface VisibleEditor extends FoundFile {
  readonly group: number;
  readonly isActive: boolean;
  /** An empty one is a cursor; at least one, the main one first. */
  readonly selections: readonly TextRange[];
  /** Several where lines between are folded. */
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

/**
 * What the user sees and does in this window. Files outside the workspace, untitled texts and the editor's own pages are left
 * out.
 */
export interface EditorState {
  /** By group and place. */
  tabs(): readonly EditorTab[];
  /** The active one first. */
  visibleEditors(): readonly VisibleEditor[];
  /** Files whose tabs were active since the window was loaded and that are still there, the last one first. */
  recentFiles(): readonly FoundFile[];
  terminals(): readonly OpenTerminal[];
  debug(): DebugState;
}
