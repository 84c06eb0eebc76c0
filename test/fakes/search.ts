import picomatch from 'picomatch';
import type { FoundFile } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { isReadable } from '#policy/protectedPaths.ts';
import { cutAround, cutEnd } from '#search/ripgrep/cutLine.ts';
import type { FileMatches, FileQuery, LineMatch, OffsetRange, Search, TextQuery } from '#search/search.ts';

/** Searches texts in memory line by line, in the order in which a test gave them. */
export class FakeSearch implements Search {
  readonly entries: { readonly file: FoundFile; readonly text: string }[] = [];
  /** Paths that an ignore rule leaves out. */
  readonly ignored = new Set<string>();
  /** The queries in order. */
  readonly queries: FileQuery[] = [];
  /** The number of searches that were stopped early. */
  stopped = 0;

  add(file: FoundFile, text: string): void {
    this.entries.push({ file, text });
  }

  async *text(query: TextQuery, signal: AbortSignal): AsyncGenerator<FileMatches> {
    const flag = query.flag === undefined ? undefined : new RegExp(query.flag.check, 'm');
    for (const { file, text } of this.#searched(query, query.sorted, signal)) {
      if (flag?.test(text) === true) yield { ...file, matches: [], isFlagged: true };
      else {
        const matches = matchesIn(text, query, []);
        if (matches.length > 0) yield { ...file, matches };
      }
    }
  }

  async inText(query: TextQuery, text: string, hidden: readonly OffsetRange[]): Promise<readonly LineMatch[]> {
    return matchesIn(text, query, hidden);
  }

  async *files(query: FileQuery, signal: AbortSignal): AsyncGenerator<FoundFile> {
    for (const { file } of this.#searched(query, false, signal)) yield file;
  }

  async *closedFiles(_query: FileQuery, signal: AbortSignal): AsyncGenerator<FoundFile> {
    for (const { file } of this.entries) {
      signal.throwIfAborted();
      if (!isReadable(file, { home: '/nowhere', privateFolders: [] })) yield file;
    }
  }

  /** Yields the admitted entries, and counts the search as stopped when it ends before the last one. */
  *#searched(
    query: FileQuery,
    sorted: boolean,
    signal: AbortSignal,
  ): Generator<{ readonly file: FoundFile; readonly text: string }> {
    let finished = false;
    try {
      for (const entry of this.#admitted(query, sorted)) {
        signal.throwIfAborted();
        yield entry;
      }
      finished = true;
    } finally {
      if (!finished) this.stopped += 1;
    }
  }

  #admitted(query: FileQuery, sorted: boolean): readonly { readonly file: FoundFile; readonly text: string }[] {
    this.queries.push(query);
    const includes = query.include.length === 0 ? () => true : picomatch([...query.include], { dot: true });
    const admitted = this.entries.filter(
      ({ file }) =>
        includes(file.path) &&
        (query.includeIgnored || !this.ignored.has(file.path)) &&
        // Only absolute paths of folders.
        !query.exclude.some((folder) => file.fsPath.startsWith(`${folder}/`)) &&
        query.within.some(({ realPath }) => {
          if (file.fsPath === realPath) return true;
          const levels = file.fsPath.slice(realPath.length + 1).split('/').length;
          return file.fsPath.startsWith(`${realPath}/`) && levels <= (query.maxDepth ?? Infinity);
        }),
    );
    return sorted ? admitted.toSorted((a, b) => comparePaths(a.file.path, b.file.path)) : admitted;
  }
}

function matchesIn(text: string, query: TextQuery, hidden: readonly OffsetRange[]): readonly LineMatch[] {
  const pattern = new RegExp(patternOf(query), 'g');
  const lines = text.split('\n');
  let lineStart = 0;
  return lines.flatMap((line, at) => {
    const from = lineStart;
    lineStart += line.length + 1;
    const found = [...line.matchAll(pattern)].find(
      ({ 0: { length }, index }) =>
        !hidden.some(({ start, end }) => from + index < end && from + index + length > start),
    );
    if (found === undefined) return [];
    const column = found.index + 1;
    const before = lines.slice(Math.max(0, at - query.linesBefore), at).map(cutEnd);
    const after = lines.slice(at + 1, at + 1 + query.linesAfter).map(cutEnd);
    return [{ line: at + 1, column, text: cutAround([line], column), before, after }];
  });
}

/** Always case-sensitive, whatever the query asks for. */
function patternOf({ pattern, isRegex, wholeWord }: TextQuery): RegExp {
  const source = isRegex ? pattern : RegExp.escape(pattern);
  return new RegExp(wholeWord ? `\\b(?:${source})\\b` : source);
}
