import type { FoundFile, ResolvedPath } from '#base/files.ts';

/** Which files a search looks at. */
export interface FileQuery {
  /** Folders or files to search, which the policy has already allowed. */
  readonly within: readonly ResolvedPath[];
  /** Globs relative to the workspace folder. When there are any, a file must match at least one. */
  readonly include: readonly string[];
  /** Globs relative to the workspace folder; a file that matches one is left out. */
  readonly exclude: readonly string[];
  /** Also search files that ignore files or the editor's settings exclude. */
  readonly includeIgnored: boolean;
  /** Levels of folders that are looked at: with 1, only files that lie in the folders of `within`. All when absent. */
  readonly maxDepth?: number;
}

/** A search for text in files. */
export interface TextQuery extends FileQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  /** The pattern may match across line ends. */
  readonly multiline: boolean;
  /** Numbers of lines returned before and after each match. */
  readonly linesBefore: number;
  readonly linesAfter: number;
  /** Return the files in path order, which makes ripgrep search in one thread. */
  readonly sorted: boolean;
  /**
   * Flags files: a file with a line on which `search` (for ripgrep, with ASCII classes) matches is yielded with `isFlagged`, whether
   * the query matches in it or not. So are others with a printed line on which `check` (for JavaScript) matches, which it does
   * wherever `search` does.
   */
  readonly flag?: { readonly search: string; readonly check: string };
}

/** A range of a text, as offsets in UTF-16 units; `end` is exclusive. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

/** A line with at least one match. */
export interface LineMatch {
  /** Line number, 1-based. */
  readonly line: number;
  /** Column of the first match on the line, 1-based, in UTF-16 units. */
  readonly column: number;
  /** The line, or the lines of a multi-line match. A long line is cut around the match. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The matches in one file. */
export interface FileMatches extends FoundFile {
  /** The matches in line order; empty when the file is flagged. */
  readonly matches: readonly LineMatch[];
  /** The file has a line that matches `flag` of the query, or so many matches that this is not known. */
  readonly isFlagged?: true;
  /** The encoding in which the file was searched, when it is neither the one of the settings nor Unicode. */
  readonly encoding?: string;
}

/** Searches the files of the workspace as the editor holds them, with unsaved text. Links are never followed. */
export interface Search {
  /**
   * Searches for text. Yields one item for each file, or several in a row for a file with very many matches. Ending the iteration
   * early stops the child processes.
   * @throws ToolError `unavailable` when no search program can be started; InvalidArgumentsError for a bad pattern or glob. Finding
   *   nothing is not an error.
   */
  text(query: TextQuery, signal: AbortSignal): AsyncIterable<FileMatches>;
  /**
   * Searches one text instead of files. Returns the matches that touch none of the ranges of `hidden`, which are sorted and apart.
   * Throws as `text` does.
   */
  inText(
    query: TextQuery,
    text: string,
    hidden: readonly OffsetRange[],
    signal: AbortSignal,
  ): Promise<readonly LineMatch[]>;
  /** Lists the files of a query in no particular order. Throws as `text` does. */
  files(query: FileQuery, signal: AbortSignal): AsyncIterable<FoundFile>;
  /** Lists the files of a query whose names close them: no other search yields them. Nothing of them is opened. Throws as `text` does. */
  closedFiles(query: FileQuery, signal: AbortSignal): AsyncIterable<FoundFile>;
}
