import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';

/** The signatures of a function, for one call of it. */
export interface SignatureHelp {
  readonly signatures: readonly Signature[];
  /** Index into `signatures`, from 0. */
  readonly activeSignature: number;
  /** Index into the parameters of the active signature, from 0. */
  readonly activeParameter: number;
}

export interface Signature {
  readonly label: string;
  /** Markdown without links to commands or local files. */
  readonly documentation?: string;
  readonly parameters: readonly string[];
}

/** A completion that a language service suggests at a position. */
export interface Completion {
  readonly label: string;
  /** The LSP name of the kind, such as "function" or "enum member". */
  readonly kind: string;
  readonly detail?: string;
  /** The text that the completion inserts; absent when it inserts the label. */
  readonly insertText?: string;
}

/** A use of a name in the same file. */
export interface Highlight extends TextRange {
  /** Absent when the provider does not report it. */
  readonly access?: 'read' | 'write';
}

/** A type or parameter name that editors show inside a line without being part of the text. */
export interface InlayHint extends Position {
  readonly label: string;
  readonly kind?: 'type' | 'parameter';
}

/** Lines that editors fold; 1-based, both included. */
export interface FoldingRange {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly kind?: 'comment' | 'imports' | 'region';
}

/** The semantic kind of a word in the text. */
export interface SemanticToken extends TextRange {
  /** The service's name of the kind, such as "class" or "parameter". */
  readonly kind: string;
  readonly modifiers: readonly string[];
}

/** A text, often with a command, that editors show above a line. */
export interface CodeLens extends TextRange {
  readonly title: string;
  /** The id of the command that the lens runs. */
  readonly command?: string;
}

export interface DocumentLink extends TextRange {
  /** The workspace file that the link leads to. */
  readonly file?: FoundFile;
  /** The link's web address, or a label of a file outside the workspace. */
  readonly target?: string;
  readonly tooltip?: string;
}

export interface DocumentColor extends TextRange {
  /** "#rrggbb", or "#rrggbbaa" unless opaque. */
  readonly color: string;
}

/**
 * Less common language service features, beyond {@link Language}. Lists are in file order, and empty when no service answers.
 */
export interface LanguageDetails {
  /** Returns undefined when there is no call at the position, or no service answers. */
  signatureHelp(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<SignatureHelp | undefined>;
  /** Returns completions, the best match first. */
  completions(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly Completion[]>;
  highlights(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly Highlight[]>;
  /** @param lines may go beyond the end of the file */
  inlayHints(path: ResolvedPath, lines: LineRange, signal: AbortSignal): Promise<readonly InlayHint[]>;
  foldingRanges(path: ResolvedPath, signal: AbortSignal): Promise<readonly FoldingRange[]>;
  /** Returns the ranges that "Expand Selection" selects in turn, the smallest first. */
  selectionRanges(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly TextRange[]>;
  semanticTokens(path: ResolvedPath, signal: AbortSignal): Promise<readonly SemanticToken[]>;
  codeLenses(path: ResolvedPath, signal: AbortSignal): Promise<readonly CodeLens[]>;
  links(path: ResolvedPath, signal: AbortSignal): Promise<readonly DocumentLink[]>;
  colors(path: ResolvedPath, signal: AbortSignal): Promise<readonly DocumentColor[]>;
}

/** Lines of a text; 1-based, both included. */
export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}
