import type { FoundFile, ResolvedPath } from './files.ts';

/** A position in a text. Lines and columns are 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A range of a text. Lines and columns are 1-based. */
export interface TextRange {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  /** The column after the last character. */
  readonly lastColumn: number;
}

/** A range in a file of the workspace, as a language service reports it. */
export interface WorkspaceLocation extends FoundFile, TextRange {
  readonly outside?: never;
}

/**
 * A range in a file outside the workspace. Assistants learn nothing else about such a file, but the code of a definition in a library
 * (`Language.librarySource`).
 */
export interface OutsideLocation extends TextRange {
  readonly outside: true;
  /** A label, such as "node_modules/typescript/lib/lib.es5.d.ts"; no tool accepts it as a path. */
  readonly path: string;
}

/** The text of a library file, and a label of the file that it was read from. */
export interface LibrarySource {
  readonly path: string;
  readonly text: string;
}

/** A range in a file, inside or outside the workspace. */
export type CodeLocation = WorkspaceLocation | OutsideLocation;

/** A name that a file declares, with what is declared inside it. */
export interface OutlineSymbol extends TextRange {
  readonly name: string;
  /** The LSP symbol kind in words: "function", "class", "enum member". */
  readonly kind: string;
  /** Text that the service adds, such as a signature. */
  readonly detail?: string;
  /** Position of the name within the range. */
  readonly nameLine: number;
  readonly nameColumn: number;
  readonly isDeprecated?: true;
  /** Absent when a language service reported the symbol; `syntax`: the grammar of the language found it. */
  readonly foundBy?: 'syntax';
  readonly children: readonly OutlineSymbol[];
}

export const relations = ['references', 'implementations', 'definition', 'declaration', 'type_definition'] as const;
export type Relation = (typeof relations)[number];

/** A place where a symbol is used. */
export type Use = CodeLocation & {
  /** Absent before `withAccess`, and when the provider does not report it. */
  readonly access?: 'read' | 'write';
};

/** An item of a call hierarchy or type hierarchy. */
export interface HierarchyItem {
  readonly name: string;
  readonly kind: string;
  readonly detail?: string;
  /** Range of the whole declaration. */
  readonly place: CodeLocation;
  readonly nameLine: number;
  readonly nameColumn: number;
}

/** A caller or callee of a call hierarchy item. */
export interface HierarchyCall {
  readonly item: CallItem;
  /** Lines of the calls, 1-based: in `item` for incoming calls, in the requested item for outgoing calls. */
  readonly lines: readonly number[];
}

/** An item of a call hierarchy. */
export interface CallItem extends HierarchyItem {
  calls(direction: 'incoming' | 'outgoing', signal: AbortSignal): Promise<readonly HierarchyCall[]>;
}

/** An item of a type hierarchy. */
export interface TypeItem extends HierarchyItem {
  types(direction: 'supertypes' | 'subtypes', signal: AbortSignal): Promise<readonly TypeItem[]>;
}

/**
 * Asks language services about texts as the editor holds them, without opening a tab. An aborted signal stops the waiting; the
 * request to the service itself cannot be cancelled.
 */
export interface Language {
  /** Returns the editor's language id of a file, for example "typescript". */
  languageOf(path: ResolvedPath): Promise<string>;
  /** Returns the symbols in file order, or undefined when no service provides an outline for the language. */
  outline(path: ResolvedPath, signal: AbortSignal): Promise<readonly OutlineSymbol[] | undefined>;
  /** Returns each related range once, in path and line order; empty when there is none or no service answers. */
  places(relation: Relation, path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly Use[]>;
  /**
   * Returns the text of the library in which `places('definition')` of a file found this place; undefined for any other place, and
   * for a file that is no source code of a dependency or of the language's own library.
   */
  librarySource(askedIn: ResolvedPath, place: OutsideLocation): Promise<LibrarySource | undefined>;
  /**
   * Returns the same uses in the same order, with `access` where a service reports it. This takes one more request for each
   * file and more time than finding the uses, so call it only for the uses that a result shows. Only the first 200 files are
   * asked about.
   */
  withAccess(uses: readonly Use[], signal: AbortSignal): Promise<readonly Use[]>;
  /** Returns signature and documentation as plain Markdown, one string for each service, the signature first. */
  hover(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the call hierarchy items of the symbol at a position. */
  callItems(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly CallItem[]>;
  /** Returns the type hierarchy items of the symbol at a position. */
  typeItems(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly TypeItem[]>;
  /**
   * Explains an empty result to the assistant in one sentence, for example that the language has no service, or that the
   * service is still loading.
   */
  explain(path: ResolvedPath, question: string): Promise<string>;
}

/** The files that use another file, as far as their text tells. */
export interface FileUses {
  /** `imports`: they import it. `mentions`: they hold its name, in a language whose imports are not understood. */
  readonly kind: 'imports' | 'mentions';
  /** In the order in which they were found; at most 200. */
  readonly files: readonly FoundFile[];
  readonly total: number;
  /** The time was up before all files were looked at. */
  readonly isPartial: boolean;
}

/** The file or folder that would be deleted or moved. */
export interface UsedFile {
  readonly fsPath: string;
  readonly isFolder: boolean;
}
