import type { OutlineSymbol, Position } from './language.ts';

/** A language whose text the syntax parser turns into a tree. */
export type SyntaxLanguage = 'bash' | 'powershell';

/** A language whose declarations the syntax parser finds. */
export type NamedLanguage =
  'c-sharp' | 'cpp' | 'go' | 'java' | 'javascript' | 'php' | 'python' | 'ruby' | 'rust' | 'tsx' | 'typescript';

/** A language for which there is a grammar. */
export type CheckedLanguage = SyntaxLanguage | NamedLanguage | 'css';

/** One node of a syntax tree, as plain data. The kinds and fields are those of the tree-sitter grammar of the language. */
export interface SyntaxNode {
  readonly kind: string;
  /** False for punctuation and keywords, which the grammar writes as strings. */
  readonly isNamed: boolean;
  /** True when the text has no such token and the parser added it to go on. */
  readonly isMissing: boolean;
  /** True when this node or one below it is an error or a missing token. */
  readonly hasError: boolean;
  /** The name by which the parent knows this node. */
  readonly field: string | undefined;
  /** Offsets in UTF-16 code units of the parsed text; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** The syntax tree of one text. */
export interface SyntaxTree {
  readonly language: SyntaxLanguage;
  readonly root: SyntaxNode;
}

/**
 * Finds names in texts by their syntax alone, for languages that no extension of the editor serves, and while a language service is
 * loading. Takes texts and no paths: the caller passes only what an assistant may see.
 */
export interface Syntax {
  /** Returns the declarations in file order; undefined when the text is too large, or takes too long. */
  declarations(
    language: NamedLanguage,
    text: string,
    signal: AbortSignal,
  ): Promise<readonly OutlineSymbol[] | undefined>;
  /**
   * Returns the places where a name stands as an identifier, not in a comment or a string, at most 1,000; undefined in the cases in
   * which `declarations` does.
   */
  uses(
    language: NamedLanguage,
    text: string,
    name: string,
    signal: AbortSignal,
  ): Promise<readonly Position[] | undefined>;
}
