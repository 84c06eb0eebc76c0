import picomatch from 'picomatch';
import type { FoundFile } from '#base/files.ts';
import { comparePaths } from '#base/pathOrder.ts';
import { cutAround, cutEnd } from '#search/ripgrep/cutLine.ts';
import type { FileMatches, FileQuery, Search, TextQuery } from '#search/search.ts';

/** Searches texts in memory line by line, in the order in which a test gave them. */
export class FakeSearch implements Search {
  readonly entries: { readonly file: FoundFile; readonly text: string }[] = [];
  /** The queries in order. */
  readonly queries: FileQuery[] = [];
  /** The number of searches that were stopped early. */
  stopped = 0;

  add(file: FoundFile, text: string): void {
    this.entries.push({ file, text });
  }

  async *text(query: TextQuery, signal: AbortSignal): AsyncGenerator<FileMatches> {
    let finished = false;
    const pattern = patternOf(query);
    try {
      for (const { file, text } of this.#admitted(query, query.sorted)) {
        signal.throwIfAborted();
        const lines = text.split('\n');
        const matches = lines.flatMap((line, at) => {
          const column = line.search(pattern) + 1;
          if (column === 0) return [];
          const before = lines.slice(Math.max(0, at - query.contextLines), at).map(cutEnd);
          const after = lines.slice(at + 1, at + 1 + query.contextLines).map(cutEnd);
          return [{ line: at + 1, column, text: cutAround([line], column), before, after }];
        });
        if (matches.length > 0) yield { ...file, matches };
      }
      finished = true;
    } finally {
      if (!finished) this.stopped += 1;
    }
  }

  async *files(query: FileQuery, signal: AbortSignal): AsyncGenerator<FoundFile> {
    for (const { file } of this.#admitted(query, false)) {
      signal.throwIfAborted();
      yield file;
    }
  }

  #admitted(query: FileQuery, sorted: boolean): readonly { readonly file: FoundFile; readonly text: string }[] {
    this.queries.push(query);
    const includes = query.include.length === 0 ? () => true : picomatch([...query.include], { dot: true });
    const admitted = this.entries.filter(
      ({ file }) =>
        includes(file.path) &&
        query.within.some(({ realPath }) => file.fsPath === realPath || file.fsPath.startsWith(`${realPath}/`)),
    );
    return sorted ? admitted.toSorted((a, b) => comparePaths(a.file.path, b.file.path)) : admitted;
  }
}

/** Always case-sensitive, whatever the query asks for. */
function patternOf({ pattern, isRegex, wholeWord }: TextQuery): RegExp {
  const source = isRegex ? pattern : RegExp.escape(pattern);
  return new RegExp(wholeWord ? `\\b(?:${source})\\b` : source);
}
