import type { ResolvedPath } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';

/** A command of the editor or of an extension, as the command palette shows it. */
export interface EditorCommand {
  readonly id: string;
  /** For people; absent when the extension gives none. */
  readonly title?: string;
  /** The word before the title in the command palette: "Git", "TypeScript". */
  readonly category?: string;
  /** The default on this system; the VS Code API does not give the user's own key bindings. */
  readonly keybinding?: string;
  /** The id of the extension that contributes the command; absent for a command of the editor. */
  readonly extension?: string;
}

/** A value of the VS Code API in the arguments of a command. */
export type CommandPlace =
  | { readonly kind: 'uri'; readonly path: ResolvedPath }
  | ({ readonly kind: 'position' } & Position)
  | ({ readonly kind: 'range' } & TextRange)
  | { readonly kind: 'location'; readonly path: ResolvedPath; readonly range: TextRange };

/** JSON in which objects are maps, and which may hold values of the VS Code API. */
export type CommandArgument =
  null | boolean | number | string | readonly CommandArgument[] | ReadonlyMap<string, CommandArgument> | CommandPlace;

/** Commands of the editor and of extensions, without those that no assistant may run (threat row A2). */
export interface Commands {
  /** Returns the commands that the palette may show and those that the user allows, by id. */
  list(): Promise<readonly EditorCommand[]>;
  /** Returns a command; undefined when there is none, or when it is not registered yet. */
  find(id: string): Promise<EditorCommand | undefined>;
  /** Says whether the user lets assistants propose the command (setting `drawbridge.commands.allow`). */
  isAllowed(id: string): boolean;
  /**
   * Runs a command, without a check of whether the user allows it.
   * @returns the result as JSON, cut where it is too long; empty when there is none
   * @throws ToolError `denied`, `unavailable` (the command failed or is missing), `timeout` after a minute, `cancelled`; after the last
   *   two the command itself goes on
   */
  run(id: string, given: readonly CommandArgument[], signal: AbortSignal): Promise<string>;
}
