import type { ResolvedPath } from '#base/files.ts';
import type { Position } from '#base/language.ts';

/** The replacement of one part of a file's text. */
export interface TextEdit {
  /** Absolute path of the file, or a URI when it is not a local file. The policy has not checked it yet. */
  readonly address: string;
  /** UTF-16 units in the text as the editor holds it; 0 in a file that does not exist yet. */
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** The creation, deletion or renaming of a file or folder. Addresses are as in {@link TextEdit}. */
export type ResourceEdit =
  | {
      readonly kind: 'create';
      readonly address: string;
      readonly ifExists: 'fail' | 'ignore' | 'overwrite';
    }
  | {
      readonly kind: 'delete';
      readonly address: string;
      readonly isRecursive: boolean;
      readonly ifMissing: 'fail' | 'ignore';
    }
  | {
      readonly kind: 'rename';
      readonly address: string;
      readonly to: string;
      readonly ifExists: 'fail' | 'ignore' | 'overwrite';
    };

/** The edits that a language service wants to make, as data: LSP's `WorkspaceEdit`. The policy has not checked any of them. */
export interface LanguageEdits {
  readonly texts: readonly TextEdit[];
  /** File operations in the order given. `texts` may name a renamed file by its old or its new path. */
  readonly resources: readonly ResourceEdit[];
}

/** A command that a code action runs, after its edits or instead of edits. */
export interface CodeActionCommand {
  /** The editor's id of the command. */
  readonly id: string;
  readonly title: string;
  /** The arguments as plain JSON, only for display; `run` uses the original ones. */
  readonly arguments: unknown;
  /** Runs the command with the arguments of the language service. Rejects when the command rejects. */
  run(): PromiseLike<unknown>;
}

/** The effect of a code action. */
export interface CodeActionEffect {
  readonly edits?: LanguageEdits;
  /** Absent when the command only notifies the service of the edit. */
  readonly command?: CodeActionCommand;
}

/** A fix, refactoring or source action that the editor's lightbulb offers. */
export interface CodeAction {
  readonly title: string;
  /** The LSP `CodeActionKind`, such as "quickfix" or "refactor.extract.function"; empty when the service gives none. */
  readonly kind: string;
  readonly isPreferred: boolean;
  /** The messages of the problems that the action is known to fix. */
  readonly fixes: readonly string[];
  /** The id of the command that the action runs, if known before the action is expanded. */
  readonly command?: string;
  /**
   * Returns the edits and the command of the action.
   * @throws ToolError `stale_version` when the service no longer offers the action
   */
  expand(signal: AbortSignal): Promise<CodeActionEffect>;
}

/** A code action that was listed for an assistant, which may apply it once. */
export interface OfferedAction {
  readonly action: CodeAction;
  /** The key of the principal for whom the action was listed. */
  readonly owner: string;
  /** The URI of the file for which the action was listed. */
  readonly uri: string;
  /** The version of that file when the action was listed. */
  readonly version: string;
  /** The command for which the user's approval was requested. */
  readonly asked?: CodeActionCommand;
}

/** Whole lines of a text; 1-based, both included. */
export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * Returns the edits that language services propose. Changes no file and opens no tab; every edit has to pass
 * `tools/language/edits/languageEdits.ts` (threat row P17).
 */
export interface Refactorings {
  /**
   * Returns the edits that rename a symbol everywhere.
   * @throws ToolError `unavailable` when no service renames in this language, or the service refuses and says why
   */
  rename(path: ResolvedPath, at: Position, newName: string, signal: AbortSignal): Promise<LanguageEdits>;
  /**
   * Returns the actions that the lightbulb offers for lines of a file, in its order. The editor leaves out disabled actions.
   * @param kinds limits the result to these kinds and their sub-kinds; an empty list means all kinds
   */
  codeActions(
    path: ResolvedPath,
    lines: LineRange,
    kinds: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly CodeAction[]>;
  /** Returns the edits that format a file; none when it is formatted already, or no service formats it. */
  formatting(path: ResolvedPath, signal: AbortSignal): Promise<readonly TextEdit[]>;
  /** Keeps an action in memory and returns an id for it that cannot be guessed. Drops the oldest actions. */
  offer(offered: OfferedAction): string;
  /** Returns a kept action; undefined when it was used or dropped. */
  offered(id: string): OfferedAction | undefined;
  /** Forgets an action, since an id may be used only once. */
  withdraw(id: string): void;
}
