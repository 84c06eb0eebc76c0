import type { FoundFile } from '#base/files.ts';

/** The declaration of a symbol, as a language service reports it. Lines are 1-based, both included. */
export interface SymbolPlace extends FoundFile {
  readonly name: string;
  /** The LSP name of the kind, such as "function", "class" or "method". */
  readonly kind: string;
  readonly container?: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Finds workspace symbols through language services. */
export interface Symbols {
  /**
   * Returns the symbols whose names match, the best first. Returns none when no language service answers or `signal` is
   * aborted.
   */
  find(query: string, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
  /** Returns those of the languages, by the editor's ids, for which an extension may know symbols. */
  served(languages: readonly string[]): ReadonlySet<string>;
}
