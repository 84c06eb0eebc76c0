import type { ResolvedPath } from '#base/files.ts';

/** The replacement of an import path that a move breaks. */
export interface ImportEdit {
  /** The absolute path of the importing file before the move. */
  readonly fsPath: string;
  /** UTF-16 units in the text as the editor holds it. */
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** Finds the imports that a move of a file or folder breaks. */
export interface Imports {
  /**
   * Returns the edits that keep imports working after a file or folder has moved, both in files that import it and in the
   * moved files. Returns none when no language service finds an import. Opens no editor.
   */
  editsForMove(from: ResolvedPath, to: ResolvedPath, signal: AbortSignal): Promise<readonly ImportEdit[]>;
}
