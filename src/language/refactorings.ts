import type { ResolvedPath } from '#base/files.ts';
import type { Position } from '#base/language.ts';

/** A piece of a text that becomes another text. */
export interface TextEdit {
  /** Absolute path of the file, or the URI of what is none; not judged yet. */
  readonly address: string;
  /** UTF-16 units in the text as the editor holds it; 0 in a file that is not there yet. */
  readonly offset: number;
  readonly length: number;
  readonly newText: string;
}

/** A file or folder that comes, goes, or gets another path. Addresses as in {@link TextEdit}. */
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

/** What a language service wants to change, as data: LSP's `WorkspaceEdit`. Nothing of it has passed the policy. */
export interface LanguageEdits {
  readonly texts: readonly TextEdit[];
  /** In their order; texts may name a renamed file by either of its names. */
  readonly resources: readonly ResourceEdit[];
}

/** Something that a language service offers to run, besides changing files or instead of that. */
export interface CodeActionCommand {
  /** Of the command in this editor. */
  readonly id: string;
  readonly title: string;
  /** As plain JSON, to be shown; not what it is run with. */
  readonly arguments: unknown;
  /** Runs it, with the arguments that the service gave. Rejects as the command does. */
  run(): PromiseLike<unknown>;
}

/** What a code action does. */
export interface CodeActionEffect {
  readonly edits?: LanguageEdits;
  /** Left out when all that it does is to tell the service that the edit was made. */
  readonly command?: CodeActionCommand;
}

/** A fix, refactoring or source action, as the editor's lightbulb offers it. */
export interface CodeAction {
  readonly title: string;
  /** LSP's `CodeActionKind`, such as "quickfix" or "refactor.extract.function"; empty when the service gives none. */
  readonly kind: string;
  readonly isPreferred: boolean;
  /** Messages of the problems that it fixes, as far as they are known. */
  readonly fixes: readonly string[];
  /** Id of a command that it runs, as far as that is known before it is expanded. */
  readonly command?: string;
  /** @throws ToolError `stale_version` when it is no longer offered */
  expand(signal: AbortSignal): Promise<CodeActionEffect>;
}

/** A code action that a caller was told of, and may come back to once. */
export interface OfferedAction {
  readonly action: CodeAction;
  /** Key of the principal who was told of it. */
  readonly owner: string;
  /** URI of the file that it was asked for. */
  readonly uri: string;
  /** Of that file, as the offer was made. */
  readonly version: string;
  /** The human is asked whether this may be run. */
  readonly asked?: CodeActionCommand;
}

/** Whole lines of a text, 1-based, both included. */
export interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * How language services would change files. Nothing is changed, no tab is opened; what comes out has to pass
 * `tools/language/languageEdits.ts` (threat row P17).
 */
export interface Refactorings {
  /**
   * The edits that give a symbol another name, wherever it is used.
   * @throws ToolError `unavailable`: no service renames in this language, or it refuses to, and says why
   */
  rename(path: ResolvedPath, at: Position, newName: string, signal: AbortSignal): Promise<LanguageEdits>;
  /**
   * What the lightbulb offers for lines of a file, in its order; what is offered and disabled is left out by the editor.
   * @param kinds only these and what is below them; all without any
   */
  codeActions(
    path: ResolvedPath,
    lines: LineRange,
    kinds: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly CodeAction[]>;
  /** The edits that format a file; none when it is formatted already, or no service formats it. */
  formatting(path: ResolvedPath, signal: AbortSignal): Promise<readonly TextEdit[]>;
  /** Keeps an action in memory, and gives it an id that cannot be guessed. The oldest are dropped. */
  offer(offered: OfferedAction): string;
  offered(id: string): OfferedAction | undefined;
  /** An id is good for one use. */
  withdraw(id: string): void;
}
