import type { ResolvedPath } from '#base/files.ts';
import type { Position } from '#base/language.ts';
import type {
  CodeAction,
  LanguageEdits,
  LineRange,
  Refactorings,
  ResourceEdit,
  TextEdit,
} from '#language/refactorings.ts';
import { OfferedActions } from '#language/refactorings/offeredActions.ts';

/** Language services that offer the changes that a test sets. */
export class FakeRefactorings extends OfferedActions implements Refactorings {
  edits: LanguageEdits = { texts: [], resources: [] };
  readonly actions: CodeAction[] = [];
  /** By workspace-relative path. */
  readonly formats = new Map<string, readonly TextEdit[]>();
  /** The questions in order. */
  readonly asked: string[] = [];

  async rename({ path }: ResolvedPath, { line, column }: Position, newName: string): Promise<LanguageEdits> {
    this.asked.push(`rename ${path}:${line}:${column} ${newName}`);
    return this.edits;
  }

  async codeActions({ path }: ResolvedPath, { firstLine, lastLine }: LineRange, kinds: readonly string[]) {
    this.asked.push(`actions ${path}:${firstLine}-${lastLine} ${kinds.join()}`);
    return this.actions.filter(
      ({ kind }) => kinds.length === 0 || kinds.some((one) => `${kind}.`.startsWith(`${one}.`)),
    );
  }

  async formatting({ path }: ResolvedPath): Promise<readonly TextEdit[]> {
    this.asked.push(`format ${path}`);
    return this.formats.get(path) ?? [];
  }
}

/** Returns an edit of `text` that replaces the first `from` at or after an offset. */
export function replacing(address: string, text: string, from: string, newText: string, after = 0): TextEdit {
  return { address, offset: text.indexOf(from, after), length: from.length, newText };
}

/** Returns the edits in the form of a language service. */
export function languageEdits(texts: readonly TextEdit[], resources: readonly ResourceEdit[] = []): LanguageEdits {
  return { texts, resources };
}
