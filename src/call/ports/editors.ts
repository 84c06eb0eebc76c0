import type { Event } from '#base/event.ts';
import type { FoundFile } from '#base/files.ts';

/** A text file of the workspace that is open in a tab. */
export interface OpenEditor extends FoundFile {
  /** The tab is the active one of the active group. */
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** The editor's language id; absent while the editor has not loaded its text. */
  readonly languageId?: string;
}

/** The selection in the active editor. Lines and columns are 1-based; an empty selection is the cursor. */
export interface EditorSelection extends FoundFile {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  /** After the last selected character, in UTF-16 units. */
  readonly lastColumn: number;
  /** The selected text with LF as line ends; empty for a cursor. */
  readonly text: string;
}

/** The open editors of the user. Files outside the workspace, untitled texts and pages of the editor are left out. */
export interface Editors {
  /** Returns the open files in the order of their tabs, each once, the active one first. */
  open(): readonly OpenEditor[];
  /** Returns the selection in the editor that was active last; undefined when none was active since the window opened. */
  selection(): EditorSelection | undefined;
  /** Fires when tabs were opened, closed, moved or became dirty. */
  readonly onDidChange: Event<void>;
  readonly onDidChangeSelection: Event<void>;
}
