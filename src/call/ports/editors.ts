import type { Event } from '#base/event.ts';
import type { FoundFile } from '#base/files.ts';

/** A text file of the workspace that a tab shows. */
export interface OpenEditor extends FoundFile {
  /** Its tab is the active one of the active group. */
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** The editor's language id; absent while the editor has not loaded its text. */
  readonly languageId?: string;
}

/** What is selected in the active editor. Lines and columns are 1-based; an empty selection is the cursor. */
export interface EditorSelection extends FoundFile {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  /** After the last selected character, in UTF-16 units. */
  readonly lastColumn: number;
  /** With LF; empty for a cursor. */
  readonly text: string;
}

/** What the user has open. Files outside the workspace, untitled texts and the editor's own pages are left out. */
export interface Editors {
  /** One entry a file, in the order of the tabs; the active one first. */
  open(): readonly OpenEditor[];
  /** Undefined when no editor of a file of the workspace was active since the window opened. */
  selection(): EditorSelection | undefined;
  /** Tabs were opened, closed, moved or became dirty. */
  readonly onDidChange: Event<void>;
  readonly onDidChangeSelection: Event<void>;
}
