/** The name of the file that holds the regular expression engine. The build packs it. */
export const engineFile = 'onig.wasm';

/** The data with which the worker starts. */
export interface ColourStart {
  /** Absolute path of the folder with the regular expression engine. */
  readonly folder: string;
  /** All grammars, because one may include any other. */
  readonly grammars: readonly {
    readonly scopeName: string;
    /** Absolute path. */
    readonly path: string;
    readonly injectTo: readonly string[];
  }[];
  /** The absolute path of the theme's file, and what `editor.tokenColorCustomizations` calls the theme. */
  readonly theme: { readonly path: string; readonly id: string };
  /** The setting `editor.tokenColorCustomizations`. */
  readonly customizations: unknown;
  /** Milliseconds after which the rest of a line, or of a text, stays plain. */
  readonly limits: { readonly line: number; readonly text: number };
}

/** Asks for the colours of the first lines of a text. */
export interface ColourRequest {
  /** The scope of the grammar. */
  readonly scopeName: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
}

/**
 * The colours of a line: pairs of the end of a run in UTF-16 units, and its style. The bits 0 to 3 of a style are italic, bold,
 * underlined and struck through; the others are the number of a colour in `palette`, 0 for text in no colour of its own.
 */
export type LineColours = readonly number[];

/** The first message says that the worker is ready; then each answers one request. */
export interface ColourAnswer {
  /** Empty for a line that stays plain. There may be fewer lines than were asked for. */
  readonly lines: readonly LineColours[];
  /** `#rrggbb` or `#rrggbbaa`, by the number of the colour. */
  readonly palette: readonly string[];
}
