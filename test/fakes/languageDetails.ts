import type { ResolvedPath } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';
import type {
  CodeLens,
  Completion,
  DocumentColor,
  DocumentLink,
  FoldingRange,
  Highlight,
  InlayHint,
  LanguageDetails,
  LineRange,
  SemanticToken,
  SignatureHelp,
} from '#language/languageDetails.ts';

/** Language services that return the details set by a test for every file. */
export class FakeLanguageDetails implements LanguageDetails {
  signatures: SignatureHelp | undefined;
  completed: readonly Completion[] = [];
  highlighted: readonly Highlight[] = [];
  hints: readonly InlayHint[] = [];
  folded: readonly FoldingRange[] = [];
  selected: readonly TextRange[] = [];
  tokens: readonly SemanticToken[] = [];
  lenses: readonly CodeLens[] = [];
  linked: readonly DocumentLink[] = [];
  colored: readonly DocumentColor[] = [];
  /** Places asked about, as `path:line:column`. */
  readonly asked: string[] = [];

  async signatureHelp(path: ResolvedPath, at: Position): Promise<SignatureHelp | undefined> {
    this.#note(path, at);
    return this.signatures;
  }

  async completions(path: ResolvedPath, at: Position): Promise<readonly Completion[]> {
    this.#note(path, at);
    return this.completed;
  }

  async highlights(path: ResolvedPath, at: Position): Promise<readonly Highlight[]> {
    this.#note(path, at);
    return this.highlighted;
  }

  async inlayHints(_path: ResolvedPath, { firstLine, lastLine }: LineRange): Promise<readonly InlayHint[]> {
    return this.hints.filter(({ line }) => firstLine <= line && line <= lastLine);
  }

  async foldingRanges(): Promise<readonly FoldingRange[]> {
    return this.folded;
  }

  async selectionRanges(path: ResolvedPath, at: Position): Promise<readonly TextRange[]> {
    this.#note(path, at);
    return this.selected;
  }

  async semanticTokens(): Promise<readonly SemanticToken[]> {
    return this.tokens;
  }

  async codeLenses(): Promise<readonly CodeLens[]> {
    return this.lenses;
  }

  async links(): Promise<readonly DocumentLink[]> {
    return this.linked;
  }

  async colors(): Promise<readonly DocumentColor[]> {
    return this.colored;
  }

  #note({ path }: ResolvedPath, { line, column }: Position): void {
    this.asked.push(`${path}:${line}:${column}`);
  }
}
