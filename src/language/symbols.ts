import type { FoundFile } from '#base/files.ts';

/** Where a language service says that a name is declared. Lines are 1-based and inclusive. */
export interface SymbolPlace extends FoundFile {
  readonly name: string;
  /** As LSP names it: "function", "class", "method". */
  readonly kind: string;
  readonly container?: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The symbols of the workspace as its language services know them. */
export interface Symbols {
  /** Whose names match, best first; empty when no language service answers. */
  find(query: string, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
}
