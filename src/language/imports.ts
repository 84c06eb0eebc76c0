import type { ResolvedPath } from '#base/files.ts';

/** A piece of a file that a move makes wrong. */
export interface ImportEdit {
  /** Absolute path of the file, before the move. */
  readonly fsPath: string;
  /** UTF-16 units in the text as the editor holds it. */
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** What a language knows about files that name other files. */
export interface Imports {
  /**
   * The edits that keep imports working after a file or folder has moved: in files that import it, and in what moves itself.
   * Empty when no language offers any. Opens no editor.
   */
  editsForMove(from: ResolvedPath, to: ResolvedPath, signal: AbortSignal): Promise<readonly ImportEdit[]>;
}
