import type { ResolvedPath } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';

/** A command of the editor or of an extension, as the command palette shows it. */
export interface EditorCommand {
  readonly id: string;
  /** As people read it; absent when nobody says. */
  readonly title?: string;
  /** What stands before the title: "Git", "TypeScript". */
  readonly category?: string;
  /** As it is out of the box on this system; the editor does not tell which ones the user changed. */
  readonly keybinding?: string;
  /** The id of the extension that brings it; absent for the editor's own. */
  readonly extension?: string;
}

/** Something of the editor's among the arguments of a command. */
export type CommandPlace =
  | { readonly kind: 'uri'; readonly path: ResolvedPath }
  | ({ readonly kind: 'position' } & Position)
  | ({ readonly kind: 'range' } & TextRange)
  | { readonly kind: 'location'; readonly path: ResolvedPath; readonly range: TextRange };

/** JSON in which objects are maps, with places of the editor's between. */
export type CommandArgument =
  null | boolean | number | string | readonly CommandArgument[] | ReadonlyMap<string, CommandArgument> | CommandPlace;

/** Commands of the editor and of extensions. Those that no assistant may run (threat row A2) are not there. */
export interface Commands {
  /** Those the palette may show and those the user allows, by id. */
  list(): Promise<readonly EditorCommand[]>;
  /** Undefined when there is none, or nobody knows of it yet. */
  find(id: string): Promise<EditorCommand | undefined>;
  /** The user lets assistants ask for it (`drawbridge.commands.allow`). */
  isAllowed(id: string): boolean;
  /**
   * Does not ask whether it is allowed.
   * @returns what it returned as JSON, cut where it is too long; empty when it returned nothing
   * @throws ToolError `denied`, `unavailable` (it failed, or is not there), `timeout` after a minute, `cancelled`: what it began goes on
   */
  run(id: string, given: readonly CommandArgument[], signal: AbortSignal): Promise<string>;
}
