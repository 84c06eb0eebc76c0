/** A language whose text the syntax parser turns into a tree. */
export type SyntaxLanguage = 'bash' | 'powershell';

/** A language whose errors the syntax parser finds. */
export type CheckedLanguage =
  SyntaxLanguage | 'css' | 'go' | 'java' | 'javascript' | 'php' | 'python' | 'ruby' | 'rust' | 'tsx' | 'typescript';

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
