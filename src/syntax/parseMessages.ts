import type { OutlineSymbol, Position } from '#base/language.ts';
import type { CheckedLanguage, NamedLanguage, SyntaxLanguage, SyntaxTree } from '#base/syntaxTree.ts';

/** The bounds of a tree that the worker sends. */
export interface TreeBounds {
  /** The largest number of nodes. */
  readonly nodes: number;
  /** The largest number of nodes from the root to a leaf. */
  readonly depth: number;
}

/** The data with which the worker starts. */
export interface WorkerStart {
  /** Absolute path of the folder that holds the runtime and the grammars. */
  readonly folder: string;
  /** Absolute path of the folder that holds the queries for declarations. */
  readonly tags: string;
  readonly bounds: TreeBounds;
}

/** A request to the worker to parse a text, for its tree, its errors or names in it; it answers requests in their order. */
export type ParseRequest =
  | { readonly kind: 'tree'; readonly language: SyntaxLanguage; readonly text: string }
  | { readonly kind: 'errors'; readonly language: CheckedLanguage; readonly text: string }
  | { readonly kind: 'declarations'; readonly language: NamedLanguage; readonly text: string }
  | { readonly kind: 'uses'; readonly language: NamedLanguage; readonly text: string; readonly name: string };

/**
 * A message of the worker: it is ready, or it has parsed. The tree is undefined when it exceeds the bounds. The lines of errors are
 * 1-based, in order, each once.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'tree'; readonly tree: SyntaxTree | undefined }
  | { readonly kind: 'errors'; readonly lines: readonly number[] }
  | { readonly kind: 'declarations'; readonly symbols: readonly OutlineSymbol[] }
  | { readonly kind: 'uses'; readonly places: readonly Position[] };
