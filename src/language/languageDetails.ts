import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';

/** How a function is called, where a call of it stands. */
export interface SignatureHelp {
  readonly signatures: readonly Signature[];
  /** Of the signatures, from 0. */
  readonly activeSignature: number;
  /** Of the parameters of the active signature, from 0. */
  readonly activeParameter: number;
}

export interface Signature {
  readonly label: string;
  /** Plain Markdown. */
  readonly documentation?: string;
  readonly parameters: readonly string[];
}

/** What may be written at a place. */
export interface Completion {
  readonly label: string;
  /** As LSP names it: "function", "enum member". */
  readonly kind: string;
  readonly detail?: string;
  /** What would be inserted, where it is not the label. */
  readonly insertText?: string;
}

/** A use of a name in the same file. */
export interface Highlight extends TextRange {
  /** Absent where the provider does not tell. */
  readonly access?: 'read' | 'write';
}

/** A type or a parameter's name that editors show between the characters of the text. */
export interface InlayHint extends Position {
  readonly label: string;
  readonly kind?: 'type' | 'parameter';
}

/** Lines that editors fold, inclusive. */
export interface FoldingRange {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly kind?: 'comment' | 'imports' | 'region';
}

/** What a word of the text is. */
export interface SemanticToken extends TextRange {
  /** As the service names it: "class", "parameter". */
  readonly kind: string;
  readonly modifiers: readonly string[];
}

/** What editors show above a line. */
export interface CodeLens extends TextRange {
  readonly title: string;
  /** The id of the command that it runs. */
  readonly command?: string;
}

export interface DocumentLink extends TextRange {
  /** A file of the workspace. */
  readonly file?: FoundFile;
  /** An address on the web, or a label of a file outside the workspace. */
  readonly target?: string;
  readonly tooltip?: string;
}

export interface DocumentColor extends TextRange {
  /** "#rrggbb", or "#rrggbbaa" unless opaque. */
  readonly color: string;
}

/** What language services say of texts beyond {@link Language}; in the order of the file, empty where none answers. */
export interface LanguageDetails {
  /** Undefined where no call stands, or none answers. */
  signatureHelp(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<SignatureHelp | undefined>;
  /** Best first. */
  completions(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly Completion[]>;
  highlights(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly Highlight[]>;
  /** @param lines inclusive; they may go beyond the end */
  inlayHints(path: ResolvedPath, lines: LineRange, signal: AbortSignal): Promise<readonly InlayHint[]>;
  foldingRanges(path: ResolvedPath, signal: AbortSignal): Promise<readonly FoldingRange[]>;
  /** What editors select when a selection grows, the smallest first. */
  selectionRanges(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly TextRange[]>;
  semanticTokens(path: ResolvedPath, signal: AbortSignal): Promise<readonly SemanticToken[]>;
  codeLenses(path: ResolvedPath, signal: AbortSignal): Promise<readonly CodeLens[]>;
  links(path: ResolvedPath, signal: AbortSignal): Promise<readonly DocumentLink[]>;
  colors(path: ResolvedPath, signal: AbortSignal): Promise<readonly DocumentColor[]>;
}

/** 1-based, inclusive. */
export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}
