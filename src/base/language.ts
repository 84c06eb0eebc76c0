import type { FoundFile, ResolvedPath } from './files.ts';

/** A place in a text. 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A part of a text. 1-based. */
export interface TextRange {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  /** After the last character. */
  readonly lastColumn: number;
}

/** A part of a file of the workspace, as a language service names it. */
export interface InsidePlace extends FoundFile, TextRange {
  readonly outside?: never;
}

/** A part of a file that lies outside the workspace, of which only this is told. */
export interface OutsidePlace extends TextRange {
  readonly outside: true;
  /** A label, such as "node_modules/typescript/lib/lib.es5.d.ts"; no tool takes it. */
  readonly path: string;
}

export type Place = InsidePlace | OutsidePlace;

/** A name that a file declares, with what is declared inside it. */
export interface OutlineSymbol extends TextRange {
  readonly name: string;
  /** As LSP names it: "function", "class", "enum member". */
  readonly kind: string;
  /** What the service adds, such as a signature. */
  readonly detail?: string;
  /** Of the name itself. */
  readonly nameLine: number;
  readonly nameColumn: number;
  readonly isDeprecated?: true;
  readonly children: readonly OutlineSymbol[];
}

export const relations = ['references', 'implementations', 'definition', 'declaration', 'type_definition'] as const;
export type Relation = (typeof relations)[number];

/** A place where a symbol is used. */
export type Use = Place & {
  /** Absent until `withAccess`, and where the provider does not tell. */
  readonly access?: 'read' | 'write';
};

/** One end of a hierarchy. */
export interface HierarchyItem {
  readonly name: string;
  readonly kind: string;
  readonly detail?: string;
  /** Of the whole declaration. */
  readonly place: Place;
  readonly nameLine: number;
  readonly nameColumn: number;
}

/** What calls an item, or is called by it. */
export interface HierarchyCall {
  readonly item: CallItem;
  /** Where the calls stand: in `item` for incoming ones, in the item asked about for outgoing ones. */
  readonly lines: readonly number[];
}

export interface CallItem extends HierarchyItem {
  calls(direction: 'incoming' | 'outgoing', signal: AbortSignal): Promise<readonly HierarchyCall[]>;
}

export interface TypeItem extends HierarchyItem {
  types(direction: 'supertypes' | 'subtypes', signal: AbortSignal): Promise<readonly TypeItem[]>;
}

/** What language services say of texts as the editor holds them. Opens no tab. What was asked cannot be taken back, only left. */
export interface Language {
  /** The editor's id of the language a file is in, for example "typescript". */
  languageOf(path: ResolvedPath): Promise<string>;
  /** In the order of the file; undefined when no service offers it for the language. */
  outline(path: ResolvedPath, signal: AbortSignal): Promise<readonly OutlineSymbol[] | undefined>;
  /** In path and line order, each once; empty when there is none, or no service that answers. */
  places(relation: Relation, path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly Use[]>;
  /**
   * The same uses, in the same order, with `access` where a service tells it. Asks once more for each file, which takes longer than
   * finding the uses: for what is shown, when it was asked for. Files beyond the first 200 are left untold.
   */
  withAccess(uses: readonly Use[], signal: AbortSignal): Promise<readonly Use[]>;
  /** Signature and documentation as plain Markdown, a string for each service; the signature first. */
  hover(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly string[]>;
  callItems(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly CallItem[]>;
  typeItems(path: ResolvedPath, at: Position, signal: AbortSignal): Promise<readonly TypeItem[]>;
  /** Why nothing may have been found, in a sentence for the model: no service for the language, one that is still loading. */
  explain(path: ResolvedPath, question: string): Promise<string>;
}
