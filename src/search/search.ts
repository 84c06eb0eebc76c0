import type { FoundFile, ResolvedPath } from '#base/files.ts';

export interface FileQuery {
  /** Folders or files to look in; the policy has admitted them. */
  readonly within: readonly ResolvedPath[];
  /** Globs relative to the workspace folder; a file must match one of them when there are any. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Also return files that ignore files or the editor's settings hide. */
  readonly includeIgnored: boolean;
}

export interface TextQuery extends FileQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  /** The pattern may match across line ends. */
  readonly multiline: boolean;
  /** Lines shown before and after each match. */
  readonly contextLines: number;
  /** Files come one after the other in path order, at the price of parallelism. */
  readonly sorted: boolean;
}

export interface LineMatch {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units; of the first match on the line. */
  readonly column: number;
  /** The line, or the lines of a multi-line match; long ones cut around the match. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FileMatches extends FoundFile {
  /** In line order. */
  readonly matches: readonly LineMatch[];
}

/** Search through the files of the workspace as the editor holds them, unsaved buffers included. Links are never followed. */
export interface Search {
  /**
   * One item a file; several, one after the other, for a file with very many matches. Ending the iteration early stops the child processes.
   * @throws ToolError `no_match` never; `unavailable` when no search program can be started; a bad pattern is explained.
   */
  text(query: TextQuery, signal: AbortSignal): AsyncIterable<FileMatches>;
  /** Paths of files, in no particular order. */
  files(query: FileQuery, signal: AbortSignal): AsyncIterable<FoundFile>;
}
